import { Cause, Clock, Context, Effect, Exit, Hash, Layer, Metric, Semaphore } from "effect"
import { type Flow, Gate } from "../outbox/Gate.ts"
import { Jobs } from "../outbox/Jobs.ts"
import { Keyring } from "../secret/Keyring.ts"
import { type Instant, seconds } from "../time/Instant.ts"
import { onClock, type SteadyInstant, steadyMillis, steadyNow } from "../time/steadyTime.ts"
import { Breaker, type Health, type Pass, type PassEnd } from "./Breaker.ts"
import { Bulk, BulkPerSecond } from "./Bulk.ts"
import { mayCarry } from "./carries.ts"
import { type Channel, Channels, type Sent } from "./Channel.ts"
import { ChannelName } from "./ChannelName.ts"
import { ChannelError, isProviderFailure, OutcomeUnknown, Refused, type TemplateFault } from "./ChannelError.ts"
import type { Message, MessageKind } from "./Message.ts"
import { OptOutListener } from "./OptOutListener.ts"
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

/** What became of the wish to send. */
export type SendOutcome =
  | { readonly _tag: "Sent"; readonly sent: Sent }
  | { readonly _tag: "Failed"; readonly error: ChannelError }
  /** Nothing was sent: the provider has been failing, and nobody asks it before then. */
  | { readonly _tag: "Resting"; readonly until: Instant }

/** What became of the wish to send in bulk. `NoTurn`: none came before it was over, so nothing was sent. */
export type BulkOutcome = SendOutcome | { readonly _tag: "NoTurn" }

/** Whether a channel can be expected to carry such a message right now, as far as this process has seen. */
export type ChannelState =
  | { readonly _tag: "Working" }
  | { readonly _tag: "Resting"; readonly until: Instant }
  | { readonly _tag: "TemplateFault"; readonly fault: TemplateFault }

/** What this process knows of a provider, from one of its channels. */
interface Guard {
  /** Of the service's own account with the provider. */
  readonly breaker: Breaker
  readonly pace: Pace | null
  readonly gate: Gate
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

const sayResting = (provider: string, { isOpen }: Breaker): void =>
  Metric.withAttributes(resting, { provider }).updateUnsafe(isOpen ? 1 : 0, Context.empty())

/** A hash in memory is all that is kept of a recipient. */
const recipientOf = ({ to }: Message): number => Hash.string(to)

const faultOf = (error: ChannelError): TemplateFault | undefined =>
  error.reason._tag === "Refused" ? error.reason.template : undefined

const untilOnClock = (until: SteadyInstant | null, clock: Clock.Clock): Instant | null =>
  until === null ? null : onClock(until, clock)

/** What limits a channel's gate beside its places: the provider's pace, and its health. See `otherwise`. */
const flowOf = ({ breaker, gate, pace, sending }: Guard, clock: Clock.Clock): Flow => {
  const now = steadyMillis(clock)
  const resting = untilOnClock(breaker.closedFrom(now), clock)
  const plain = breaker.room(now)
  // One that has been let in and has not had its turn yet will take one.
  const entered = gate.running - sending
  if (plain !== Number.POSITIVE_INFINITY || pace === null) {
    return { room: Number.POSITIVE_INFINITY, plain, named: Number.POSITIVE_INFINITY, worth: 1, more: resting }
  }
  const room = Math.max(0, pace.room(now) - entered)
  return { room, plain: room, named: room, worth: pace.worth, more: onClock(pace.opens(pace.worth + entered), clock) }
}

/**
 * Sends through channels and protects their providers: a circuit breaker for each account with a provider, its pace, and
 * how many sends it gets at once. The account is the service's own, or the one that a merchant connected: trouble with
 * one of them stops no message of the others. Each process knows only what it has seen itself.
 */
export class Senders extends Context.Service<
  Senders,
  {
    /** One send, or the reason why none was made. It answers within the deadline, whatever the provider does. */
    readonly send: (channel: Channel, message: Message) => Effect.Effect<SendOutcome>
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
    /** How a channel's provider is, as far as this process has seen. */
    readonly health: (channel: Channel, now: Instant) => Health
    /** Whether such a message can be expected to go out, by the merchant's account of that id or, null, by ours. */
    readonly state: (channel: Channel, kind: MessageKind, accountId: string | null, now: Instant) => ChannelState
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
      const breakers = new Map<string, Breaker>()
      const ofAccounts = new Map<string, Breaker>()
      const guards = new WeakMap<Channel, Guard>()

      const breakerOf = (provider: string): Breaker => {
        const known = breakers.get(provider)
        if (known !== undefined) return known
        const made = new Breaker()
        breakers.set(provider, made)
        sayResting(provider, made)
        return made
      }

      const accountKey = ({ provider }: Channel, id: string) => `${provider} ${id}`

      /** The breaker of the account that a message goes out by. */
      const breakerFor = ({ breaker }: Guard, channel: Channel, { account }: Message): Breaker => {
        if (account === undefined) return breaker
        const key = accountKey(channel, account.id)
        const known = ofAccounts.get(key) ?? new Breaker()
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
          breaker: breakerOf(channel.provider),
          pace: perSecond === undefined ? null : new Pace(perSecond),
          gate: new Gate({ name: channel.name, places: atOnce, flow: () => flowOf(guard, clock) }),
          sending: 0,
          places: atOnce,
          bulk: new Bulk(perSecond, usualBulk),
          queue: Semaphore.makeUnsafe(1),
          faults: new Map()
        }
        guards.set(channel, guard)
        return guard
      }

      // A channel that was taken away leaves messages behind, and somebody has to say so.
      for (const name of ChannelName.literals) {
        const channel = channels.find(name)
        yield* jobs.pass(channel === undefined ? new Gate({ name, places: usualAtOnce }) : guardOf(channel).gate)
      }

