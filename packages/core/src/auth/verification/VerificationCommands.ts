import { Context, Effect, Layer, Result } from "effect"
import type { BalanceStore } from "../../account/billing/BalanceStore.ts"
import type { Currency } from "../../account/billing/Currency.ts"
import type { ChannelChoice } from "../../foundation/delivery/Channel.ts"
import { type Channels, makeChoice } from "../../foundation/delivery/Channels.ts"
import { NumberVerifiers } from "../../foundation/delivery/NumberVerifier.ts"
import type { Senders } from "../../message/sending/Senders.ts"
import { labelOf } from "./deviceLabel.ts"
import * as DeviceToken from "./deviceToken.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import type { Outbox } from "../../foundation/outbox/Outbox.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { Turns } from "../../foundation/storage/Turns.ts"
import { untilCommitted } from "../../foundation/storage/untilCommitted.ts"
import type { TemplateCatalogue } from "../../message/template/TemplateCatalogue.ts"
import type { Guard } from "./Guard.ts"
import { approve, type ApproveCommand, type ApproveOutcome } from "./approve.ts"
import { attempt } from "./attempt.ts"
import * as CompareCode from "./compareCode.ts"
import * as DecideAndCommit from "./decideAndCommit.ts"
import { exchange, type ExchangeOutcome } from "./exchange.ts"
import type { CheckedRequest } from "./InitiateRequest.ts"
import { login } from "./login.ts"
import * as StartVerification from "./startVerification.ts"
import type { Path, VerifiedVerification } from "./Verification.ts"
import type { VerificationStore } from "./VerificationStore.ts"

/** What a request sends with an authorisation code. */
export interface Exchanging {
  readonly codeVerifier: string | null
  /** The token of the device that the login returned to. The exchange makes it trusted, as a code does. */
  readonly deviceToken: string | null
  /** The idempotency key, when the caller sent one. */
  readonly idempotencyKey: string | null
}

/**
 * Runs the commands on verifications for every kind of caller. Each command loads, decides and commits, and decides
 * again after a conflicting commit.
 */
export class VerificationCommands extends Context.Service<
  VerificationCommands,
  {
    /** Returns the channels that a caller can send through. */
    readonly channels: (caller: Caller) => ChannelChoice
    /** Returns the number verifiers that a caller can use. */
    readonly verifiers: (caller: Caller) => ReadonlyArray<string>
    readonly initiate: (
      caller: Caller,
      request: CheckedRequest,
      context: StartVerification.InitiateContext
    ) => Effect.Effect<StartVerification.Initiated, StartVerification.InitiateRefused>
    /** Approves a verification that has no code. Null when no verification has this id. */
    readonly approve: (
      environment: string,
      id: string,
      command: Omit<ApproveCommand, "eventId">
    ) => Effect.Effect<ApproveOutcome | null, Contended | StoreError>
    /** Exchanges the authorisation code of an approved verification, once. */
    readonly exchange: (
      caller: Caller,
      id: string,
      given: Exchanging
    ) => Effect.Effect<ExchangeOutcome, Contended | StoreError>
    /** Checks a code against a verification of `path`, or of any path when it is null. */
    readonly attempt: (
      caller: Caller,
      id: string,
      path: Path | null,
      attempt: CompareCode.Attempt
    ) => Effect.Effect<CompareCode.Compared, CompareCode.AttemptRefused>
    /** Checks a code and signs in, once per verification. Null when the sign-in is refused. */
    readonly login: (
      caller: Caller,
      id: string,
      path: Path | null,
      attempt: CompareCode.Attempt
    ) => Effect.Effect<VerifiedVerification | null, CompareCode.AttemptRefused>
  }
>()("@countersign/core/verification/VerificationCommands") {
  static readonly layer: Layer.Layer<
    VerificationCommands,
    never,
    | Guard
    | VerificationStore
    | BalanceStore
    | Channels
    | Currency
    | NumberVerifiers
    | Senders
    | Keyring
    | Outbox
    | TemplateCatalogue
  > = Layer.effect(
    VerificationCommands,
    Effect.gen(function* () {
      const channelsOf = yield* makeChoice
      const keyring = yield* Keyring
      const verifiers = yield* NumberVerifiers
      const turns = new Turns()
      const start = yield* StartVerification.make
      const decideAndCommit = yield* DecideAndCommit.make(turns)
      const compare = yield* CompareCode.make(decideAndCommit)

      return VerificationCommands.of({
        channels: ({ kind }) => channelsOf(kind),
        verifiers: ({ kind }) => verifiers.namesFor(kind),
        initiate: (caller, request, context) =>
          turns.run(
            `${caller.environment}/${request.identity.canonical}`,
            untilCommitted(start(caller, channelsOf(caller.kind), request, context))
          ),
        approve: (environment, id, command) =>
          Effect.map(
            decideAndCommit(environment, id, (loaded, now) =>
              Result.succeed(approve(loaded, { ...command, eventId: Identifier.make("evt", now) }, now))
            ),
            (done) => done?.outcome ?? null
          ),
        exchange: ({ environment, settings }, id, { codeVerifier, idempotencyKey, deviceToken }) =>
          Effect.map(
            decideAndCommit(environment, id, (loaded, now) => {
              const isRead = deviceToken !== null && settings.oneTap
              const device = isRead ? DeviceToken.read(keyring, loaded.subject, deviceToken) : null
              const label = labelOf(loaded.verification.deviceInfo)
              const exchanging = { codeVerifier, idempotencyKey, device, label, keyId: keyring.current.id }
              return Result.succeed(exchange(loaded, exchanging, settings, now))
            }),
            (done): ExchangeOutcome => done?.outcome ?? { _tag: "Unknown" }
          ),
        attempt: (caller, id, path, given) => compare(attempt, caller, channelsOf(caller.kind), id, path, given),
        login: (caller, id, path, given) =>
          Effect.map(compare(login, caller, channelsOf(caller.kind), id, path, given), (outcome) =>
            outcome._tag === "LoggedIn" ? outcome.verification : null
          )
      })
    })
  )
}
