import { Context, type Effect } from "effect"
import { leavesNothing, type Outgoing, type Unbooked } from "../../foundation/outbox/Change.ts"
import type { Lease } from "../../foundation/outbox/Job.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Webhook } from "./Webhook.ts"
import type { AttemptStatus, WebhookAttempt } from "./WebhookAttempt.ts"

/** Webhook endpoints, and the log of what was delivered to them. */
export class WebhookStore extends Context.Service<
  WebhookStore,
  {
    /** All endpoints of an environment, by id, which is by age. */
    readonly list: (environment: string) => Effect.Effect<ReadonlyArray<Webhook>, StoreError>
    readonly get: (environment: string, id: string) => Effect.Effect<Webhook | null, StoreError>
    /**
     * Saves an endpoint, new at version 0 or known at the version it was read, with all that the change leaves, or
     * nothing. `Conflict` when somebody else saved it first, or another endpoint of the environment has the URL.
     * Answers the endpoint as it is stored now.
     */
    readonly commit: (change: WebhookStore.Change) => Effect.Effect<Webhook, Conflict | StoreError>
    /**
     * Forgets an endpoint, with all that the change leaves. Its log stays until it is too old. `Conflict` when it has
     * another version.
     */
    readonly remove: (change: WebhookStore.Change) => Effect.Effect<void, Conflict | StoreError>
    /** Logs a try with all that the change leaves, and lets its job run again if the lease still holds. */
    readonly record: (change: WebhookStore.AttemptChange) => Effect.Effect<void, StoreError>
    /** One endpoint's log, newest first. */
    readonly attempts: (page: WebhookStore.AttemptPage) => Effect.Effect<ReadonlyArray<WebhookAttempt>, StoreError>
    readonly attempt: (environment: string, id: string) => Effect.Effect<WebhookAttempt | null, StoreError>
    /** The tries to tell any of these endpoints of any of these events, the oldest first: the first thousand. */
    readonly attemptsOf: (
      environment: string,
      webhookIds: ReadonlyArray<string>,
      eventIds: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyArray<WebhookAttempt>, StoreError>
    /** Which of these events have been tried at this endpoint, with that status if one is given. */
    readonly attempted: (
      environment: string,
      webhookId: string,
      eventIds: ReadonlyArray<string>,
      status: AttemptStatus | null
    ) => Effect.Effect<ReadonlySet<string>, StoreError>
  }
>()("@countersign/core/webhook/WebhookStore") {
  /** An endpoint's next state, with whatever else goes with it. */
  static readonly change = (webhook: Webhook, more: Partial<Outgoing> = {}): WebhookStore.Change => ({
    webhook,
    ...leavesNothing,
    ...more
  })

  /** A try for the log, with what becomes of the job that made it: over, or to run again; null when no job made it. */
  static readonly attemptChange = (
    attempt: WebhookAttempt,
    job: { readonly lease: Lease; readonly runAt: Instant | null } | null
  ): WebhookStore.AttemptChange => ({
    attempt,
    ...leavesNothing,
    done: job?.runAt === null ? job.lease : null,
    again: job === null || job.runAt === null ? null : { lease: job.lease, runAt: job.runAt }
  })
}

export declare namespace WebhookStore {
  /** An endpoint's next state, carrying the version that was loaded; 0 for a new one. */
  export type Change = Outgoing & { readonly webhook: Webhook }

  /** A try to write into the log. `done` is the job that made it, when that is over. */
  export type AttemptChange = Unbooked & {
    readonly attempt: WebhookAttempt
    /** The job that made it, when it is to run again, having failed as often as the try's number says. */
    readonly again: { readonly lease: Lease; readonly runAt: Instant } | null
  }

  export interface AttemptPage {
    readonly environment: string
    readonly webhookId: string
    readonly status: AttemptStatus | null
    /** Continue after the attempt of this id. */
    readonly after: string | null
    readonly limit: number
  }
}
