import { setTimeout as sleep } from "node:timers/promises"
import { Child } from "./Child.ts"
import { type Filled, fill, idOf } from "./Fill.ts"
import { type LoadResult, run, type Source } from "./Load.ts"
import * as Pgbench from "./Pgbench.ts"
import type { Postgres } from "./Postgres.ts"
import { echoes, initiates, statuses, verifies } from "./Requests.ts"
import { type Service, type ServiceOptions, startService } from "./Service.ts"
import { type Captured, capture } from "./Statements.ts"

export interface Options {
  readonly rounds: number
  readonly seconds: number
  /** Rows of the large tables of S11. */
  readonly rows: number
}

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** A service with a database of its own. */
export interface Place {
  readonly database: string
  readonly service: Service
}

export interface Loading {
  readonly place: Place
  readonly connections: number
  readonly seconds?: number
  readonly source: Source
}

const smallRows = 10_000

/** What measurements share: the server, the places, and what has been learnt of the statements. */
export class Bench {
  readonly postgres: Postgres
  readonly options: Options
  readonly #pgbench: Pgbench.Pgbench | undefined
  readonly #places = new Map<string, Promise<Place>>()
  readonly #filled = new Map<string, Promise<Filled>>()
  #captured: Promise<Captured> | undefined
  #echo: Promise<{ readonly child: Child; readonly port: number }> | undefined

  constructor(postgres: Postgres, options: Options) {
    this.postgres = postgres
    this.options = options
    const program = Pgbench.find()
    this.#pgbench = program === undefined ? undefined : new Pgbench.Pgbench(program, postgres)
  }

  get hasCeiling(): boolean {
    return this.#pgbench !== undefined
  }

  /** A service over an empty database, made when it is first asked for. */
  place(
    database: string,
    options: Omit<ServiceOptions, "url"> = {},
    settings: Readonly<Record<string, string>> = {}
  ): Promise<Place> {
    let place = this.#places.get(database)
    if (place === undefined) {
      place = (async () => {
        await this.postgres.createDatabase(database, settings)
        const service = await startService({ ...options, url: this.postgres.url(database) })
        const made = { database, service }
        await this.initiate(made, 64, 2)
        return made
      })()
      this.#places.set(database, place)
    }
    return place
  }

  async leave(database: string): Promise<void> {
    const place = await this.#places.get(database)
    this.#places.delete(database)
    this.#filled.delete(database)
    await place?.service.child.stop()
    await this.postgres.dropDatabase(database)
  }

  filled({ database, service }: Place, rows = smallRows): Promise<Filled> {
    let filled = this.#filled.get(database)
    if (filled === undefined) this.#filled.set(database, (filled = fill(this.postgres, database, service, rows)))
    return filled
  }

  async #run({ database, service }: Place, connections: number, seconds: number, source: Source): Promise<LoadResult> {
    const cpu = () => service.child.cpu()
    const explain = (what: string) =>
      [what, service.child.complaint ?? "", ...this.postgres.errors(database)].join("\n")
    const result = await run({ port: service.port, connections, millis: 1000 * seconds, source, cpu }).catch(
      (error) => {
        throw new Error(explain(String(error)))
      }
    )
    if (service.child.complaint !== undefined) throw new Error(explain("The service complains"))
    return result
  }

  initiate(
    place: Place,
    connections: number,
    seconds = this.options.seconds,
    remember?: (id: string) => void
  ): Promise<LoadResult> {
    return this.#run(place, connections, seconds, initiates(place.service, remember))
  }

  /**
   * Measures a load until its last message is sent: under full load, most messages wait in storage until it is over.
   * `waited` is their share.
   */
  async untilSent(
    { database, service }: Place,
    load: () => Promise<LoadResult>
  ): Promise<LoadResult & { readonly waited: number }> {
    const messages = async () => {
      const [row] = await this.postgres.query(database, "select count(*) as waiting from job where kind = 'send'")
      return Number(row!["waiting"])
    }
    const before = await service.child.cpu()
    const result = await load()
    const waited = (await messages()) / result.requests
    while ((await messages()) > 0) await sleep(100)
    return { ...result, waited, cpu: ((await service.child.cpu()) - before) / result.requests }
  }

  /** Sends any other requests to a service. */
  load({ connections, place, seconds = this.options.seconds, source }: Loading): Promise<LoadResult> {
    return this.#run(place, connections, seconds, source)
  }

  /** Enters a code once for each verification; not bounded in time. */
  verify(place: Place, connections: number, ids: ReadonlyArray<string>, right = true): Promise<LoadResult> {
    return this.#run(place, connections, 3600, verifies(place.service, ids, right))
  }

  async status(place: Place, connections: number, seconds = this.options.seconds): Promise<LoadResult> {
    const filled = await this.filled(place)
    const anyId = () => idOf(filled, 1 + Math.floor(Math.random() * filled.rows))
    return this.#run(place, connections, seconds, statuses(place.service, anyId))
  }

  async echo(connections: number, seconds = this.options.seconds): Promise<LoadResult> {
    this.#echo ??= (async () => {
      const child = new Child("./echoProcess.ts")
      const { port } = await child.ask<{ readonly port: number }>("start")
      const echo = { child, port }
      await run({ port, connections, millis: 2000, source: echoes(), cpu: () => child.cpu() })
      return echo
    })()
    const { child, port } = await this.#echo
    return run({ port, connections, millis: 1000 * seconds, source: echoes(), cpu: () => child.cpu() })
  }

  #statements(): Promise<Captured> {
    return (this.#captured ??= capture(this.postgres))
  }

  /** Transactions a second of pgbench with the statements of an initiate. */
  async initiateCeiling({ database }: Place, clients: number, seconds = this.options.seconds): Promise<number> {
    return this.#pgbench!.run(database, Pgbench.initiateScript(await this.#statements()), clients, seconds)
  }

  /** Transactions a second of pgbench with a script. */
  async ceiling(database: string, script: Pgbench.Script, clients: number, seconds: number): Promise<number> {
    return this.#pgbench!.run(database, script, clients, seconds)
  }

  async statusCeiling(place: Place, clients: number, seconds = this.options.seconds): Promise<number> {
    const script = Pgbench.statusScript(await this.#statements(), await this.filled(place))
    return this.#pgbench!.run(place.database, script, clients, seconds)
  }

  /** Takes turns: A B A B … with a short rest between, so that neither pays for what the other left behind. */
  async interleave<A, B>(
    a: () => Promise<A>,
    b: () => Promise<B>,
    rounds = this.options.rounds
  ): Promise<ReadonlyArray<readonly [A, B]>> {
    const pairs: Array<readonly [A, B]> = []
    for (let round = 0; round < rounds; round++) {
      await sleep(300)
      const first = await a()
      await sleep(300)
      pairs.push([first, await b()])
    }
    return pairs
  }

  async stop(): Promise<void> {
    const places = await Promise.allSettled(this.#places.values())
    for (const place of places) if (place.status === "fulfilled") await place.value.service.child.stop()
    await (await this.#echo)?.child.stop()
  }
}
