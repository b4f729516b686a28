import { Context, type Effect, type Redacted } from "effect"
import type { Account } from "../delivery/Account.ts"
import type { InvalidField } from "../identity/InvalidField.ts"
import type { Caller } from "../merchant/Caller.ts"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import type { ConnectedNumber } from "./ConnectedNumber.ts"
import type { ConnectFailed, UnknownNumber } from "./NumberError.ts"

/** What a merchant gives to connect a number of theirs. */
export interface NumberFields {
  /** The provider's id of the number. */
  readonly phoneNumberId: string
  /** The provider's id of the account that it belongs to. */
  readonly wabaId: string
  readonly accessToken: Redacted.Redacted
}

/** A connected number as it is shown: without its token. */
export type NumberView = Omit<ConnectedNumber, "sealed" | "version">

/**
 * The WhatsApp numbers that merchants connected: messages go out from them, and what people write to them is theirs.
 *
 * @example
 * ```ts
 * import { type Caller, Numbers } from "@countersign/core"
 * import { Effect, Redacted } from "effect"
 *
 * const connect = Effect.fn(function* (caller: Caller, accessToken: string) {
 *   const numbers = yield* Numbers
 *   const { displayNumber } = yield* numbers.connect(caller, {
 *     phoneNumberId: "106540352242922",
 *     wabaId: "102290129340398",
 *     accessToken: Redacted.make(accessToken)
 *   })
 *   return displayNumber
 * })
 * ```
 */
export class Numbers extends Context.Service<
  Numbers,
  {
    /**
     * Connects a number to a live environment, after the provider said that it can be used. Connected again by the same
     * environment, its token and what the provider says of it are replaced.
     */
    readonly connect: (
      caller: Caller,
      fields: NumberFields
    ) => Effect.Effect<NumberView, InvalidField | ConnectFailed | Contended | StoreError>
    /** The numbers of an environment, the one connected first at the head. */
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<NumberView>, StoreError>
    /** Forgets a number, its token too. What is written to it afterwards is nobody's. */
    readonly disconnect: (caller: Caller, id: string) => Effect.Effect<void, UnknownNumber | StoreError>
    /** What messages of an environment go out with from one of its numbers; null when it has none of that id. */
    readonly accountOf: (environment: string, id: string) => Effect.Effect<Account | null, StoreError>
    /** The environment that what is written to a number belongs to; null when it is nobody's. */
    readonly environmentOf: (receiver: string) => Effect.Effect<string | null, StoreError>
  }
>()("@countersign/core/number/Numbers") {}
