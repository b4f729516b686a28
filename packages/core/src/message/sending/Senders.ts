import { Cause, Clock, Context, Effect, Exit, Hash, Layer, Metric, Semaphore } from "effect"
import { type Flow, Gate } from "../../foundation/outbox/Gate.ts"
import { Jobs } from "../../foundation/outbox/Jobs.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import { onClock, type SteadyInstant, steadyMillis, steadyNow } from "../../foundation/time/steadyTime.ts"
import { Breaker, type Health, type Pass, type PassEnd } from "./Breaker.ts"
import { Bulk, BulkPerSecond } from "./Bulk.ts"
import { mayCarry } from "../../foundation/delivery/carries.ts"
import type { Channel, Sent } from "../../foundation/delivery/Channel.ts"
import { Channels, nameable } from "../../foundation/delivery/Channels.ts"
import { carrierOf, chooseCarrier, reporterOf } from "../../foundation/delivery/chooseCarrier.ts"
import { isChannelName } from "../../foundation/delivery/ChannelName.ts"
import {
  ChannelError,
  isProviderFailure,
  mayGoByOther,
  OutcomeUnknown,
  Refused,
  type TemplateFault
} from "../../foundation/delivery/ChannelError.ts"
import type { Message, MessageKind } from "../../foundation/delivery/Message.ts"
import { OptOutListener } from "../../foundation/delivery/OptOutListener.ts"
import { Pace } from "./Pace.ts"
import * as Reference from "./Reference.ts"

/** A provider that has not answered by then is taken not to answer. */
const deadline = seconds(10)
/** Where one send tries whether a provider is back, the others ask again after about this long. */
const trialTakes = 250
/** What waits for a turn in bulk looks so often whether it is still wanted. */
const looksEvery = seconds(1)
/** How long a template that the provider refused is taken to be still refused. */
const faultKept = seconds(30)
const usualAtOnce = 100
/** The health of so many merchants' accounts is remembered; the one that was idle longest is forgotten. */
const mostAccounts = 10_000

/** A carrier that did not take a message, before another one was asked. */
export interface PassedOver {
  readonly carrier: string
  readonly providerCode: string
}

/** Which of a channel's carriers a message may go by. */
export interface CarrierChoice {
  /** Carriers that it has failed with. */
  readonly avoid?: ReadonlyArray<string>
  /** The carrier that may have it from an earlier try: no other is asked. */
  readonly only?: string
}

/** Which carrier a message went to, and which did not take it before. */
interface Carried {
  readonly carrier: string
  readonly passedOver?: ReadonlyArray<PassedOver>
}

/** What became of the wish to send. */
export type SendOutcome =
  | ({ readonly _tag: "Sent"; readonly sent: Sent } & Carried)
  | ({ readonly _tag: "Failed"; readonly error: ChannelError } & Carried)
  /** Nothing was sent: the provider has been failing, and nobody asks it before then. */
  | { readonly _tag: "Resting"; readonly until: Instant }

/**
 * The same where a message may get no turn: none came while it was wanted, or no carrier has one. Nothing was sent. `lane`
 * is where it waits at its channel's gate for the carriers that had none.
 */
export type BulkOutcome = SendOutcome | { readonly _tag: "NoTurn"; readonly lane?: string }

/** Whether a channel can be expected to carry such a message right now, as far as this process has seen. */
export type ChannelState =
  | { readonly _tag: "Working" }
  | { readonly _tag: "Resting"; readonly until: Instant }
  | { readonly _tag: "TemplateFault"; readonly fault: TemplateFault }

/**
 * The health of one account with a provider. Failures of campaigns count apart: a list of numbers that the provider is
 * slow about must not stop codes, least of all those of other merchants.
 */
interface AccountHealth {
  readonly single: Breaker
  readonly bulk: Breaker
}

const unknownHealth = (): AccountHealth => ({ single: new Breaker(), bulk: new Breaker() })

/** Until when an account takes nothing in bulk: while it rests for every message, or for campaigns alone. */
const bulkClosedFrom = ({ bulk, single }: AccountHealth, now: SteadyInstant): SteadyInstant | null =>
  single.closedFrom(now) ?? bulk.closedFrom(now)

