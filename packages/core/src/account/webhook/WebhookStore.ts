import { Context, type Effect } from "effect"
import { noRecords, type Outgoing, type Unbooked } from "../../foundation/outbox/Change.ts"
import type { Lease } from "../../foundation/outbox/Job.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Webhook } from "./Webhook.ts"
import type { AttemptStatus, WebhookAttempt } from "./WebhookAttempt.ts"

/** Webhook endpoints and their delivery log. */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** All endpoints of an environment, by id, and so by age. */
    readonly list: (environment: string) => Effect.Effect<ReadonlyArray<Webhook>, StoreError>
    readonly get: (environment: string, id: string) => Effect.Effect<Webhook | null, StoreError>
    /**
     * Saves a new endpoint (version 0) or a known one (the version it was read at), with all its changes, or nothing.
     * Fails with `Conflict` when another writer saved it first, or when another endpoint of the environment has the
     * URL. Returns the endpoint as stored.
     */
    readonly commit: (change: WebhookStore.Change) => Effect.Effect<Webhook, Conflict | StoreError>
    /**
     * Deletes an endpoint, with all its changes. Its log stays until it expires. Fails with `Conflict` at another
     * version.
     */
    readonly remove: (change: WebhookStore.Change) => Effect.Effect<void, Conflict | StoreError>
    /** Logs a try with all its changes, and releases its job if the lease still holds. */
    readonly record: (change: WebhookStore.AttemptChange) => Effect.Effect<void, StoreError>
    /** One endpoint's log, newest first. */
    readonly attempts: (page: WebhookStore.AttemptPage) => Effect.Effect<ReadonlyArray<WebhookAttempt>, StoreError>
    readonly attempt: (environment: string, id: string) => Effect.Effect<WebhookAttempt | null, StoreError>
    /** The tries to deliver any of these events to any of these endpoints, oldest first. Returns at most a thousand. */
    readonly attemptsOf: (
      environment: string,
      webhookIds: ReadonlyArray<string>,
      eventIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<WebhookAttempt>, StoreError>
    /**
     * Events that were tried at one endpoint, the newest event first, each with its tries, oldest first. Returns at most
     * twenty tries of an event: successful ones, then the latest.
     */
    readonly triedEvents: (
      page: WebhookStore.EventPage
    ) => Effect.Effect<ReadonlyArray<ReadonlyArray<WebhookAttempt>>, StoreError>
    /** Which of these events were tried at this endpoint, filtered by status if given. */
    readonly attempted: (
      environment: string,
      webhookId: string,
      eventIds: ReadonlyArray<string>,
      status: AttemptStatus | null
    ) => Effect.Effect<ReadonlySet<string>, StoreError>
  }
>()("@countersign/core/webhook/WebhookStore") {
  /** The most tries that `triedEvents` returns of one event. */
  static readonly mostTries = 20

  /** An endpoint's next state, with all its changes. */
  static readonly change = (webhook: Webhook, more: Partial<Outgoing> = {}): WebhookStore.Change => ({
    webhook,
    ...noRecords,
    ...more
  })

  /** A try for the log, with the outcome of its job: done or to run again. The job is null for a manual try. */
  static readonly attemptChange = (
    attempt: WebhookAttempt,
    job: { readonly lease: Lease; readonly runAt: Instant | null } | null
  ): WebhookStore.AttemptChange => ({
    attempt,
    ...noRecords,
    done: job?.runAt === null ? job.lease : null,
    again: job === null || job.runAt === null ? null : { lease: job.lease, runAt: job.runAt }
  })
}

export declare namespace WebhookStore {
  /** An endpoint's next state, carrying the version that was loaded; 0 for a new endpoint. */
  export type Change = Outgoing & { readonly webhook: Webhook }

  /** A try for the log. `done` is the job that made it, when that job is finished. */
  export type AttemptChange = Unbooked & {
    readonly attempt: WebhookAttempt
    /** The job that made this try, when it runs again. Its failure count is the try's number. */
    readonly again: { readonly lease: Lease; readonly runAt: Instant } | null
  }

  export interface AttemptPage {
    readonly environment: string
    readonly webhookId: string
    readonly status: AttemptStatus | null
    /** Continue after the attempt with this id. */
    readonly after: string | null
    readonly limit: number
  }

  export interface EventPage {
    readonly environment: string
    readonly webhookId: string
    /** Only events with a try that did not get through. */
    readonly missed: boolean
    /** Continue after the event with this id. */
    readonly after: string | null
    readonly limit: number
  }
}
