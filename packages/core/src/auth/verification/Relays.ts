import { Context, Effect, Layer } from "effect"
import type { Caller } from "../../account/merchant/Caller.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { Limits } from "../../foundation/limit/Limits.ts"
import type { RateLimited } from "../../foundation/limit/RateLimited.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { RequestRejected } from "./InitiateRequest.ts"
import { checkRelay, type RelayRequest } from "./RelayRequest.ts"
import { marksOf } from "./relayedCode.ts"
import type { InitiateRefused } from "./startVerification.ts"
import type { RelayedVerification, Verification } from "./Verification.ts"
import { VerificationCommands } from "./VerificationCommands.ts"
import { deliveryStatusOf, type VerificationDelivery } from "./VerificationDelivery.ts"
import { UnknownVerification } from "./VerificationError.ts"
import { VerificationStore } from "./VerificationStore.ts"
import { withinAddress } from "./withinAddress.ts"

/** The delivery of a relayed code. It never holds the code. */
export interface Relayed {
  readonly id: string
  /** The status of the message that came furthest. */
  readonly deliveryStatus: ReturnType<typeof deliveryStatusOf>
  readonly deliveries: ReadonlyArray<VerificationDelivery>
  readonly identity: RelayedVerification["identity"]
  readonly purpose: string | null
  /** The hook that brought it. Null for the API. */
  readonly origin: string | null
  readonly createdAt: Instant
  /** No message is sent from then on. */
  readonly expiresAt: Instant
  /** True when an earlier request with the same key started it: nothing new is sent. */
  readonly repeated: boolean
}

/** Why no code is relayed. */
export type RelayRefused = RequestRejected | InitiateRefused

const relayedOf = (verification: RelayedVerification, repeated: boolean): Relayed => {
  const { createdAt, deliveries, expiresAt, id, identity, origin, purpose } = verification
  const deliveryStatus = deliveryStatusOf(deliveries)
  return { id, deliveryStatus, deliveries, identity, purpose, origin, createdAt, expiresAt, repeated }
}

const ifRelayed = (verification: Verification | null): RelayedVerification | null =>
  verification?.kind === "Relayed" ? verification : null

/**
 * Delivers codes that another system made and checks, such as the sign-in of Supabase or Zitadel.
 *
 * A relayed code has the same channels, carriers, fallback, receipts, prices, limits and protection as a code of this
 * service. It differs in three ways. It is stored, sealed, until no message can need it. It is never sent twice when a
 * provider did not answer. And it cannot be verified here: to every other service, its id is unknown.
 *
 * @example
 * ```ts
 * import { type Caller, Relays } from "@countersign/core"
 * import { Effect } from "effect"
 *
 * const send = Effect.fn(function* (caller: Caller, phone: string, code: string, request: string) {
 *   const relays = yield* Relays
 *   const { id } = yield* relays.relay(caller, { identity: phone, code, idempotencyKey: request })
 *   return yield* relays.get(caller, id) // { deliveryStatus: "SENT", … }
 * })
 * ```
 */
export class Relays extends Context.Service<
  Relays,
  {
    /**
     * Accepts a code and sends it in the background. Durable when this returns: a process that dies sends it later, or
     * leaves it to its receipt if a provider may have it.
     *
     * With an `idempotencyKey`, requests for one identity send once within an hour, even at the same time, in several
     * processes, and after a crash. A repeat gets the current state, even if its code differs.
     */
    readonly relay: (caller: Caller, request: RelayRequest) => Effect.Effect<Relayed, RelayRefused>
    /** Returns the delivery as it is. Fails for the id of a verification. */
    readonly get: (
      caller: Pick<Caller, "environment">,
      id: string
    ) => Effect.Effect<Relayed, UnknownVerification | StoreError>
  }
>()("@countersign/core/verification/Relays") {
  static readonly layerNoDeps: Layer.Layer<Relays, never, Keyring | Limits | VerificationCommands | VerificationStore> =
    Layer.effect(
      Relays,
      Effect.gen(function* () {
        const commands = yield* VerificationCommands
        const keyring = yield* Keyring
        const limits = yield* Limits
        const store = yield* VerificationStore

        return Relays.of({
          relay: Effect.fnUntraced(function* (caller, request) {
            const marks = marksOf(keyring, caller.environment, request.idempotencyKey)
            const channels = commands.channels(caller)
            const checked = yield* Effect.fromResult(
              checkRelay(request, caller, channels, commands.verifiers(caller), marks)
            )
            const start = (refusal?: RateLimited) =>
              commands.initiate(caller, checked, {
                path: "SERVER",
                idempotencyKey: null,
                deviceToken: null,
                requestId: null,
                template: null,
                ...(refusal === undefined ? {} : { refusal })
              })
            const { repeated, verification } = yield* request.clientIp == null
              ? start()
              : withinAddress(limits, caller, request.clientIp, start, marks.length > 0)
            return relayedOf(ifRelayed(verification) ?? (yield* new UnknownVerification()), repeated)
          }),

          get: Effect.fnUntraced(function* ({ environment }, id) {
            const verification = Identifier.is("ver", id) ? ifRelayed(yield* store.find(environment, id)) : null
            return relayedOf(verification ?? (yield* new UnknownVerification()), true)
          })
        })
      })
    )
}
