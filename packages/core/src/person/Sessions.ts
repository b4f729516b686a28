import { Context, type Effect } from "effect"
import type { Caller } from "../merchant/Caller.ts"
import type { EnvironmentKind } from "../merchant/Merchant.ts"
import type { InvalidCredentials, MerchantSuspended } from "../merchant/MerchantError.ts"
import type { StoreError } from "../storage/StoreError.ts"

/** Who is signed in: sessions of the people who work for merchants. */
export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * Whom a session speaks for, by the token in its cookie: an agent, in one of their merchant's environments; in the
     * live one where `kind` is null. A session that has ended, and one that never was, are the same.
     */
    readonly callerOf: (
      token: string,
      kind: EnvironmentKind | null
    ) => Effect.Effect<Caller, InvalidCredentials | MerchantSuspended | StoreError>
  }
>()("@countersign/core/person/Sessions") {}
