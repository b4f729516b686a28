import { Clock, Effect, Result } from "effect"
import { BalanceStore } from "../../account/billing/BalanceStore.ts"
import { Currency } from "../../account/billing/Currency.ts"
import { type PaymentRequired, paymentRequired } from "../../account/billing/PaymentRequired.ts"
import { loadBudget } from "../../account/billing/Budget.ts"
import { type ChannelChoice, isAccount } from "../../foundation/delivery/Channel.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import { Senders } from "../../message/sending/Senders.ts"
import { Guard } from "./Guard.ts"
import { guardedRequest } from "./guardedOutcome.ts"
import { uncounted } from "../../foundation/limit/SendCounts.ts"
import { usualTyping } from "../../foundation/guard/GuardMemory.ts"
import { allowed, type GuardReason, type Judgement, type ScoredReason } from "../../foundation/guard/GuardReason.ts"
import { answerableScore } from "./answerable.ts"
import { enforcedReason, GuardRefused, isSafe } from "./GuardRefused.ts"
import * as Device from "./Device.ts"
import * as DeviceToken from "./deviceToken.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import type { InvalidField } from "../../foundation/identity/InvalidField.ts"
import { RateLimited } from "../../foundation/limit/RateLimited.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { checkDestination, type DestinationForbidden } from "../../account/merchant/destination.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { Outbox } from "../../foundation/outbox/Outbox.ts"
import * as RequestKey from "../../foundation/outbox/RequestKey.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import { Conflict } from "../../foundation/storage/Conflict.ts"
import type { Contended } from "../../foundation/storage/Contended.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { TemplateCatalogue } from "../../message/template/TemplateCatalogue.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import { checkRepeat } from "./checkRepeat.ts"
import { checkProvider, checkWords } from "./checkSend.ts"
import type { CheckedRequest } from "./InitiateRequest.ts"
import { type AnswerToken, initiate, type InitiateOutcome } from "./initiate.ts"
import { forLogin } from "./keptLimits.ts"
import { makeLineGuard } from "./lineGuard.ts"
import { needsLine, withReasons } from "./lineReasons.ts"
import { loginKeyOf } from "./loginKey.ts"
import { isKnown, isTrusted, liveOf, relayedBy, startedBy, type Subject } from "./Subject.ts"
import { chooseTexts, needsOwnText, senderOf } from "./texts.ts"
import { sealCode } from "./relayedCode.ts"
import { settingsOf, triedEntry } from "./trial.ts"
import { type Flow, ifCheckable, isLive, kindOf, type Path, type Verification } from "./Verification.ts"
import { type ProviderUnavailable, type TemplateUnusable, UnknownVerification } from "./VerificationError.ts"
import { VerificationStore } from "./VerificationStore.ts"

/** How many verifications of a person a repeat reads at a time. */
const lookedThroughAtOnce = 100

/** What accompanies a validated request. */
export interface InitiateContext {
  readonly path: Path
  /** The idempotency key, when the caller sent one. */
  readonly idempotencyKey: string | null
  readonly deviceToken: string | null
  /** The live verification to send again. An app calls it `sessionId`. */
  readonly requestId: string | null
  /** The name of a template, if the request has one. */
  readonly template: string | null
  /** Why no new verification may start: only the result of an earlier try of this request can be returned. */
  readonly refusal?: RateLimited
  /** Whether the app has solved a challenge, so that the guard does not hold the request back. */
  readonly hasSolved?: boolean
  /** The guard's reasons against the line, when its facts were looked up and there are some. */
  readonly lineReasons?: ReadonlyArray<ScoredReason>
}

export interface Initiated {
  readonly verification: Verification
  /** True for a repeat of a request that was carried out before: nothing new was committed. */
  readonly repeated: boolean
  readonly oneTapApplied: boolean
  readonly deviceToken: string | null
}

/** Why a valid request starts nothing. */
export type InitiateRefused =
  | DestinationForbidden
  | GuardRefused
  | InvalidField
  | RateLimited
  | TemplateUnusable
  | PaymentRequired
  | ProviderUnavailable
  | UnknownVerification
  | Contended
  | StoreError

/** The outcomes that send a message, or would send one if it could be paid. */
const sends: ReadonlySet<InitiateOutcome["_tag"]> = new Set(["Started", "Resent", "Unpaid"])