      const unanswered = (channel: Channel) =>
        Effect.fail(
          new ChannelError({ channel: channel.name, reason: new OutcomeUnknown({ providerCode: "timeout" }) })
        )

      /** A channel was exchanged for one that can less while the message waited. */
      const unfit = ({ name }: Channel): SendOutcome => ({
        _tag: "Failed",
        error: new ChannelError({
          channel: name,
          reason: new Refused({ providerCode: "unsupported_message", because: "channel" })
        })
      })

      /** Only the callback of this channel may report about the message. Without one nothing is signed. */
      const signed = ({ accounts, callback, supports }: Channel, message: Message): Message => {
        if (callback === undefined) return message
        const referenceFrom = (sender: string) =>
          Reference.sign(keyring.current, message.reference, { callback: callback.name, sender })
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
              if (breaker.isOpen !== wasOpen) sayResting(channel.provider, breaker)
              const fault = error === undefined ? undefined : faultOf(error)
              if (fault === undefined) guard.faults.delete(message._tag)
              else guard.faults.set(message._tag, { fault, until: now + faultKept })
            })
          ),
          Effect.tapError((error) => noteOptOut(message, error)),
          Effect.match({
            onSuccess: (sent): SendOutcome => ({ _tag: "Sent", sent }),
            onFailure: (error): SendOutcome => ({ _tag: "Failed", error })
          })
        )

      /** `until` is a time of day: it becomes the moment at which a job runs again. */
      const unsent = (until: SteadyInstant) =>
        Effect.clockWith((clock) => Effect.succeed({ _tag: "Resting" as const, until: onClock(until, clock) }))

      const admitted = (guard: Guard, channel: Channel, message: Message) =>
        Effect.flatMap(steadyNow, (now): Effect.Effect<SendOutcome> => {
          const breaker = breakerFor(guard, channel, message)
          const recipient = recipientOf(message)
          const pass = breaker.admit(recipient, now)
          if (pass !== null) return sendOnce(guard, breaker, pass, channel, message)
          return unsent(breaker.admitsFrom(recipient, now) ?? now + trialTakes)
        })

      const inTurn = (guard: Guard, channel: Channel, message: Message) =>
        Effect.flatMap(steadyNow, (now) => {
          // One that the provider's rest turns away needs no turn.
          const isResting = breakerFor(guard, channel, message).room(now) === 0
          const wait = isResting ? 0 : (guard.pace?.turn(now) ?? 0)
          const send = admitted(guard, channel, message)
          return wait === 0 ? send : Effect.delay(send, wait)
        })

      const trafficOf = ({ gate, pace, places, sending }: Guard) => ({
        places,
        running: Math.max(gate.running, sending),
        pace
      })

      /** Waits for a moment at which nobody else wants to send. Null: it is now, and taken. */
      const turnInBulk = (
        guard: Guard,
        breaker: Breaker,
        isOver: (now: Instant) => boolean
      ): Effect.Effect<Exclude<BulkOutcome, { _tag: "Sent" }> | null> =>
        Effect.clockWith((clock) => {
          const { bulk } = guard
          const now = steadyMillis(clock)
          if (isOver(clock.currentTimeMillisUnsafe())) return Effect.succeed({ _tag: "NoTurn" as const })
          if (breaker.room(now) === 0) return unsent(breaker.closedFrom(now) ?? now + trialTakes)
          const traffic = trafficOf(guard)
          const wait = bulk.wait(traffic, now)
          if (wait > 0) return Effect.delay(turnInBulk(guard, breaker, isOver), Math.min(wait, looksEvery))
          bulk.begin(traffic, now)
          return Effect.succeed(null)
        })

      const inBulk = (guard: Guard, channel: Channel, message: Message, isOver: (now: Instant) => boolean) =>
        Effect.uninterruptibleMask((restore) =>
          Effect.flatMap(
            restore(guard.queue.withPermits(1)(turnInBulk(guard, breakerFor(guard, channel, message), isOver))),
            (refused): Effect.Effect<BulkOutcome> =>
              refused === null
                ? Effect.ensuring(
                    restore(admitted(guard, channel, message)),
                    Effect.sync(() => guard.bulk.ended())
                  )
                : Effect.succeed(refused)
          )
        )

      return Senders.of({
        sendInBulk: (channel, message, isOver) =>
          Effect.suspend(() =>
            mayCarry(channel, message)
              ? inBulk(guardOf(channel), channel, message, isOver)
              : Effect.succeed(unfit(channel))
          ),
        health: (channel, now) => {
          const steady = steadyMillis(clock)
          const health = breakerOf(channel.provider).health(steady)
          return health.until === null ? health : { ...health, until: now + (health.until - steady) }
        },
        bulkPerSecond: (channel) => guardOf(channel).bulk.perSecond,
        send: (channel, message) =>
          Effect.suspend(() => {
            if (!mayCarry(channel, message)) return Effect.succeed(unfit(channel))
            const guard = guardOf(channel)
            guard.sending++
            return Effect.ensuring(
              inTurn(guard, channel, message),
              Effect.sync(() => guard.sending--)
            )
          }),
        state: (channel, kind, accountId, now) => {
          const steady = steadyMillis(clock)
          const { breaker, faults } = guardOf(channel)
          const fault = accountId === null ? faults.get(kind) : undefined
          const own = accountId === null ? breaker : ofAccounts.get(accountKey(channel, accountId))
          const until = own?.closedFrom(steady) ?? null
          if (until !== null) return { _tag: "Resting", until: now + (until - steady) }
          return fault !== undefined && steady < fault.until
            ? { _tag: "TemplateFault", fault: fault.fault }
            : { _tag: "Working" }
        }
      })
    })
  )
}
