import { Effect } from "effect"
import type { Event } from "../event/Event.ts"
import type { NewJob } from "../outbox/Job.ts"
import { Conflict } from "../storage/Conflict.ts"
import * as Webhook from "../webhook/Webhook.ts"
import type { WebhookAttempt } from "../webhook/WebhookAttempt.ts"
import type { WebhookStore } from "../webhook/WebhookStore.ts"
import type { MemoryJobs } from "./MemoryJobStore.ts"
import { memoryKey } from "./MemoryKey.ts"

interface Row {
  readonly environment: string
  readonly id: string
  readonly url: string
  readonly version: number
  readonly state: string
}

/** `append` records events and jobs where everybody else does. */
export const makeWebhookStore = (
  jobs: MemoryJobs,
  append: (events: ReadonlyArray<Event>, jobs: ReadonlyArray<NewJob>) => void
): WebhookStore["Service"] => {
  const rows = new Map<string, Row>()
  const attempts = new Map<string, WebhookAttempt>()

  const decode = ({ environment, id, state, url, version }: Row) => Webhook.decode(environment, id, url, version, state)
  const of = (environment: string) => [...rows.values()].filter((row) => row.environment === environment)

  return {
    list: (environment) =>
      Effect.sync(() =>
        of(environment)
          .map(decode)
          .sort((a, b) => (a.id < b.id ? -1 : 1))
      ),
    get: (environment, id) =>
      Effect.sync(() => {
        const row = rows.get(memoryKey(environment, id))
        return row === undefined ? null : decode(row)
      }),
    save: (webhook, events, work) =>
      Effect.suspend(() => {
        const { environment, id, url, version } = webhook
        const key = memoryKey(environment, id)
        const taken = of(environment).some((row) => row.url === url && row.id !== id)
        if (taken || (rows.get(key)?.version ?? 0) !== version) return Effect.fail(new Conflict({ key: id }))
        rows.set(key, { environment, id, url, version: version + 1, state: Webhook.encode(webhook) })
        append(events, work)
        return Effect.void
      }),
    remove: (environment, id) => Effect.sync(() => rows.delete(memoryKey(environment, id))),
    record: ({ attempt, job }) =>
      Effect.sync(() => {
        attempts.set(memoryKey(attempt.environment, attempt.id), attempt)
        if (job !== null) jobs.settle(job.lease, job.runAt, attempt.attempt)
      }),
    attempts: ({ after, environment, limit, status, webhookId }) =>
      Effect.sync(() =>
        [...attempts.values()]
          .filter(
            (one) =>
              one.environment === environment &&
              one.webhookId === webhookId &&
              (status === null || one.status === status) &&
              (after === null || one.id < after)
          )
          .sort((a, b) => (a.id < b.id ? 1 : -1))
          .slice(0, limit)
      ),
    attempt: (environment, id) => Effect.sync(() => attempts.get(memoryKey(environment, id)) ?? null),
    attempted: (environment, webhookId, eventIds, status) =>
      Effect.sync(
        () =>
          new Set(
            [...attempts.values()]
              .filter(
                (one) =>
                  one.environment === environment &&
                  one.webhookId === webhookId &&
                  (status === null || one.status === status)
              )
              .map(({ eventId }) => eventId)
              .filter((id) => eventIds.includes(id))
          )
      )
  }
}