/** Whether the request may send a message to a phone number. Number verifiers send nothing. */
const isToPhone = ({ flow, identity }: CheckedRequest): boolean => identity.type === "MOBILE" && flow.kind !== "Number"

/** What `Retry-After` says when the guard delays a request: by then people have typed the codes that are under way. */
const guardDelaySeconds = usualTyping / seconds(1)

const secondsUntil = (retryAt: Instant, now: Instant) => Math.max(1, Math.ceil((retryAt - now) / 1000))

/** Checks whether the environment may send to this number. OneTap and number verifiers send nothing. */
const checkSending = (
  request: CheckedRequest,
  { _tag }: InitiateOutcome,
  { settings }: Caller,
  judgement: Judgement,
  { hasSolved = false }: InitiateContext
): Result.Result<void, DestinationForbidden | GuardRefused> => {
  if (!isToPhone(request) || !sends.has(_tag)) return Result.void
  const destination = checkDestination(request.identity.canonical, settings)
  if (Result.isFailure(destination)) return destination
  const refusal = enforcedReason(judgement, settings)
  if (refusal === null) return Result.void
  const waitSeconds = refusal.verdict === "block" ? null : guardDelaySeconds
  const answerable = answerableScore(judgement, settings, refusal)
  if (answerable === null) return Result.fail(new GuardRefused({ reason: refusal.reason, waitSeconds }))
  return hasSolved ? Result.void : Result.fail(new GuardRefused({ reason: refusal.reason, waitSeconds, answerable }))
}

