import { Effect, Schema } from "effect"
import {
  type AttributionAnswer,
  AttributionQuery,
  type ConversionAnswer,
  ConversionPayload,
  type LaunchAnswer,
  LaunchPayload
} from "./attribution/contract.ts"
import * as attributionHandlers from "./attribution/handlers.ts"
import type { Unwritten } from "./Handlers.ts"
import type { CallHandler } from "./InboxMethods.ts"

const query = Schema.toType(AttributionQuery)
const withdrawal = Schema.Struct({ launchId: Schema.String, launchToken: Schema.String })

/** Whom something is told for: limits are for each address, and all without one share one. */
export interface ToldOptions {
  readonly clientAddress?: string
  /** Told twice with one, it is recorded once. */
  readonly idempotencyKey?: string
}

/** Where people came from: `/v1/sdk/attribution`, `/v1/dashboard/attribution`. */
export interface AttributionMethods {
  /** Records that somebody opened your app or page, if they agreed to it. */
  readonly launch: (request: typeof LaunchPayload.Type, options?: ToldOptions) => Promise<typeof LaunchAnswer.Type>
  /** Records that somebody did what you hoped for. */
  readonly conversion: (
    request: typeof ConversionPayload.Type,
    options?: ToldOptions
  ) => Promise<typeof ConversionAnswer.Type>
  /** Erases a launch with all that it led to. */
  readonly withdraw: (launch: typeof withdrawal.Type) => Promise<void>
  /** Sums by origin and day. */
  readonly report: (asked?: typeof query.Type) => Promise<typeof AttributionAnswer.Type>
}

const rest = { payload: undefined, query: undefined, params: undefined, clientAddress: null, bearerToken: () => "" }

interface Told {
  readonly clientAddress: string | null
  readonly idempotencyKey: string | null
}

/** Both halves of an endpoint of the public key. */
const carriedOut =
  (idempotencyKey: string | null) =>
  <A, E>(admitted: ((idempotencyKey: string | null) => Effect.Effect<A, E>) | Unwritten<A>): Effect.Effect<A, E> =>
    typeof admitted === "function" ? admitted(idempotencyKey) : Effect.succeed(admitted.unwritten)

/** What each method runs. */
export const handlers = attributionHandlers.make

/** Attribution as methods that answer promises. */
export const makeAttributionMethods = (
  { conversion, launch, report, withdraw }: Effect.Success<typeof handlers>,
  call: CallHandler
): AttributionMethods => ({
  launch: (request, { clientAddress = null, idempotencyKey = null }: Partial<Told> = {}) =>
    call(LaunchPayload, request, (payload, caller) =>
      Effect.flatMap(launch({ ...rest, caller, clientAddress, payload }), carriedOut(idempotencyKey))
    ),
  conversion: (request, { clientAddress = null, idempotencyKey = null }: Partial<Told> = {}) =>
    call(ConversionPayload, request, (payload, caller) =>
      Effect.flatMap(conversion({ ...rest, caller, clientAddress, payload }), carriedOut(idempotencyKey))
    ),
  withdraw: (request) =>
    call(withdrawal, request, ({ launchId, launchToken }, caller) =>
      Effect.flatMap(
        withdraw({ ...rest, caller, params: { id: launchId }, bearerToken: () => launchToken }),
        carriedOut(null)
      )
    ),
  report: (given = {}) =>
    call(query, given, (query, caller) => report({ ...rest, idempotencyKey: null, caller, query }))
})
