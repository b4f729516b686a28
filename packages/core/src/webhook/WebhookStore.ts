import { Context, type Effect } from "effect"
import type { Event } from "../event/Event.ts"
import type { Lease, NewJob } from "../outbox/Job.ts"
import type { Conflict } from "../storage/Conflict.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant } from "../time/Instant.ts"
import type { Webhook } from "./Webhook.ts"
import type { AttemptStatus, WebhookAttempt } from "./WebhookAttempt.ts"

/** A try with what becomes of the job that made it. */
export interface AttemptRecord {
  readonly attempt: WebhookAttempt
  /** The job whose work this was: over, or to run again, having failed as often as the try's number says. Null for a try that no job made. */
  readonly job: { readonly lease: Lease; readonly runAt: Instant | null } | null
}

export interface AttemptPage {
  readonly environment: string
  readonly webhookId: string
  readonly status: AttemptStatus | null
  /** Continue after the attempt of this id. */
  readonly after: string | null
  readonly limit: number
}

/** Webhook endpoints, and the log of what was delivered to them. */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** All endpoints of an environment, by id, which is by age. */
    readonly list: (environment: string) => Effect.Effect<ReadonlyArray<Webhook>, StoreError>
    readonly get: (environment: string, id: string) => Effect.Effect<Webhook | null, StoreError>
    /**
     * Saves an endpoint, new at version 0 or known at the version it was read, together with events and work: all of it
     * or nothing. `Conflict` when somebody else saved it first, or another endpoint of the environment has the URL.
     */
    readonly save: (
      webhook: Webhook,
      events: ReadonlyArray<Event>,
      jobs: ReadonlyArray<NewJob>
    ) => Effect.Effect<void, Conflict | StoreError>
    /** Forgets an endpoint. Its log stays until it is too old. False when there is none. */
    readonly remove: (environment: string, id: string) => Effect.Effect<boolean, StoreError>
    /** Logs a try, and ends its job or lets it run again, if the lease still holds. */
    readonly record: (record: AttemptRecord) => Effect.Effect<void, StoreError>
    /** One endpoint's log, newest first. */
    readonly attempts: (page: AttemptPage) => Effect.Effect<ReadonlyArray<WebhookAttempt>, StoreError>
    readonly attempt: (environment: string, id: string) => Effect.Effect<WebhookAttempt | null, StoreError>
    /** Which of these events have been tried at this endpoint, with that status if one is given. */
    readonly attempted: (
      environment: string,
      webhookId: string,
      eventIds: ReadonlyArray<string>,
      status: AttemptStatus | null
    ) => Effect.Effect<ReadonlySet<string>, StoreError>
  }
>()("@countersign/core/webhook/WebhookStore") {}
