import { Clock, Context, Effect, Layer, Result } from "effect"
import { BalanceStore } from "../billing/BalanceStore.ts"
import { Currency } from "../billing/Currency.ts"
import { type PaymentRequired, paymentRequired } from "../billing/PaymentRequired.ts"
import { loadTill } from "../billing/Till.ts"
import * as Device from "../device/Device.ts"
import { labelOf } from "../device/deviceLabel.ts"
import * as DeviceToken from "../device/deviceToken.ts"
import { Channels, isAccount } from "../delivery/Channel.ts"
import type { ChannelName } from "../delivery/ChannelName.ts"
import type { VerificationDelivery } from "./VerificationDelivery.ts"
import { Provers } from "../delivery/Prover.ts"
import * as SandboxChannel from "../delivery/SandboxChannel.ts"
import { Senders } from "../delivery/Senders.ts"
import { InvalidField } from "../identity/InvalidField.ts"
import * as Identifier from "../identity/Identifier.ts"
import { RateLimited } from "../limit/RateLimited.ts"
import type { Caller } from "../merchant/Caller.ts"
import type { Settings } from "../merchant/Settings.ts"
import { Outbox } from "../outbox/Outbox.ts"
import * as RequestKey from "../outbox/RequestKey.ts"
import { Keyring } from "../secret/Keyring.ts"
import * as SecretHash from "../secret/SecretHash.ts"
import { Conflict } from "../storage/Conflict.ts"
import type { Contended } from "../storage/Contended.ts"
import type { StoreError } from "../storage/StoreError.ts"
import { Turns } from "../storage/Turns.ts"
import { untilCommitted } from "../storage/untilCommitted.ts"
import { seconds } from "../time/Instant.ts"
import { TemplateCatalogue } from "../template/TemplateCatalogue.ts"
import { type AttemptOutcome, attempt } from "./attempt.ts"
import { checkProvider, checkWords } from "./checkSend.ts"
import { codeOf } from "./codeOf.ts"
import type { ChannelChoice, CheckedRequest } from "./InitiateRequest.ts"
import { logFailures } from "./logFailures.ts"
import { type ApproveCommand, type ApproveOutcome, approve } from "./approve.ts"
import type { Decision } from "./Decision.ts"
import { exchange, type ExchangeOutcome } from "./exchange.ts"
import { kindOf } from "./kindOf.ts"
import { checkRepeat } from "./checkRepeat.ts"
import { login, type LoginCommand, type LoginOutcome } from "./login.ts"
import { loginKeyOf } from "./loginKey.ts"
import { type AnswerToken, type InitiateOutcome, initiate } from "./initiate.ts"
import { chooseTexts, needsOwnText, senderOf } from "./texts.ts"
import { settingsOf, triedEntry } from "./trial.ts"
import { liveOf, startedBy, type Subject } from "./Subject.ts"
import { forLogin } from "./keptLimits.ts"
import { isLive, type Path, type Verification } from "./Verification.ts"
import {
  AttemptsExhausted,
  type ProviderUnavailable,
  type TemplateUnusable,
  UnknownVerification,
  VerificationExpired
} from "./VerificationError.ts"
import { type Loaded, VerificationStore } from "./VerificationStore.ts"

/** A repeat looks through so many verifications of a person at a time. */
const lookedThroughAtOnce = 100

/** What goes with a checked request. */
export interface InitiateContext {
  readonly path: Path
  /** The idempotency key, when the caller gave one. */
  readonly command: string | null
  readonly deviceToken: string | null
  /** The verification to send again while it is live: an app calls it `sessionId`. */
  readonly requestId: string | null
  /** A template that was asked for by name. */
  readonly template: string | null
}

export interface Initiated {
  readonly verification: Verification
  /** Whether anything new was committed: a repeat of a request that was carried out before changes nothing. */
  readonly repeated: boolean
  readonly oneTapApplied: boolean
  readonly deviceToken: string | null
}

export interface Attempt {
  /** The code as the person typed it, without the spaces around it; null where OneTap may have verified them. */
  readonly otp: string | null
  readonly deviceToken: string | null
  /** As JSON text. */
  readonly deviceInfo: string | null
  /** At the dashboard: what was not started there does not exist. */
  readonly isTrial?: boolean
}

