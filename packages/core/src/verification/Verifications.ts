import { Clock, Context, Effect, Layer } from "effect"
import { Channels } from "../delivery/Channel.ts"
import type { ChannelName } from "../delivery/ChannelName.ts"
import * as SandboxChannel from "../delivery/SandboxChannel.ts"
import { Senders } from "../delivery/Senders.ts"
import * as Identifier from "../identity/Identifier.ts"
import { InvalidField } from "../identity/InvalidField.ts"
import type { Caller } from "../merchant/Caller.ts"
import { Keyring } from "../secret/Keyring.ts"
import * as SecretHash from "../secret/SecretHash.ts"
import { Tokens } from "../secret/Tokens.ts"
import { Conflict } from "../storage/Conflict.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { type AttemptOutcome, attempt } from "./attempt.ts"
import { codeOf } from "./codeOf.ts"
import { Committer } from "./Committer.ts"
import { canFallBack } from "./fallback.ts"
import {
  check,
  checkDeviceInfo,
  type CheckedRequest,
  type InitiateRequest,
  type RequestRejected
} from "./InitiateRequest.ts"
import { type InitiateOutcome, initiate } from "./initiate.ts"
import { liveOf } from "./Subject.ts"
import { Turns } from "./Turns.ts"
import { untilCommitted } from "./untilCommitted.ts"
import type { Verification } from "./Verification.ts"
import {
  AttemptsExhausted,
  type Contended,
  ProviderUnavailable,
  RateLimited,
  TemplateUnusable,
  UnknownVerification,
  VerificationExpired
} from "./VerificationError.ts"
import { VerificationStore } from "./VerificationStore.ts"

/** How a caller names a verification: its id, or its own reference. */
export interface Reference {
  readonly requestId?: string | null | undefined
  readonly orderId?: string | null | undefined
}

export interface VerifyRequest extends Reference {
  /** The code as the person typed it. */
  readonly otp: string
  readonly deviceToken?: string | null | undefined
  readonly deviceInfo?: { readonly [name: string]: unknown } | null | undefined
}

export interface ConfirmRequest {
  readonly requestId?: string | null | undefined
  readonly idToken?: string | null | undefined
}

export interface Initiated {
  readonly verification: Verification
  readonly oneTapApplied: boolean
  readonly deviceToken: string | null
}

/** The answer to a code: right (with a signed proof, and whether it was right before), or wrong with what is left. */
export type Verified =
  | {
      readonly _tag: "Verified"
      readonly verification: Verification
      readonly already: boolean
      readonly idToken: string
    }
  | { readonly _tag: "WrongCode"; readonly verification: Verification; readonly left: number }

/**
 * Verifies people: sends a code, checks what they type, tells who was verified.
 *
 * Every method speaks for one `Caller`, and what belongs to another environment does not exist for it.
 */
export class Verifications extends Context.Service<
  Verifications,
  {
    /**
     * Sends a code, or sends a live one again. When it succeeds the verification is durable and its message is on its
     * way. `command` is the request's idempotency key: carried out twice, it sends once.
     */
    readonly initiate: (
      caller: Caller,
      request: InitiateRequest,
      command?: string | null
    ) => Effect.Effect<
      Initiated,
      RequestRejected | RateLimited | TemplateUnusable | ProviderUnavailable | Contended | StoreError
    >
    /** Checks a code. A wrong one is a value, counted for good before it is answered. */
    readonly verify: (
      caller: Caller,
      request: VerifyRequest
    ) => Effect.Effect<
      Verified,
      InvalidField | UnknownVerification | VerificationExpired | AttemptsExhausted | Contended | StoreError
    >
    /** The verification as it is. Changes nothing. */
    readonly status: (
      caller: Caller,
      reference: Reference
    ) => Effect.Effect<Verification, InvalidField | UnknownVerification | StoreError>
    /** The verification that an id or an idToken stands for. Changes nothing, and never checks a code. */
    readonly confirm: (
      caller: Caller,
      request: ConfirmRequest
    ) => Effect.Effect<Verification, InvalidField | UnknownVerification | StoreError>
  }
