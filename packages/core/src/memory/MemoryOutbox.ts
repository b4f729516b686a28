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

/** Every memory store commits its changes through this. */
export class MemoryOutbox {
  readonly #rows: Rows

  constructor(rows: Rows) {
    this.#rows = rows
  }

  /**
   * Commits a change whose version check passed: `own` writes its state, and the outbox its effects. When an effect
   * cannot be written or paid, it fails before `own` has changed anything.
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
      // Added after the done job is removed, because the new job may use its key.
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