/** What this process knows of a provider, from one of its channels: a carrier. */
interface Guard {
  /** Of the service's own account with the provider. */
  readonly account: AccountHealth
  readonly pace: Pace | null
  /** Sends that have had their turn. */
  sending: number
  readonly places: number
  readonly bulk: Bulk
  /** Of those that go in bulk one waits for its turn, and the others for it. */
  readonly queue: Semaphore.Semaphore
  /** By what is sent: links travel in another template than codes, and the one may be sound where the other is not. */
  readonly faults: Map<MessageKind, { readonly fault: TemplateFault; readonly until: SteadyInstant }>
}

const endOf = (exit: Exit.Exit<Sent, ChannelError>, error: ChannelError | undefined): PassEnd => {
  if (Exit.isSuccess(exit) || (error !== undefined && !isProviderFailure(error))) return "answered"
  return Cause.hasInterruptsOnly(exit.cause) ? "interrupted" : "failed"
}

const resting = Metric.gauge("countersign_provider_resting", {
  description: "1 while a provider fails and is left alone, as far as this process has seen"
})

const sayResting = (channel: Channel, { isOpen }: Breaker): void =>
  Metric.withAttributes(resting, { provider: channel.provider, carrier: carrierOf(channel) }).updateUnsafe(
    isOpen ? 1 : 0,
    Context.empty()
  )

/** A hash in memory is all that is kept of a recipient. */
const recipientOf = ({ to }: Message): number => Hash.string(to)

const faultOf = (error: ChannelError): TemplateFault | undefined =>
  error.reason._tag === "Refused" ? error.reason.template : undefined

const untilOnClock = (until: SteadyInstant | null, clock: Clock.Clock): Instant | null =>
  until === null ? null : onClock(until, clock)

/** A channel's gate and the carriers behind it. */
interface Crossing {
  readonly gate: Gate
  readonly guards: ReadonlyArray<Guard>
  /** The lanes of messages for which carriers had no turn, and these carriers. */
  readonly lanes: Map<string, ReadonlyArray<Guard>>
}

const noTurn: Extract<BulkOutcome, { _tag: "NoTurn" }> = { _tag: "NoTurn" }

/** No other lane of a channel's gate is called so. */
const laneOf = (carriers: ReadonlyArray<string>): string => `for ${carriers.toSorted().join(" ")}`

/** How many more sends a carrier takes now. One that rests turns its messages away at once: they go another way. */
const roomOf = ({ account, pace, places, sending }: Guard, now: SteadyInstant): number =>
  account.single.room(now) === 0 ? Number.POSITIVE_INFINITY : Math.min(places - sending, pace?.room(now) ?? places)

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((all, each) => all + each, 0)

const earliest = (instants: ReadonlyArray<Instant | null>): Instant | null =>
  instants.reduce((first, each) => (first === null || (each !== null && each < first) ? each : first), null)

/**
 * What limits a channel's gate beside its places: the pace of its carriers, and their health. See `otherwise`. A channel
 * rests when all of its carriers do. Messages for which a carrier had no turn wait in a lane until it has one.
 */
const flowOf = ({ gate, guards, lanes: crowded }: Crossing, clock: Clock.Clock): Flow => {
  const now = steadyMillis(clock)
  // One that has been let in and has not had its turn yet will take one.
  const entered = gate.running - sum(guards.map(({ sending }) => sending))
  // Counts only the lane's own jobs. Jobs for other carriers, which share the gate, must not use up this lane's room.
  const lanes = Array.from(crowded, ([lane, carriers]) => {
    const coming = Math.max(0, gate.runningIn(lane) - sum(carriers.map(({ sending }) => sending)))
    return { lane, room: Math.max(0, Math.max(...carriers.map((guard) => roomOf(guard, now))) - coming) }
  })
  const plain = sum(guards.map(({ account }) => account.single.room(now)))
  const working = guards.filter(({ account }) => account.single.room(now) === Number.POSITIVE_INFINITY)
  const paces = working.flatMap(({ pace }) => pace ?? [])
  if (plain !== Number.POSITIVE_INFINITY || paces.length < working.length) {
    const more = earliest(guards.map(({ account }) => untilOnClock(account.single.closedFrom(now), clock)))
    return { room: Number.POSITIVE_INFINITY, plain, named: Number.POSITIVE_INFINITY, lanes, worth: 1, more }
  }
  const room = Math.max(0, sum(paces.map((pace) => pace.room(now))) - entered)
  const worth = Math.min(...paces.map((pace) => pace.worth))
  const more = earliest(paces.map((pace) => onClock(pace.opens(pace.worth + entered), clock)))
  return { room, plain: room, named: room, lanes, worth, more }
}

