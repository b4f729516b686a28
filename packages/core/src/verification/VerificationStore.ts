import { Context, type Effect } from "effect"
import type { Conflict } from "../storage/Conflict.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Change } from "./Change.ts"
import type { Subject } from "./Subject.ts"
import type { Verification } from "./Verification.ts"

/** A verification with its person, both as they were at one instant. */
export interface Loaded {
  readonly verification: Verification
  readonly subject: Subject
}

/**
 * Subjects and verifications. It loads and commits; it never decides.
 *
 * Every lookup names the environment: what belongs to another one does not exist here.
 */
export class VerificationStore extends Context.Service<
  VerificationStore,
  {
    /** A person's state; the empty one at version 0 when nobody saw them before. */
    readonly subject: (environment: string, canonical: string) => Effect.Effect<Subject, StoreError>
    /** What a command on a known verification needs to decide. */
    readonly load: (environment: string, id: string) => Effect.Effect<Loaded | null, StoreError>
    /** The verification alone, to look at. */
    readonly find: (environment: string, id: string) => Effect.Effect<Verification | null, StoreError>
    /** The verification that the latest initiate with this merchant reference led to. */
    readonly findIdByOrder: (environment: string, orderId: string) => Effect.Effect<string | null, StoreError>
    /**
     * All of the change or nothing, durable when it returns. Of 200 commits decided on one version of a subject, one
     * succeeds and 199 answer `Conflict` and leave nothing behind.
     */
    readonly commit: (change: Change) => Effect.Effect<void, Conflict | StoreError>
  }
>()("@countersign/core/verification/VerificationStore") {}
