import { Context, type Effect } from "effect"
import type { Change } from "../outbox/Change.ts"
import type { Conflict } from "../storage/Conflict.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { Instant } from "../time/Instant.ts"

/** Whom a provider means with a name of its own. It is said once, and stays. */
export interface KnownSubject {
  readonly issuer: string
  readonly subject: string
  /** The one form of all spellings of their address, as it was when they came first. */
  readonly canonical: string
  readonly knownSince: Instant
}

export type SubjectChange = Change<{ readonly subject: KnownSubject }>

/** How providers of OpenID Connect know the people who sign in. */
export class SubjectStore extends Context.Service<
  SubjectStore,
  {
    readonly get: (issuer: string, subject: string) => Effect.Effect<KnownSubject | null, StoreError>
    /** Of many commits of one name one succeeds, and the others answer `Conflict`. */
    readonly commit: (change: SubjectChange) => Effect.Effect<KnownSubject, Conflict | StoreError>
  }
>()("@countersign/core/person/SubjectStore") {}