/**
 * Sends through channels and protects their providers: a circuit breaker for each account with a provider, its pace, and
 * how many sends it gets at once. The account is the service's own, or the one that a merchant connected: trouble with
 * one of them stops no message of the others. Each process knows only what it has seen itself.
 */
export class Senders extends Context.Service<
  Senders,
  {
    /**
     * One send, or the reason why none was made. Where the channel has several carriers, the next one is asked at once
     * if the one before certainly did not take the message, or has no turn; `NoTurn` if none has one. A carrier answers
     * within the deadline, whatever it does.
     */
    readonly send: (channel: Channel, message: Message, choice?: CarrierChoice) => Effect.Effect<BulkOutcome>
    /**
     * One send that gives way to all others, in order of asking among its like. `isOver` is asked whenever it looks for
     * its turn, the last time at the moment of sending: where it says so, nothing is sent.
     */
    readonly sendInBulk: (
      channel: Channel,
      message: Message,
      isOver: (now: Instant) => boolean
    ) => Effect.Effect<BulkOutcome>
    /** How many a second this process sends in bulk over a channel, at most. */
    readonly bulkPerSecond: (channel: Channel) => number
    /** How a carrier's provider is, as far as this process has seen. */
    readonly health: (channel: Channel, now: Instant) => Health
    /**
     * Whether such a message can be expected to go out, by the merchant's account of that id or, null, by ours. A channel
     * works where one of the carriers of `to` does.
     */
    readonly state: (
      channel: Channel,
      kind: MessageKind,
      accountId: string | null,
      now: Instant,
      to?: string
    ) => ChannelState
    /** From when messages can be expected to go out in bulk, by that account; null when they can now. */
    readonly bulkRestsUntil: (channel: Channel, accountId: string | null, now: Instant) => Instant | null
  }
