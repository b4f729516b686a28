import { setTimeout as sleep } from "node:timers/promises"
import type { Bench, Place } from "./Bench.ts"
import { Child } from "./Child.ts"
import type { Storm } from "./customersProcess.ts"
import type { LoadResult } from "./Load.ts"

const connections = 250

export interface Written {
  /** How the provider was answered. */
  readonly taken: LoadResult
  /** Until all of it was in conversations. */
  readonly seconds: number
}

/** People who write to a service for the first time, one message a callback, from a process of their own. */
export class Customers {
  readonly #child = new Child("./customersProcess.ts")

  async write(bench: Bench, { database, service }: Place, messages: number): Promise<Written> {
    const began = performance.now()
    const options: Storm = { port: service.port, messages, customers: 1_000_000_000, connections }
    const taken = await this.#child.ask<LoadResult>("storm", options)
    for (;;) {
      const [row] = await bench.postgres.query(database, "select count(*)::int as n from job where kind = 'inbound'")
      if (row?.["n"] === 0) return { taken, seconds: (performance.now() - began) / 1000 }
      await sleep(50)
    }
  }

  stop(): Promise<void> {
    return this.#child.stop()
  }
}
