import type { Event } from "@countersign/core"
import { actorName, type AuditEntry, type Fact, Job } from "@countersign/core/storage"
import { aside, bool, int, json, named, nullable, of, only, rows, time, word } from "./table.ts"

/* These values come from our own code: ids, names and JSON. They need no checks, and most requests write some. */

export const event = rows<Event>()("event", ["environment", "id"], {
  environment: word,
  id: word,
  type: word,
  createdAt: time,
  data: json
})

const leaseOf = (job: Job.NewJob) => (Job.isLeased(job) ? job : undefined)

export const job = rows<Pick<Job.NewJob, "key" | "environment" | "kind" | "payload">>()("job", ["key"], {
  key: word,
  environment: word,
  kind: word,
  payload: json,
  // A leased job becomes due for other processes when the lease ends.
  runAt: of(time, (job: Job.NewJob) => leaseOf(job)?.leasedUntil ?? job.runAt),
  attempt: of(int, (job: Job.NewJob) => leaseOf(job)?.fence ?? 0),
  gate: of(word, ({ gate }: Job.NewJob) => gate ?? ""),
  // In a gate, jobs without a lane share the lane ''.
  lane: of(nullable(word), ({ gate, lane }: Job.NewJob) => lane ?? (gate === undefined ? null : ""))
})

/** The lease of a finished job. */
export const done = rows<Job.Lease>()("job", ["key"], { key: word, fence: named("attempt", int) })

/** The run times of jobs that other processes need to know about. */
export const notified = rows<Pick<Job.Job, "runAt">>()("job", [], { runAt: time })

const ofFact = { kind: word, environment: word, at: time, key: word }

export const fact = rows<Omit<Fact, "adds" | "times">>()("fact", ["kind", "environment", "at", "key"], {
  ...ofFact,
  value: json,
  adds: aside(bool, ({ adds }: Fact) => adds === true)
})

export const foldedFact = rows<Omit<Fact, "value" | "adds" | "times">>()(
  "fact",
  ["kind", "environment", "at", "key"],
  ofFact
)

export const auditEntry = rows<AuditEntry>()("audit", ["merchantId", "id"], {
  merchantId: word,
  id: word,
  environment: nullable(word),
  at: time,
  action: word,
  actorId: of(word, ({ actor }: AuditEntry) => actorName(actor)),
  targetId: of(word, ({ target }: AuditEntry) => target.id),
  entry: only("actor", "address", "target", "from", "to")
})