>()("@countersign/core/verification/Verifications") {
  static readonly layerNoDeps: Layer.Layer<
    Verifications,
    never,
    VerificationStore | Channels | Senders | Keyring | Tokens | Committer
  > = Layer.effect(
    Verifications,
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const channels = yield* Channels
      const senders = yield* Senders
      const keyring = yield* Keyring
      const tokens = yield* Tokens
      const { commit } = yield* Committer
      const turns = new Turns()

      const finderOf = (caller: Caller) => (caller.kind === "test" ? SandboxChannel.find : channels.find)

      const channelsOf = (caller: Caller) => {
        const find = finderOf(caller)
        return {
          enabled: (name: ChannelName) => find(name) !== undefined,
          senders: (name: ChannelName) => find(name)?.supports.senders
        }
      }

      const stateOf = (caller: Caller, name: ChannelName, now: number) => {
        const channel = finderOf(caller)(name)
        return channel === undefined ? null : senders.state(channel, now)
      }

      /** A send that cannot work now is refused now, unless another channel will take its place. */
      const checkProvider = (caller: Caller, verification: Verification, now: number) => {
        const { channel, fallback } = verification
        const state = stateOf(caller, channel, now)
        if (state === null || state._tag === "Working") return Effect.void
        const other =
          canFallBack(verification, now) && fallback !== null ? stateOf(caller, fallback.channel, now) : null
        if (other?._tag === "Working") return Effect.void
        return state._tag === "TemplateFault"
          ? Effect.fail(new TemplateUnusable({ channel, fault: state.fault }))
          : Effect.fail(
              new ProviderUnavailable({
                channel,
                retryAfterSeconds: Math.max(1, Math.ceil((state.until - now) / 1000))
              })
            )
      }

      const decideInitiate = Effect.fnUntraced(function* (
        caller: Caller,
        request: CheckedRequest,
        command: string | null
      ) {
        const subject = yield* store.subject(caller.environment, request.identity.canonical)
        const now = yield* Clock.currentTimeMillis
        const named = liveOf(subject, "SERVER", request.identity.spelling, request.mode, now)
        let live: Verification | null = null
        if (named !== undefined) {
          const loaded = yield* store.load(caller.environment, named.id)
          if (loaded !== null) {
            // Somebody changed the person between the two reads: what is live may be another one by now.
            if (loaded.subject.version !== subject.version) return yield* new Conflict({ key: subject.canonical })
            live = keyring.find(loaded.verification.keyId) === undefined ? null : loaded.verification
          }
        }
        const decision = initiate(
          subject,
          live,
          {
            ...request,
            path: "SERVER",
            keyId: keyring.current.id,
            command,
            fresh: {
              verificationId: Identifier.make("ver", now),
              deliveryId: Identifier.make("dlv", now),
              eventId: Identifier.make("evt", now)
            }
          },
          caller.settings,
          now
        )
        if (decision.change !== null) {
          if (decision.change.verification !== null) yield* checkProvider(caller, decision.change.verification, now)
          yield* commit(decision.change, now)
        }
        return yield* initiated(decision.outcome, now)
      })

      const initiated = (outcome: InitiateOutcome, now: number): Effect.Effect<Initiated, RateLimited> =>
        outcome._tag === "Limited"
          ? Effect.fail(
              new RateLimited({
                limit: outcome.limit,
                retryAfterSeconds: Math.max(1, Math.ceil((outcome.retryAt - now) / 1000)),
                requestId: outcome.requestId
              })
            )
          : Effect.succeed({ verification: outcome.verification, oneTapApplied: false, deviceToken: null })

      const idOf = Effect.fnUntraced(function* (caller: Caller, { orderId, requestId }: Reference) {
        if (requestId != null) {
          return Identifier.is("ver", requestId) ? requestId : yield* new UnknownVerification()
        }
        if (orderId == null) {
          return yield* new InvalidField({ field: "requestId", problem: "requestId or orderId is required" })
        }
        if (orderId === "" || orderId.length > 255 || orderId.includes("\0") || !orderId.isWellFormed()) {
          return yield* new UnknownVerification()
        }
        return (yield* store.findIdByOrder(caller.environment, orderId)) ?? (yield* new UnknownVerification())
      })

      const decideAttempt = Effect.fnUntraced(function* (caller: Caller, id: string, otp: string) {
        const loaded = yield* store.load(caller.environment, id)
        if (loaded === null) return yield* new UnknownVerification()
        const code = codeOf(keyring, caller.kind, loaded.verification)
        if (code === null && loaded.verification.status === "PENDING") {
          return yield* new VerificationExpired({ requestId: id, undeliverable: false })
        }
        const now = yield* Clock.currentTimeMillis
        const decision = attempt(
          loaded,
          { matches: () => code !== null && SecretHash.equals(otp, code), eventId: Identifier.make("evt", now) },
          caller.settings,
          now
        )
        if (decision.change !== null) yield* commit(decision.change, now)
        return decision.outcome
      })

      const attempted = Effect.fnUntraced(function* (caller: Caller, outcome: AttemptOutcome) {
        const { verification } = outcome
        switch (outcome._tag) {
          case "Expired":
            return yield* new VerificationExpired({
              requestId: verification.id,
              undeliverable: verification.undeliverable
            })
          case "Exhausted":
            return yield* new AttemptsExhausted({ requestId: verification.id })
          case "WrongCode":
            return outcome
          case "Verified":
            return { ...outcome, idToken: yield* idToken(caller, verification) }
        }
      })

      const idToken = (caller: Caller, verification: Verification) => {
        const { canonical, spelling, type } = verification.identity
        return tokens.sign("id", {
          audience: caller.credentialId,
          subject: verification.id,
          more: {
            auth_time: Math.floor((verification.verifiedAt ?? 0) / 1000),
            identity: spelling,
            identityType: type,
            ...(type === "MOBILE"
              ? { phone_number: `+${canonical}`, phone_number_verified: true }
              : { email: spelling, email_verified: true })
          }
        })
      }

      const find = Effect.fnUntraced(function* (caller: Caller, id: string) {
        return (yield* store.find(caller.environment, id)) ?? (yield* new UnknownVerification())
      })

      return Verifications.of({
        initiate: Effect.fnUntraced(function* (caller, request, command = null) {
          const checked = yield* Effect.fromResult(check(request, caller.settings, channelsOf(caller)))
          return yield* turns.run(
            `${caller.environment}/${checked.identity.canonical}`,
            untilCommitted(decideInitiate(caller, checked, command))
          )
        }),

        verify: Effect.fnUntraced(function* (caller, request) {
          if (request.requestId != null && request.orderId != null) {
            return yield* new InvalidField({ field: "orderId", problem: "send requestId or orderId, not both" })
          }
          if (request.otp.trim() === "" || request.otp.length > 64) {
            return yield* new InvalidField({ field: "otp", problem: "must be 1 to 64 characters" })
          }
          yield* Effect.fromResult(checkDeviceInfo(request.deviceInfo))
          const id = yield* idOf(caller, request)
          const otp = request.otp.replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "")
          const outcome = yield* turns.run(id, untilCommitted(decideAttempt(caller, id, otp)))
          return yield* attempted(caller, outcome)
        }),

        status: Effect.fnUntraced(function* (caller, reference) {
          return yield* find(caller, yield* idOf(caller, reference))
        }),

        confirm: Effect.fnUntraced(function* (caller, request) {
          if (request.requestId != null)
            return yield* find(caller, yield* idOf(caller, { requestId: request.requestId }))
          if (request.idToken == null) {
            return yield* new InvalidField({ field: "requestId", problem: "requestId or idToken is required" })
          }
          const invalid = new InvalidField({
            field: "idToken",
            problem: "is not a valid idToken of this client, or is older than 5 minutes"
          })
          // Any key of the environment may confirm it; in another environment the verification does not exist.
          const { sub } = yield* Effect.mapError(tokens.verify("id", request.idToken, null), () => invalid)
          return yield* Effect.catchTag(find(caller, sub), "UnknownVerification", () => Effect.fail(invalid))
        })
      })
    })
  )
}