/** Starts a verification or sends a live one again, in one decision on what is stored now. */
export const make = Effect.gen(function* () {
  const store = yield* VerificationStore
  const balances = yield* BalanceStore
  const { code: currency } = yield* Currency
  const outbox = yield* Outbox
  const senders = yield* Senders
  const keyring = yield* Keyring
  const templates = yield* TemplateCatalogue
  const clock = yield* Clock.Clock
  const guard = yield* Guard
  const lineGuard = yield* makeLineGuard
  const commit = yield* Outbox.committer(VerificationStore)

  /** Returns the verification with this id, if this request may send it again. */
  const sentBefore = Effect.fnUntraced(function* (subject: Subject, path: Path, id: string) {
    const { canonical, environment } = subject
    const loaded: VerificationStore.Loaded | null = yield* store.load(environment, id)
    const verification = ifCheckable(loaded?.verification ?? null)
    if (loaded === null || verification === null) return null
    if (verification.path !== path || loaded.subject.canonical !== canonical) return null
    // The subject changed between the two reads, so the live verification may differ.
    if (loaded.subject.version !== subject.version) return yield* new Conflict({ key: canonical })
    return verification
  })

  /** Returns the verification that this request would send again, if its key can still derive the code. */
  const liveFor = Effect.fnUntracedEager(function* (
    subject: Subject,
    request: CheckedRequest,
    { idempotencyKey, path, requestId }: InitiateContext,
    now: number
  ) {
    if (request.flow.kind === "Relayed") return null
    const canBeMade = ({ keyId }: Verification) => keyring.find(keyId) !== undefined
    if (requestId !== null) {
      const named = (yield* sentBefore(subject, path, requestId)) ?? (yield* new UnknownVerification())
      yield* Effect.fromResult(checkRepeat(request, named))
      // If the named verification is over, an earlier try of this command may already have started another one.
      if (isLive(named, now) && canBeMade(named)) return named
    }
    const { flow, identity } = request
    const liveEntry =
      path === "SERVER"
        ? liveOf(
            subject,
            { spelling: identity.spelling, mode: flow.mode, login: loginKeyOf(flow, request), idempotencyKey },
            now
          )
        : idempotencyKey === null
          ? undefined
          : startedBy(subject, idempotencyKey, now)
    const live = liveEntry === undefined ? null : yield* sentBefore(subject, path, liveEntry.id)
    return live !== null && canBeMade(live) ? live : null
  })

  /**
   * Returns the verification that an earlier try of this request started, approved or sent again, in its current state.
   * Searches only for a repeat.
   */
  const ledToBefore = Effect.fnUntracedEager(function* (
    { canonical, environment }: Subject,
    { maxLifetimeSeconds }: Settings,
    ids: { readonly verificationId: string; readonly deliveryId: string },
    request: RequestKey.RequestKey | null
  ) {
    if (request === null || !request.isRepeat) return null
    // A verification that it sent again was live then, so it started at most one maximum lifetime earlier.
    let after = Identifier.first("ver", request.firstAt - seconds(maxLifetimeSeconds))
    for (;;) {
      const page = yield* store.ofPerson(environment, canonical, { after, limit: lookedThroughAtOnce })
      const earlier = page.find(
        ({ deliveries, id }) => id === ids.verificationId || deliveries.some(({ id }) => id === ids.deliveryId)
      )
      if (earlier !== undefined) return earlier
      const last = page.at(-1)
      if (last === undefined || page.length < lookedThroughAtOnce) return null
      after = last.id
    }
  })

  /** Returns the relayed code of an earlier request with the same key. */
  const relayedBefore = (subject: Subject, { relayed }: CheckedRequest, now: number) => {
    const before = relayed === undefined ? undefined : relayedBy(subject, relayed.marks, now)
    return before === undefined ? Effect.succeed(null) : store.find(subject.environment, before.id)
  }

  /** Seals a relayed code for the record that will hold it. */
  const sealed = ({ flow, relayed }: CheckedRequest, environment: string, id: string): Effect.Effect<Flow> =>
    flow.kind !== "Relayed" || relayed === undefined
      ? Effect.succeed(flow)
      : Effect.map(sealCode(keyring, relayed.code, { environment, id }), (sealedCode) => ({ ...flow, sealedCode }))

  /**
   * Returns the ids of what a request creates. They derive from its idempotency key, except the event id, because
   * consumers read events in time order.
   */
  const freshIds = ({ devices }: Subject, request: RequestKey.RequestKey | null, now: number) => {
    const idOf = (prefix: "ver" | "dlv" | "dvc") => RequestKey.idWith(request, prefix, now)
    const isRevokedSince = devices.revokedAt >= (request?.firstAt ?? now)
    return {
      verificationId: idOf("ver"),
      deliveryId: idOf("dlv"),
      eventId: Identifier.make("evt", now),
      deviceId: isRevokedSince ? Identifier.make("dvc", Device.issuedAt(devices, now)) : idOf("dvc")
    }
  }

  const decideAndCommit = Effect.fnUntraced(function* (
    caller: Caller,
    channels: ChannelChoice,
    request: CheckedRequest,
    context: InitiateContext
  ): Effect.fn.Return<
    Initiated,
    | DestinationForbidden
    | GuardRefused
    | InvalidField
    | RateLimited
    | TemplateUnusable
    | PaymentRequired
    | ProviderUnavailable
    | UnknownVerification
    | Conflict
    | StoreError
  > {
    const { canonical } = request.identity
    const person = forLogin(store, keyring, caller.environment, request.identity)
    const loading = loadBudget(balances, caller, clock.currentTimeMillisUnsafe())
    const [subject, budget] =
      caller.settings.billing === "OFF"
        ? [yield* person, yield* loading]
        : yield* Effect.all([person, loading], { concurrency: 2 })
    const requestKey = yield* RequestKey.RequestKey
    const now = clock.currentTimeMillisUnsafe()
    const fresh = freshIds(subject, requestKey, now)
    const earlier =
      (yield* ledToBefore(subject, caller.settings, fresh, requestKey)) ?? (yield* relayedBefore(subject, request, now))
    if (earlier === null && context.refusal !== undefined) return yield* context.refusal
    const live = earlier ?? (yield* liveFor(subject, request, context, now))
    const { deviceToken, template } = context
    const catalogue = yield* templates.of(caller.environment)
    const isJudged = isToPhone(request) && caller.kind === "live" && !isSafe(canonical, caller.settings)
    const guarded = guardedRequest(request.identity, request.context, isKnown(subject))
    // Relayed codes are used elsewhere and never spend the trust, so they are always judged.
    const hasTrust = request.flow.kind !== "Relayed" && isTrusted(subject)
    const past = isJudged && !hasTrust ? guard.judge(caller.environment, guarded, now) : allowed
    const judgement = withReasons(past, context.lineReasons ?? [])
    const texts = chooseTexts(catalogue, request, template, settingsOf(request.flow, request.trial, caller.settings))
    const decision = initiate(
      subject,
      live,
      {
        ...request,
        flow: earlier === null ? yield* sealed(request, caller.environment, fresh.verificationId) : request.flow,
        path: context.path,
        keyId: keyring.current.id,
        sandbox: caller.kind === "test",
        device:
          deviceToken === null || !caller.settings.oneTap ? null : DeviceToken.read(keyring, subject, deviceToken),
        idempotencyKey: context.idempotencyKey,
        ...(Result.isSuccess(texts) ? { texts: texts.success } : {}),
        ...(judgement.reasons.length === 0 ? {} : { guard: judgement }),
        funds: budget.funds,
        earlier,
        fresh
      },
      caller.settings,
      now
    )
    const { change, outcome } = decision
    const checked = checkSending(request, outcome, caller, judgement, context)
    if (judgement.reasons.length > 0 && sends.has(outcome._tag)) {
      const { guardEnforces } = caller.settings
      const met = {
        isEnforced: (reason: GuardReason) => guardEnforces.includes(reason),
        price: change?.verification?.deliveries.at(-1)?.price?.amount ?? null,
        refusedFor: Result.isFailure(checked) && checked.failure._tag === "GuardRefused" ? checked.failure.reason : null
      }
      // Facts about the line are looked up after the request was met, and decide once more.
      if (context.lineReasons === undefined || met.refusedFor !== null)
        guard.meet(caller.environment, guarded, judgement, met, now)
    }
    yield* Effect.fromResult(checked)
    const verification = outcome._tag === "Unpaid" ? outcome.verification : (change?.verification ?? null)
    const stateOf = (name: ChannelName) => {
      const channel = channels.find(name)
      if (channel === undefined) return null
      const sender = verification === null ? null : senderOf(verification, name, catalogue)
      const kind = kindOf[verification?.mode ?? request.flow.mode]
      const { identity } = request
      const to = identity.type === "EMAIL" ? canonical : `+${canonical}`
      return senders.state(channel, kind, isAccount(channel, sender) ? sender : null, now, to)
    }
    const view = verification === null ? null : { verification, budget, stateOf, now }
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
      return yield* paymentRequired(why, budget, { channel: request.channel, identity: canonical, requestId }, currency)
    }
    if (view !== null) yield* Effect.fromResult(checkProvider(view))
    // A lookup costs money, so it comes after every other check, and only before a message that is about to be sent.
    const isSent = outcome._tag === "Started" || outcome._tag === "Resent"
    if (isJudged && isSent && context.lineReasons === undefined && needsLine(caller.settings)) {
      const lineReasons = yield* lineGuard(caller.environment, canonical, caller.settings, now)
      if (lineReasons.length > 0) return yield* decideAndCommit(caller, channels, request, { ...context, lineReasons })
    }
    if (change !== null) {
      const isSent = isToPhone(request) && sends.has(outcome._tag)
      const message = { number: canonical, deliveryId: fresh.deliveryId }
      const counted = isSent ? guard.count(caller.environment, message, caller.settings, now) : uncounted
      if (counted._tag === "Full") {
        return yield* new RateLimited({
          limit: counted.budget,
          retryAfterSeconds: secondsUntil(counted.retryAt, now),
          requestId: live?.id ?? null
        })
      }
      // After an interruption the message may be on its way, so it stays counted.
      yield* Effect.tapError(
        commit(
          request.trial === undefined || change.verification === null
            ? change
            : { ...change, audited: [...change.audited, triedEntry(caller, change.verification, now)] }
        ),
        () => Effect.sync(counted.giveBack)
      )
    }
    if (change !== null && change.verification !== null) guard.note(change.verification, now)
    if (outcome._tag === "Stolen") {
      yield* Effect.logWarning("A device token was used after it had been replaced: its device is no longer trusted", {
        environment: caller.environment
      })
      return yield* decideAndCommit(caller, channels, request, { ...context, deviceToken: null })
    }
    return yield* initiated(subject, deviceToken, outcome, earlier !== null, now)
  })

  /** The token for the device to keep: the one it presented, if that is still the newest. */
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
            retryAfterSeconds: secondsUntil(outcome.retryAt, now),
            requestId: outcome.requestId
          })
        )
      : Effect.succeed({
          verification: outcome.verification,
          repeated: outcome._tag === "Repeated" || wasBefore,
          oneTapApplied: outcome._tag === "Approved",
          deviceToken: outcome.device === null ? null : tokenText(owner, deviceToken, outcome.device)
        })

  return decideAndCommit
})