/** What comes with an authorisation code. */
export interface Exchanging {
  readonly codeVerifier: string | null
  /** Of the device that the login came back to: the exchange makes it trusted, as a code does. */
  readonly deviceToken: string | null
  /** The idempotency key, when the caller gave one. */
  readonly command: string | null
}

/** Why a request that is well formed starts nothing. */
export type InitiateRefused =
  | InvalidField
  | RateLimited
  | TemplateUnusable
  | PaymentRequired
  | ProviderUnavailable
  | UnknownVerification
  | Contended
  | StoreError

/** Why a code is not compared. */
export type AttemptRefused =
  | InvalidField
  | UnknownVerification
  | VerificationExpired
  | AttemptsExhausted
  | Contended
  | StoreError

/** A code that was compared: right, now or before, or wrong. */
export type Compared = Extract<AttemptOutcome, { readonly _tag: "Verified" | "WrongCode" }>

/**
 * Carries out the commands on verifications, whoever gives them: loads, decides, commits, and decides anew when
 * somebody else committed first.
 */
export class VerificationCommands extends Context.Service<
  VerificationCommands,
  {
    /** The channels that a caller's messages can take. */
    readonly channels: (caller: Caller) => ChannelChoice
    /** Whether a provider can prove whose number it is. In test environments one always can. */
    readonly proves: (caller: Caller) => boolean
    readonly initiate: (
      caller: Caller,
      request: CheckedRequest,
      context: InitiateContext
    ) => Effect.Effect<Initiated, InitiateRefused>
    /** Approves a verification that has no code. Null when there is none of that id. */
    readonly approve: (
      environment: string,
      id: string,
      command: Omit<ApproveCommand, "eventId">
    ) => Effect.Effect<ApproveOutcome | null, Contended | StoreError>
    /** Takes the authorisation code of an approved verification, once. */
    readonly exchange: (
      caller: Caller,
      id: string,
      given: Exchanging
    ) => Effect.Effect<ExchangeOutcome, Contended | StoreError>
    /** Compares a code, on a verification of `path` or, when it is null, of any. */
    readonly attempt: (
      caller: Caller,
      id: string,
      path: Path | null,
      attempt: Attempt
    ) => Effect.Effect<Compared, AttemptRefused>
    /** Compares a code and signs in, once for each verification; null where that is refused. */
    readonly login: (
      caller: Caller,
      id: string,
      path: Path | null,
      attempt: Attempt
    ) => Effect.Effect<Verification | null, AttemptRefused>
  }
