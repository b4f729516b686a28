import { Effect } from "effect"
import type { Outgoing, Unbooked } from "../foundation/outbox/Change.ts"
import type { OutboxStore } from "../foundation/outbox/OutboxStore.ts"
import { Conflict } from "../foundation/storage/Conflict.ts"
import type { MemoryAudit } from "./MemoryAuditStore.ts"
import type { MemoryBalances } from "./MemoryBalances.ts"
import type { MemoryEvents } from "./MemoryEventStore.ts"
import type { MemoryFacts } from "./MemoryFactStore.ts"
import type { MemoryJobs } from "./MemoryJobStore.ts"

interface Rows {
  readonly events: MemoryEvents
  readonly jobs: MemoryJobs
  readonly facts: MemoryFacts
  readonly audit: MemoryAudit
  readonly balances: MemoryBalances
}

/** Through which every store in memory writes what a change leaves. */
export class MemoryOutbox {
  readonly #rows: Rows

  constructor(rows: Rows) {
    this.#rows = rows
  }

  /**
   * Writes a change whose own guard holds: what `own` writes of it, and all that it leaves. What cannot be written, or
   * not paid, fails before `own` has changed anything.
   */
  write<C extends Outgoing, A>(change: C, own: () => A): Effect.Effect<A, C extends Unbooked ? never : Conflict>
  write<A>(change: Outgoing, own: () => A): Effect.Effect<A, Conflict> {
    return Effect.suspend(() => {
      const { audited, booked, done, events, facts, folded, jobs } = change
      const record = this.#rows.events.prepare(events)
      const note = this.#rows.facts.prepare(facts)
      const putDown = this.#rows.audit.prepare(audited)
      const book = this.#rows.balances.prepare(booked)
      if (book === null) return Effect.fail(new Conflict({ key: booked[0]?.environment ?? "" }))
      const stored = own()
      record()
      // What a done job makes room for is added after it is gone.
      if (done !== null) this.#rows.jobs.remove(done)
      this.#rows.jobs.add(jobs)
      note()
      this.#rows.facts.remove(folded)
      putDown()
      book()
      return Effect.succeed(stored)
    })
  }

  readonly service: OutboxStore["Service"] = {
    append: (outgoing) => this.write(outgoing, () => undefined)
  }
}
