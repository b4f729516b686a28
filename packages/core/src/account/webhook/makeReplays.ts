import { Clock, Effect } from "effect"
import type { EventStore } from "../../foundation/event/EventStore.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import { auditEntry } from "../../foundation/outbox/AuditEntry.ts"
import type { JobStore } from "../../foundation/outbox/JobStore.ts"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { type Instant, toIso } from "../../foundation/time/Instant.ts"
import type { Caller } from "../merchant/Caller.ts"
import { enabled, wants, type Webhook } from "./Webhook.ts"
import { auditActionOf } from "./webhookAudit.ts"
import { ReplayRuns } from "./WebhookError.ts"
import { replayJob } from "./webhookJobs.ts"
import { WebhookStore } from "./WebhookStore.ts"

export interface ReplayRange {
  readonly since: Instant
  readonly until: Instant
  /**
   * Sends only events that never reached this endpoint. Deliveries that wait for a retry are sent now, regardless of
   * the range.
   */
  readonly onlyMissing: boolean
}

/** How many events a replay would send, up to the counting limit. */
export interface ReplayCount {
  readonly events: number
  /** Whether the range has more events than were counted. */
  readonly more: boolean
}

/** Counting looks at this many events of a range, the newest first. */
const countedPages = 5
const countedPage = 200

/** Replays ranges of recorded events to an endpoint. */
export const makeReplays = <E>({
  commit,
  events,
  jobs,
  store,
  undelivered
}: {
  readonly commit: (change: WebhookStore.Change) => Effect.Effect<Webhook, E>
  readonly events: EventStore["Service"]
  readonly jobs: JobStore["Service"]
  readonly store: WebhookStore["Service"]
  readonly undelivered: (webhook: Webhook) => Effect.Effect<{ readonly pending: ReadonlyArray<string> }, StoreError>
}) => {
  /**
   * The endpoint's version lets only one of several requests start a replay, and the job's key identifies it to the
   * others.
   */
  const replay = Effect.fnUntraced(function* (
    caller: Caller,
    webhook: Webhook,
    { onlyMissing, since, until }: ReplayRange
  ) {
    const replay = `replay:${webhook.id}:${yield* RequestKey.textFor("replay", 10)}`
    // An earlier try of this request started it.
    if (webhook.replay === replay) return
    if (webhook.status !== "ACTIVE") return yield* invalidField("status", Problem.of("ENDPOINT_DISABLED"))
    if (since > until) return yield* invalidField("until", Problem.of("NOT_BEFORE", { other: "since" }))
    if (webhook.replay !== undefined && (yield* jobs.holds(webhook.replay))) return yield* new ReplayRuns()
    const now = yield* Clock.currentTimeMillis
    const leaveOut = onlyMissing ? "DELIVERED" : null
    const randomKey = onlyMissing ? null : Identifier.randomText(10)
    const beforeEvent = Identifier.first("evt", until + 1)
    const job = replayJob(
      caller.environment,
      { webhookId: webhook.id, since, before: beforeEvent, leaveOut, again: randomKey },
      replay,
      now
    )
    const resent = { since: toIso(since), until: toIso(until), onlyMissing }
    const entry = auditEntry(caller, { ...auditActionOf("webhook.replayed", webhook), to: resent }, now)
    yield* commit(WebhookStore.change({ ...webhook, replay }, { jobs: [job], audited: [entry] }))
  })

  const replayable = Effect.fnUntraced(function* (
    stored: Webhook,
    { onlyMissing, since, until }: ReplayRange
  ): Effect.fn.Return<ReplayCount, StoreError> {
    // A disabled endpoint has to be enabled first.
    const webhook = enabled(stored)
    const { environment } = webhook
    // A replay of missing events also sends those that wait for a retry, regardless of the range.
    const counted = new Set(onlyMissing ? (yield* undelivered(webhook)).pending : [])
    let after = Identifier.first("evt", until + 1)
    for (let page = 0; page < countedPages; page++) {
      const eventPage = yield* events.list({ environment, type: null, after, limit: countedPage })
      const matchingIds = eventPage.flatMap((event) =>
        event.createdAt >= since && wants(webhook, event.type) ? [event.id] : []
      )
      const delivered = onlyMissing
        ? yield* store.attempted(environment, webhook.id, matchingIds, "DELIVERED")
        : new Set<string>()
      for (const event of matchingIds) if (!delivered.has(event)) counted.add(event)
      const last = eventPage.at(-1)
      if (last === undefined || eventPage.length < countedPage || last.createdAt < since)
        return { events: counted.size, more: false }
      after = last.id
    }
    return { events: counted.size, more: true }
  })

  return { replay, replayable }
}
