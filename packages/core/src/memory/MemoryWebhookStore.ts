import { Effect } from "effect"
import { Conflict } from "../foundation/storage/Conflict.ts"
import * as Webhook from "../account/webhook/Webhook.ts"
import type { WebhookAttempt } from "../account/webhook/WebhookAttempt.ts"
import { WebhookStore } from "../account/webhook/WebhookStore.ts"
import type { MemoryJobs } from "./MemoryJobStore.ts"
import { memoryKey } from "./MemoryKey.ts"
import type { MemoryOutbox } from "./MemoryOutbox.ts"

interface Row {
  readonly environment: string
  readonly id: string
  readonly url: string
  readonly version: number
  readonly state: string
}

/** Successful tries, then the latest ones, oldest first. */
const shownTries = (tries: ReadonlyArray<WebhookAttempt>) => {
  const delivered = tries.filter(({ status }) => status === "DELIVERED")
  const others = tries.filter(({ status }) => status !== "DELIVERED")
  const shown = [...delivered.toReversed(), ...others.toReversed()].slice(0, WebhookStore.mostTries)
  return shown.sort((a, b) => (a.id < b.id ? -1 : 1))
}

/** The endpoints of a memory storage, and their delivery log. */
export const makeWebhookStore = (
  outbox: MemoryOutbox,
  jobs: MemoryJobs,
  attempts: Map<string, WebhookAttempt>
): WebhookStore["Service"] => {
  const rows = new Map<string, Row>()

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
    commit: (change) =>
      Effect.suspend(() => {
        const { environment, id, url, version } = change.webhook
        const key = memoryKey(environment, id)
        const isUrlTaken = of(environment).some((row) => row.url === url && row.id !== id)
        if (isUrlTaken || (rows.get(key)?.version ?? 0) !== version) return Effect.fail(new Conflict({ key: id }))
        return outbox.write(change, () => {
          const row: Row = { environment, id, url, version: version + 1, state: Webhook.encode(change.webhook) }
          rows.set(key, row)
          return decode(row)
        })
      }),
    remove: (change) =>
      Effect.suspend(() => {
        const { environment, id, version } = change.webhook
        const key = memoryKey(environment, id)
        if (rows.get(key)?.version !== version) return Effect.fail(new Conflict({ key: id }))
        return outbox.write(change, () => {
          rows.delete(key)
        })
      }),
    record: (change) =>
      outbox.write(change, () => {
        const { again: retryJob, attempt } = change
        attempts.set(memoryKey(attempt.environment, attempt.id), attempt)
        if (retryJob !== null) jobs.again(retryJob.lease, retryJob.runAt, attempt.attempt)
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
    attemptsOf: (environment, webhookIds, eventIds) =>
      Effect.sync(() =>
        [...attempts.values()]
          .filter(
            (one) =>
              one.environment === environment && webhookIds.includes(one.webhookId) && eventIds.includes(one.eventId)
          )
          .sort((a, b) => (a.id < b.id ? -1 : 1))
          .slice(0, 1_000)
      ),
    triedEvents: ({ after, environment, limit, missed, webhookId }) =>
      Effect.sync(() => {
        const byEvent = new Map<string, Array<WebhookAttempt>>()
        for (const one of [...attempts.values()].sort((a, b) => (a.id < b.id ? -1 : 1))) {
          if (one.environment !== environment || one.webhookId !== webhookId) continue
          if (after !== null && one.eventId >= after) continue
          byEvent.set(one.eventId, [...(byEvent.get(one.eventId) ?? []), one])
        }
        return [...byEvent]
          .filter(([, tries]) => !missed || tries.some(({ status }) => status !== "DELIVERED"))
          .sort(([a], [b]) => (a < b ? 1 : -1))
          .slice(0, limit)
          .map(([, tries]) => shownTries(tries))
      }),
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
