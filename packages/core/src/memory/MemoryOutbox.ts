import { Effect } from "effect"
import type { Outgoing } from "../outbox/Change.ts"
import type { OutboxStore } from "../outbox/OutboxStore.ts"
import type { MemoryAudit } from "./MemoryAuditStore.ts"
import type { MemoryEvents } from "./MemoryEventStore.ts"
import type { MemoryFacts } from "./MemoryFactStore.ts"
import type { MemoryJobs } from "./MemoryJobStore.ts"

/** Through which every store in memory writes what a change leaves. */
export class MemoryOutbox {
  readonly #events: MemoryEvents
  readonly #jobs: MemoryJobs
  readonly #facts: MemoryFacts
  readonly #audit: MemoryAudit

  constructor(events: MemoryEvents, jobs: MemoryJobs, facts: MemoryFacts, audit: MemoryAudit) {
    this.#events = events
    this.#jobs = jobs
    this.#facts = facts
    this.#audit = audit
  }

  /**
   * Makes everything ready, and answers the step that writes it. What cannot be written fails here, before the store
   * has changed anything of its own.
   */
  prepare({ audited, done, events, facts, folded, jobs }: Outgoing): () => void {
    const record = this.#events.prepare(events)
    const note = this.#facts.prepare(facts)
    const putDown = this.#audit.prepare(audited)
    return () => {
      record()
      // What a done job makes room for is added after it is gone.
      if (done !== null) this.#jobs.remove(done)
      this.#jobs.add(jobs)
      note()
      this.#facts.remove(folded)
      putDown()
    }
  }

  readonly service: OutboxStore["Service"] = {
    append: (outgoing) => Effect.sync(() => this.prepare(outgoing)())
  }
}