>()("@countersign/core/delivery/Senders") {
  static readonly layer: Layer.Layer<Senders, never, Channels | Jobs | Keyring> = Layer.effect(
    Senders,
    Effect.gen(function* () {
      const channels = yield* Channels
      const clock = yield* Clock.Clock
      const jobs = yield* Jobs
      const keyring = yield* Keyring
      const { optedOut } = yield* OptOutListener
      const usualBulk = yield* BulkPerSecond
      const ofCarriers = new Map<string, AccountHealth>()
      const ofAccounts = new Map<string, AccountHealth>()
      const guards = new WeakMap<Channel, Guard>()
      const crossings = new WeakMap<Guard, Crossing>()

      /** Channels whose carrier has the same name fail together, such as SMS and RCS by one provider. */
      const ofCarrier = (channel: Channel): AccountHealth => {
        const carrier = carrierOf(channel)
        const known = ofCarriers.get(carrier)
        if (known !== undefined) return known
        const made = unknownHealth()
        ofCarriers.set(carrier, made)
        sayResting(channel, made.single)
        return made
      }

      const accountKey = (channel: Channel, id: string) => `${carrierOf(channel)} ${id}`

      /** The health of the account that a message goes out by. */
      const healthFor = ({ account }: Guard, channel: Channel, message: Message): AccountHealth => {
        if (message.account === undefined) return account
        const key = accountKey(channel, message.account.id)
        const known = ofAccounts.get(key) ?? unknownHealth()
        // The map keeps the order of last use.
        ofAccounts.delete(key)
        ofAccounts.set(key, known)
        if (ofAccounts.size > mostAccounts) ofAccounts.delete(ofAccounts.keys().next().value!)
        return known
      }

      const guardOf = (channel: Channel): Guard => {
        const known = guards.get(channel)
        if (known !== undefined) return known
        const { atOnce = usualAtOnce, perSecond } = channel.limits ?? {}
        const guard: Guard = {
          account: ofCarrier(channel),
          pace: perSecond === undefined ? null : new Pace(perSecond),
          sending: 0,
          places: atOnce,
          bulk: new Bulk(perSecond, usualBulk),
          queue: Semaphore.makeUnsafe(1),
          faults: new Map()
        }
        guards.set(channel, guard)
        return guard
      }

      for (const name of nameable(channels)) {
        const guards = channels.carriersOf(name).map(guardOf)
        const places = guards.length === 0 ? usualAtOnce : sum(guards.map((guard) => guard.places))
        const gate = new Gate({
          name,
          places,
          ...(guards.length === 0 ? {} : { flow: () => flowOf(crossing, clock) })
        })
        const crossing: Crossing = { gate, guards, lanes: new Map() }
        for (const guard of guards) crossings.set(guard, crossing)
        yield* jobs.pass(gate)
      }
      // A channel that was taken away leaves messages behind, which must fail: nobody carries them.
      yield* jobs.adopt((name) => (isChannelName(name) ? new Gate({ name, places: usualAtOnce }) : null))

      const unanswered = (channel: Channel) =>
        Effect.fail(
          new ChannelError({ channel: channel.name, reason: new OutcomeUnknown({ providerCode: "timeout" }) })
        )

      /** A channel was exchanged for one that can less while the message waited. */
      const unfit = (channel: Channel): SendOutcome => ({
        _tag: "Failed",
        carrier: carrierOf(channel),
        error: new ChannelError({
          channel: channel.name,
          reason: new Refused({ providerCode: "unsupported_message", because: "channel" })
        })
      })

      /** Only the callback of this channel may report about the message. Without one nothing is signed. */
      const signed = (channel: Channel, message: Message): Message => {
        const { accounts, supports } = channel
        const callback = reporterOf(channel)
        if (callback === undefined) return message
        const referenceFrom = (sender: string) =>
          Reference.sign(keyring.current, message.reference, { callback, sender })
        const hasSenders = accounts !== undefined || supports.senders !== undefined
        return { ...message, reference: referenceFrom(""), ...(hasSenders ? { referenceFrom } : {}) }
      }

      /**
       * The send has ended, whatever happens here: a provider that keeps refusing the person reports the opt-out again
       * with the next message.
       */
      const noteOptOut = (message: Message, { reason }: ChannelError): Effect.Effect<void> => {
        const reference = Reference.parse(message.reference)
        const isOptOut = reason._tag === "Refused" && reason.because === "opted_out" && message.to.startsWith("+")
        if (!isOptOut || reference === null) return Effect.void
        return Clock.currentTimeMillis.pipe(
          Effect.flatMap((now) => optedOut(reference.environment, message.to, now)),
          Effect.catch(({ _tag }) =>
            Effect.logWarning("An opt-out that a provider reported was not recorded", { cause: _tag })
          )
        )
      }

      const sendOnce = (
        guard: Guard,
        breaker: Breaker,
        pass: Pass,
        channel: Channel,
        message: Message
      ): Effect.Effect<SendOutcome> =>
        // Suspended, so that a channel that throws gives its pass back too.
        Effect.suspend(() => channel.send(signed(channel, message))).pipe(
          Effect.timeoutOrElse({ duration: deadline, orElse: () => unanswered(channel) }),
          Effect.onExit((exit) =>
            Effect.map(steadyNow, (now) => {
              const error = Exit.isFailure(exit)
                ? exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
                : undefined
              const wasOpen = breaker.isOpen
              breaker.ended(pass, endOf(exit, error), recipientOf(message), now)
              // What a merchant's account meets says nothing about ours, nor about our templates.
              if (message.account !== undefined) return
              if (breaker === guard.account.single && breaker.isOpen !== wasOpen) sayResting(channel, breaker)
              const fault = error === undefined ? undefined : faultOf(error)
              if (fault === undefined) guard.faults.delete(message._tag)
              else guard.faults.set(message._tag, { fault, until: now + faultKept })
            })
          ),
          Effect.matchEffect({
            onSuccess: (sent) => Effect.succeed<SendOutcome>({ _tag: "Sent", sent, carrier: carrierOf(channel) }),
            onFailure: (error) =>
              Effect.as(noteOptOut(message, error), { _tag: "Failed" as const, error, carrier: carrierOf(channel) })
          })
        )

      /** `until` is a time of day: it becomes the moment at which a job runs again. */
      const unsent = (until: SteadyInstant) =>
        Effect.clockWith((clock) => Effect.succeed({ _tag: "Resting" as const, until: onClock(until, clock) }))

      const admitted = (guard: Guard, breaker: Breaker, channel: Channel, message: Message) =>
        Effect.flatMap(steadyNow, (now): Effect.Effect<SendOutcome> => {
          const recipient = recipientOf(message)
          const pass = breaker.admit(recipient, now)
          if (pass !== null) return sendOnce(guard, breaker, pass, channel, message)
          return unsent(breaker.admitsFrom(recipient, now) ?? now + trialTakes)
        })

      const inTurn = (guard: Guard, channel: Channel, message: Message) =>
        Effect.flatMap(steadyNow, (now) => {
          // One that the provider's rest turns away needs no turn.
          const breaker = healthFor(guard, channel, message).single
          const isResting = breaker.room(now) === 0
          const wait = isResting ? 0 : (guard.pace?.turn(now) ?? 0)
          const send = admitted(guard, breaker, channel, message)
          return wait === 0 ? send : Effect.delay(send, wait)
        })

      const trafficOf = (guard: Guard) => {
        const { gate, guards } = crossings.get(guard) ?? { gate: null, guards: [guard] }
        const { pace, places, sending } = guard
        // What is in the gate of several carriers may be for any of them.
        return { pace, places, running: guards.length > 1 ? sending : Math.max(gate?.running ?? 0, sending) }
      }

      /** Waits for a moment at which nobody else wants to send. Null: it is now, and taken. */
      const turnInBulk = (
        guard: Guard,
        health: AccountHealth,
        isOver: (now: Instant) => boolean
      ): Effect.Effect<Exclude<BulkOutcome, { _tag: "Sent" }> | null> =>
        Effect.clockWith((clock) => {
          const { bulk } = guard
          const now = steadyMillis(clock)
          if (isOver(clock.currentTimeMillisUnsafe())) return Effect.succeed(noTurn)
          const closedFrom = bulkClosedFrom(health, now)
          if (closedFrom !== null || health.bulk.room(now) === 0) return unsent(closedFrom ?? now + trialTakes)
          const traffic = trafficOf(guard)
          const wait = bulk.wait(traffic, now)
          if (wait > 0) return Effect.delay(turnInBulk(guard, health, isOver), Math.min(wait, looksEvery))
          bulk.begin(traffic, now)
          return Effect.succeed(null)
        })

      const inBulk = (guard: Guard, channel: Channel, message: Message, isOver: (now: Instant) => boolean) =>
        Effect.uninterruptibleMask((restore) => {
          const health = healthFor(guard, channel, message)
          return Effect.flatMap(
            restore(guard.queue.withPermits(1)(turnInBulk(guard, health, isOver))),
            (refused): Effect.Effect<BulkOutcome> =>
              refused === null
                ? Effect.ensuring(
                    restore(admitted(guard, health.bulk, channel, message)),
                    Effect.sync(() => guard.bulk.ended())
                  )
                : Effect.succeed(refused)
          )
        })

      /** Asked last. One that is being tried again keeps its place: its one send shows whether it is back. */
      const isResting = (channel: Channel): boolean => guardOf(channel).account.single.room(steadyMillis(clock)) === 0

      /** The carriers to ask for a message, one after the other. A merchant's own account is with one provider. */
      const carriersFor = (channel: Channel, message: Message): ReadonlyArray<Channel> => {
        if (channels.carriersOf(channel.name).length < 2 || channels.find(channel.name) !== channel) return [channel]
        const chosen = chooseCarrier(channels.rulesOf(channel.name), message.to, isResting)
        return message.account === undefined ? chosen : chosen.filter(({ accounts }) => accounts !== undefined)
      }

      /** Asks the carriers of a message, until one has it, may have it, or says what concerns the person. */
      const byCarriers = (
        channel: Channel,
        message: Message,
        ask: (carrier: Channel) => Effect.Effect<BulkOutcome>,
        { avoid = [], only }: CarrierChoice = {}
      ): Effect.Effect<BulkOutcome> => {
        const chosen = carriersFor(channel, message)
        // The channel has one carrier, as in most services, so there is no choice to make.
        if (channels.carriersOf(channel.name).length < 2 && avoid.length === 0) {
          return mayCarry(chosen[0]!, message) ? ask(chosen[0]!) : Effect.succeed(unfit(channel))
        }
        const fit = chosen.filter((carrier) => mayCarry(carrier, message))
        const begun = fit.filter((carrier) => carrierOf(carrier) === only)
        const carriers = begun.length > 0 ? begun : fit.filter((carrier) => !avoid.includes(carrierOf(carrier)))
        const [first] = carriers
        if (first === undefined) return Effect.succeed(unfit(channel))
        return carriers.length === 1 ? askAlone(first, ask) : askInOrder(carriers, ask)
      }

      /** Has a message wait at its gate for carriers that have no turn: as many lanes as a table puts carriers together. */
      const waitFor = (full: ReadonlyArray<Channel>): Extract<BulkOutcome, { _tag: "NoTurn" }> => {
        const lane = laneOf(full.map(carrierOf))
        const guards = full.map(guardOf)
        crossings.get(guards[0]!)?.lanes.set(lane, guards)
        return { _tag: "NoTurn", lane }
      }

      const waits = (outcome: BulkOutcome): boolean => outcome._tag === "NoTurn" && outcome.lane !== undefined

      const askAlone = (carrier: Channel, ask: (carrier: Channel) => Effect.Effect<BulkOutcome>) =>
        Effect.map(ask(carrier), (outcome) => (waits(outcome) ? waitFor([carrier]) : outcome))

      /** One carrier takes a repeated request once, but the repeat of a message may go by another one. */
      const once = (outcome: Extract<BulkOutcome, { _tag: "Failed" }>): Extract<BulkOutcome, { _tag: "Failed" }> => {
        const { channel, reason } = outcome.error
        if (reason._tag !== "OutcomeUnknown" || reason.repeatable !== true) return outcome
        const unknown = new OutcomeUnknown({ providerCode: reason.providerCode })
        return { ...outcome, error: new ChannelError({ channel, reason: unknown }) }
      }

      const askInOrder = Effect.fnUntraced(function* (
        carriers: ReadonlyArray<Channel>,
        ask: (carrier: Channel) => Effect.Effect<BulkOutcome>
      ) {
        const passedOver: Array<PassedOver> = []
        const full: Array<Channel> = []
        let without: Extract<BulkOutcome, { _tag: "NoTurn" }> | null = null
        let resting: Extract<BulkOutcome, { _tag: "Resting" }> | null = null
        let failed: Extract<BulkOutcome, { _tag: "Failed" }> | null = null
        for (const carrier of carriers) {
          const outcome = yield* ask(carrier)
          switch (outcome._tag) {
            case "NoTurn":
              if (waits(outcome)) full.push(carrier)
              without = outcome
              continue
            case "Sent":
              return passedOver.length === 0 ? outcome : { ...outcome, passedOver }
            case "Resting":
              if (resting === null || outcome.until < resting.until) resting = outcome
              continue
            case "Failed":
              if (!mayGoByOther(outcome.error))
                return { ...once(outcome), ...(passedOver.length > 0 && { passedOver }) }
              // One that may take the message later is worth more than one that will not.
              if (failed === null || failed.error.reason._tag === "Refused") failed = outcome
              passedOver.push({ carrier: outcome.carrier, providerCode: outcome.error.reason.providerCode })
          }
        }
        if (without !== null && failed?.error.reason._tag !== "Unavailable")
          return full.length > 0 ? waitFor(full) : without
        if (resting !== null && (failed === null || failed.error.reason._tag === "Refused")) return resting
        if (failed === null) return unfit(carriers[0]!)
        const { carrier } = failed
        return { ...failed, passedOver: passedOver.filter((each) => each.carrier !== carrier) }
      })

      const knownHealth = (channel: Channel, accountId: string | null): AccountHealth | undefined =>
        accountId === null ? guardOf(channel).account : ofAccounts.get(accountKey(channel, accountId))

      /** The carriers that a channel's messages may go out by, where it is one of the service's own. */
      const allCarriers = (channel: Channel, accountId: string | null, to?: string): ReadonlyArray<Channel> => {
        const every = channels.find(channel.name) === channel ? channels.carriersOf(channel.name) : [channel]
        const taking =
          to === undefined || every.length < 2 ? every : chooseCarrier(channels.rulesOf(channel.name), to, () => false)
        const all = taking.length === 0 ? every : taking
        return accountId === null ? all : all.filter((each) => each === channel || each.accounts !== undefined)
      }

      const stateOf = (channel: Channel, kind: MessageKind, accountId: string | null, now: Instant): ChannelState => {
        const steady = steadyMillis(clock)
        const { faults } = guardOf(channel)
        const fault = accountId === null ? faults.get(kind) : undefined
        const until = knownHealth(channel, accountId)?.single.closedFrom(steady) ?? null
        if (until !== null) return { _tag: "Resting", until: now + (until - steady) }
        return fault !== undefined && steady < fault.until
          ? { _tag: "TemplateFault", fault: fault.fault }
          : { _tag: "Working" }
      }

      /**
       * Whether a carrier has neither a place nor a turn to give. Only asked where a channel has several: their gate
       * knows no carrier, so it lets in more for one of them than that one takes.
       */
      const isFull = (guard: Guard): boolean =>
        (crossings.get(guard)?.guards.length ?? 1) > 1 &&
        (guard.sending >= guard.places || guard.pace?.room(steadyMillis(clock)) === 0)

      const sendBy = (message: Message) => (channel: Channel) =>
        Effect.suspend((): Effect.Effect<BulkOutcome> => {
          const guard = guardOf(channel)
          if (isFull(guard)) return Effect.succeed({ _tag: "NoTurn", lane: laneOf([carrierOf(channel)]) })
          guard.sending++
          return Effect.ensuring(
            inTurn(guard, channel, message),
            Effect.sync(() => guard.sending--)
          )
        })

      return Senders.of({
        sendInBulk: (channel, message, isOver) =>
          Effect.suspend(() =>
            byCarriers(channel, message, (carrier) => inBulk(guardOf(carrier), carrier, message, isOver))
          ),
        health: (channel, now) => {
          const steady = steadyMillis(clock)
          const health = ofCarrier(channel).single.health(steady)
          return health.until === null ? health : { ...health, until: now + (health.until - steady) }
        },
        bulkPerSecond: (channel) => guardOf(channel).bulk.perSecond,
        send: (channel, message, choice) => Effect.suspend(() => byCarriers(channel, message, sendBy(message), choice)),
        state: (channel, kind, accountId, now, to) => {
          const states = allCarriers(channel, accountId, to).map((carrier) => stateOf(carrier, kind, accountId, now))
          const working = states.find(({ _tag }) => _tag === "Working")
          const resting = states.filter((state) => state._tag === "Resting")
          const first = resting.toSorted((a, b) => a.until - b.until)[0]
          return working ?? first ?? states[0]!
        },
        bulkRestsUntil: (channel, accountId, now) => {
          const steady = steadyMillis(clock)
          const rests = allCarriers(channel, accountId).map((carrier) => {
            const health = knownHealth(carrier, accountId)
            return health === undefined ? null : bulkClosedFrom(health, steady)
          })
          return rests.includes(null) ? null : now + (Math.min(...rests.flatMap((rest) => rest ?? [])) - steady)
        }
      })
    })
  )
}