>()("@countersign/core/verification/VerificationCommands") {
  static readonly layer: Layer.Layer<
    VerificationCommands,
    never,
    VerificationStore | BalanceStore | Channels | Currency | Provers | Senders | Keyring | Outbox | TemplateCatalogue
  > = Layer.effect(
    VerificationCommands,
    Effect.gen(function* () {
      const store = yield* VerificationStore
      const balances = yield* BalanceStore
      const { code: currency } = yield* Currency
      const outbox = yield* Outbox
      const channels = yield* Channels
      const sandbox = yield* SandboxChannel.Sandbox
      const provers = yield* Provers
      const senders = yield* Senders
      const keyring = yield* Keyring
      const templates = yield* TemplateCatalogue
      const commit = yield* Outbox.door(VerificationStore)
      const turns = new Turns()

      const finderOf = (caller: Caller): ChannelChoice => (caller.kind === "test" ? sandbox.find : channels.find)

      /** The verification of that id, if this request may send it again. */
      const sentBefore = Effect.fnUntraced(function* (subject: Subject, path: Path, id: string) {
        const { canonical, environment } = subject
        const loaded: Loaded | null = yield* store.load(environment, id)
        if (loaded === null || loaded.verification.path !== path || loaded.subject.canonical !== canonical) return null
        // Somebody changed the person between the two reads: what is live may be another one by now.
        if (loaded.subject.version !== subject.version) return yield* new Conflict({ key: canonical })
        return loaded.verification
      })

      /** The verification that this request would send again, if its code can still be made. */
      const liveFor = Effect.fnUntraced(function* (
        subject: Subject,
        request: CheckedRequest,
        { command, path, requestId }: InitiateContext,
        now: number
      ) {
        const canBeMade = ({ keyId }: Verification) => keyring.find(keyId) !== undefined
        if (requestId !== null) {
          const named = (yield* sentBefore(subject, path, requestId)) ?? (yield* new UnknownVerification())
          yield* Effect.fromResult(checkRepeat(request, named))
          // Where it is over this very command may have started another one already.
          if (isLive(named, now) && canBeMade(named)) return named
        }
        const { identity, mode } = request
        const own =
          path === "SERVER"
            ? liveOf(subject, { spelling: identity.spelling, mode, login: loginKeyOf(request), command }, now)
            : command === null
              ? undefined
              : startedBy(subject, command, now)
        const live = own === undefined ? null : yield* sentBefore(subject, path, own.id)
        return live !== null && canBeMade(live) ? live : null
      })

      /**
       * The verification that an earlier try of this request started, approved or sent again, however it stands now. Only a
       * repeat looks for it.
       */
      const ledToBefore = Effect.fnUntraced(function* (
        { canonical, environment }: Subject,
        { maxLifetimeSeconds }: Settings,
        ids: { readonly verificationId: string; readonly deliveryId: string }
      ) {
        const request = yield* RequestKey.RequestKey
        if (request === null || !request.isRepeat) return null
        // What it sent again was live then, so it began no earlier than its longest life before.
        let after = Identifier.first("ver", request.firstAt - seconds(maxLifetimeSeconds))
        for (;;) {
          const found = yield* store.ofPerson(environment, canonical, { after, limit: lookedThroughAtOnce })
          const earlier = found.find(
            ({ deliveries, id }) => id === ids.verificationId || deliveries.some(({ id }) => id === ids.deliveryId)
          )
          if (earlier !== undefined) return earlier
          const last = found.at(-1)
          if (last === undefined || found.length < lookedThroughAtOnce) return null
          after = last.id
        }
      })

      /** The ids of what a request makes. They follow from its idempotency key, but for that of an event: readers of events go by time. */
      const freshIds = Effect.fnUntraced(function* ({ devices }: Subject, now: number) {
        const request = yield* RequestKey.RequestKey
        const idOf = (prefix: "ver" | "dlv" | "dvc") => RequestKey.idWith(request, prefix, now)
        const isRevokedSince = devices.revokedAt >= (request?.firstAt ?? now)
        return {
          verificationId: idOf("ver"),
          deliveryId: idOf("dlv"),
          eventId: Identifier.make("evt", now),
          deviceId: isRevokedSince ? Identifier.make("dvc", Device.issuedAt(devices, now)) : idOf("dvc")
        }
      })

      const decideInitiate = Effect.fnUntraced(function* (
        caller: Caller,
        request: CheckedRequest,
        context: InitiateContext
      ): Effect.fn.Return<
        Initiated,
        | InvalidField
        | RateLimited
        | TemplateUnusable
        | PaymentRequired
        | ProviderUnavailable
        | UnknownVerification
        | Conflict
        | StoreError
      > {
        const began = yield* Clock.currentTimeMillis
        const { canonical } = request.identity
        const [subject, till] = yield* Effect.all(
          [forLogin(store, keyring, caller.environment, request.identity), loadTill(balances, caller, began)],
          { concurrency: caller.settings.billing === "OFF" ? 1 : 2 }
        )
        const now = yield* Clock.currentTimeMillis
        const fresh = yield* freshIds(subject, now)
        const earlier = yield* ledToBefore(subject, caller.settings, fresh)
        const live = earlier ?? (yield* liveFor(subject, request, context, now))
        const { deviceToken, template } = context
        const catalogue = yield* templates.of(caller.environment)
        const texts = chooseTexts(catalogue, request, template, settingsOf(request.trial, caller.settings))
        const decision = initiate(
          subject,
          live,
          {
            ...request,
            path: context.path,
            keyId: keyring.current.id,
            sandbox: caller.kind === "test",
            device:
              deviceToken === null || !caller.settings.oneTap ? null : DeviceToken.read(keyring, subject, deviceToken),
            command: context.command,
            ...(Result.isSuccess(texts) ? { texts: texts.success } : {}),
            funds: till.funds,
            earlier,
            fresh
          },
          caller.settings,
          now
        )
        const { change, outcome } = decision
        const verification = outcome._tag === "Unpaid" ? outcome.verification : (change?.verification ?? null)
        const stateOf = (name: ChannelName) => {
          const channel = finderOf(caller)(name)
          if (channel === undefined) return null
          const sender = verification === null ? null : senderOf(verification, name, catalogue)
          const kind = kindOf[verification?.mode ?? request.mode]
          const { identity } = request
          const to = identity.type === "EMAIL" ? canonical : `+${canonical}`
          return senders.state(channel, kind, isAccount(channel, sender) ? sender : null, now, to)
        }
        const view = verification === null ? null : { verification, till, stateOf, now }
        if (view !== null) {
          const isResent = live !== null && view.verification.id === live.id
          const unusable =
            Result.isSuccess(texts) || (isResent && !needsOwnText(live, request, template, catalogue))
              ? null
              : texts.failure
          yield* Effect.fromResult(checkWords(view, unusable))
        }
        if (outcome._tag === "Unpaid") {
          if (outcome.jobs.length > 0) yield* outbox.addMissing({ jobs: outcome.jobs, done: null })
          const { requestId, why } = outcome
          return yield* paymentRequired(
            why,
            till,
            { channel: request.channel, identity: canonical, requestId },
            currency
          )
        }
        if (view !== null) yield* Effect.fromResult(checkProvider(view))
        if (change !== null) {
          yield* commit(
            request.trial === undefined || change.verification === null
              ? change
              : { ...change, audited: [...change.audited, triedEntry(caller, change.verification, now)] }
          )
        }
        if (outcome._tag === "Stolen") {
          yield* Effect.logWarning(
            "A device token was used after it had been replaced: its device is no longer trusted",
            { environment: caller.environment }
          )
          return yield* decideInitiate(caller, request, { ...context, deviceToken: null })
        }
        return yield* initiated(subject, deviceToken, outcome, earlier !== null, now)
      })

      /** The token that the device keeps from now on: the one it came with, if that is still its newest. */
      const tokenText = (owner: Subject, deviceToken: string | null, device: AnswerToken): string | null => {
        if (deviceToken?.startsWith(`${device.id}.${device.serial}.`) === true) return deviceToken
        const key = keyring.find(device.keyId)
        return key === undefined ? null : DeviceToken.write(key, owner, device)
      }

      const initiated = (
        owner: Subject,
        deviceToken: string | null,
        outcome: Exclude<InitiateOutcome, { readonly _tag: "Stolen" | "Unpaid" }>,
        wasBefore: boolean,
        now: number
      ): Effect.Effect<Initiated, RateLimited> =>
        outcome._tag === "Limited"
          ? Effect.fail(
              new RateLimited({
                limit: outcome.limit,
                retryAfterSeconds: Math.max(1, Math.ceil((outcome.retryAt - now) / 1000)),
                requestId: outcome.requestId
              })
            )
          : Effect.succeed({
              verification: outcome.verification,
              repeated: outcome._tag === "Repeated" || wasBefore,
              oneTapApplied: outcome._tag === "Approved",
              deviceToken: outcome.device === null ? null : tokenText(owner, deviceToken, outcome.device)
            })

      const decideAttempt = Effect.fnUntraced(function* <O extends AttemptOutcome | LoginOutcome>(
        decide: (loaded: Loaded, command: LoginCommand, settings: Settings, now: number) => Decision<O>,
        caller: Caller,
        id: string,
        path: Path | null,
        { deviceInfo, deviceToken, isTrial = false, otp }: Attempt
      ) {
        const loaded = yield* store.load(caller.environment, id)
        if (
          loaded === null ||
          (path !== null && loaded.verification.path !== path) ||
          (isTrial && loaded.verification.trial === undefined)
        ) {
          return yield* new UnknownVerification()
        }
        const { subject, verification } = loaded
        const code = codeOf(keyring, caller.kind, verification)
        if (code === null && verification.status === "PENDING") {
          return yield* new VerificationExpired({ requestId: id, undeliverable: false })
        }
        const now = yield* Clock.currentTimeMillis
        const decision = decide(
          loaded,
          {
            hasCode: otp !== null,
            matches: () => code !== null && otp !== null && SecretHash.equals(otp, code),
            eventId: Identifier.make("evt", now),
            mark: yield* RequestKey.mark,
            device:
              deviceToken === null || !caller.settings.oneTap ? null : DeviceToken.read(keyring, subject, deviceToken),
            label: labelOf(deviceInfo ?? verification.deviceInfo),
            keyId: keyring.current.id
          },
          caller.settings,
          now
        )
        if (decision.change !== null) yield* commit(decision.change)
        const { outcome } = decision
        if (outcome._tag === "Expired") {
          const providerOf = ({ channel }: VerificationDelivery) => finderOf(caller)(channel)?.provider ?? "none"
          yield* logFailures(verification, outcome.verification, providerOf)
        }
        return outcome
      })

      const decideApprove = Effect.fnUntraced(function* (
        environment: string,
        id: string,
        command: Omit<ApproveCommand, "eventId">
      ) {
        const loaded = yield* store.load(environment, id)
        if (loaded === null) return null
        const now = yield* Clock.currentTimeMillis
        const { change, outcome } = approve(loaded, { ...command, eventId: Identifier.make("evt", now) }, now)
        if (change !== null) yield* commit(change)
        return outcome
      })

      const decideExchange = Effect.fnUntraced(function* (
        caller: Caller,
        id: string,
        { codeVerifier, command, deviceToken }: Exchanging
      ) {
        const loaded = yield* store.load(caller.environment, id)
        if (loaded === null) return { _tag: "Unknown" } satisfies ExchangeOutcome
        const now = yield* Clock.currentTimeMillis
        const { change, outcome } = exchange(
          loaded,
          {
            codeVerifier,
            command,
            device:
              deviceToken === null || !caller.settings.oneTap
                ? null
                : DeviceToken.read(keyring, loaded.subject, deviceToken),
            label: labelOf(loaded.verification.deviceInfo),
            keyId: keyring.current.id
          },
          caller.settings,
          now
        )
        if (change !== null) yield* commit(change)
        return outcome
      })

      /** Why an outcome is none that its caller was after. */
      const compared = <O extends AttemptOutcome | LoginOutcome>(
        outcome: O
      ): Effect.Effect<
        Exclude<O, { readonly _tag: "Codeless" | "Exhausted" | "Expired" }>,
        InvalidField | VerificationExpired | AttemptsExhausted
      > => {
        switch (outcome._tag) {
          case "Expired": {
            const { id, undeliverable } = outcome.verification
            return Effect.fail(new VerificationExpired({ requestId: id, undeliverable }))
          }
          case "Exhausted":
            return Effect.fail(new AttemptsExhausted({ requestId: outcome.verification.id }))
          case "Codeless":
            return Effect.fail(
              new InvalidField({
                field: "otp",
                problem: "this verification has no code: it is approved, and not typed"
              })
            )
          default:
            return Effect.succeed(outcome as Exclude<O, { readonly _tag: "Codeless" | "Exhausted" | "Expired" }>)
        }
      }

      return VerificationCommands.of({
        channels: finderOf,
        proves: ({ kind }) => kind === "test" || provers.find("TRUECALLER") !== undefined,
        initiate: (caller, request, context) =>
          turns.run(
            `${caller.environment}/${request.identity.canonical}`,
            untilCommitted(decideInitiate(caller, request, context))
          ),
        approve: (environment, id, command) => turns.run(id, untilCommitted(decideApprove(environment, id, command))),
        exchange: (caller, id, given) => turns.run(id, untilCommitted(decideExchange(caller, id, given))),
        attempt: (caller, id, path, given) =>
          Effect.flatMap(turns.run(id, untilCommitted(decideAttempt(attempt, caller, id, path, given))), compared),
        login: (caller, id, path, given) =>
          turns.run(id, untilCommitted(decideAttempt(login, caller, id, path, given))).pipe(
            Effect.flatMap(compared),
            Effect.map((outcome) => (outcome._tag === "LoggedIn" ? outcome.verification : null))
          )
      })
    })
  )
}
