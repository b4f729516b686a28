import { Cause, Clock, Context, Effect, Exit, Hash, Layer, Semaphore } from "effect"
import { type Instant, seconds } from "../time/Instant.ts"
import { Breaker, type Pass, type PassEnd } from "./Breaker.ts"
import { mayCarry } from "./carries.ts"
import type { Channel, Sent } from "./Channel.ts"
import { ChannelError, OutcomeUnknown, Refused, type TemplateFault } from "./ChannelError.ts"
import type { Message } from "./Message.ts"
import { Pace } from "./Pace.ts"

/** A provider that has not answered by then is taken not to answer. */
const deadline = seconds(10)
/** Where every place is taken, somebody comes back after about this long. */
const busyFor = 250
/** How long a template that the provider refused is taken to be still refused. */
const faultKept = seconds(30)
const usualAtOnce = 100

/** What became of the wish to send. */
export type SendOutcome =
  | { readonly _tag: "Sent"; readonly sent: Sent }
  | { readonly _tag: "Failed"; readonly error: ChannelError }
  /** Nothing was sent: the provider's pace or its places are used up until then. */
  | { readonly _tag: "ComeBack"; readonly at: Instant }
  /** Nothing was sent: the provider has been failing, and nobody asks it before then. */
  | { readonly _tag: "Resting"; readonly until: Instant }

/** Whether a channel can be expected to work right now, as far as this process has seen. */
export type ChannelState =
  | { readonly _tag: "Working" }
  | { readonly _tag: "Resting"; readonly until: Instant }
  | { readonly _tag: "TemplateFault"; readonly fault: TemplateFault }

interface Gate {
  readonly breaker: Breaker
  readonly pace: Pace | null
  readonly places: Semaphore.Semaphore
  fault: { readonly fault: TemplateFault; readonly until: Instant } | null
}

const endOf = (exit: Exit.Exit<Sent, ChannelError>, error: ChannelError | undefined): PassEnd => {
  if (Exit.isSuccess(exit) || error?.reason._tag === "Refused") return "answered"
  return Cause.hasInterruptsOnly(exit.cause) ? "interrupted" : "failed"
}

const faultOf = (error: ChannelError): TemplateFault | undefined =>
  error.reason._tag === "Refused" ? error.reason.template : undefined

/**
 * Sends through channels and protects their providers: a breaker for each provider, its pace, and how many sends it
 * gets at once. One provider's trouble is no other's. What it knows is this process's own.
 */
export class Senders extends Context.Service<
  Senders,
  {
    /** One send, or the reason why none was made. It answers within the deadline, whatever the provider does. */
    readonly send: (channel: Channel, message: Message) => Effect.Effect<SendOutcome>
    readonly state: (channel: Channel, now: Instant) => ChannelState
  }
>()("@countersign/core/delivery/Senders") {
  static readonly layer: Layer.Layer<Senders> = Layer.sync(Senders, () => {
    const breakers = new Map<string, Breaker>()
    const gates = new WeakMap<Channel, Gate>()

    const breakerOf = (provider: string): Breaker => {
      const known = breakers.get(provider) ?? new Breaker()
      breakers.set(provider, known)
      return known
    }

    const gateOf = (channel: Channel): Gate => {
      let gate = gates.get(channel)
      if (gate === undefined) {
        const { atOnce = usualAtOnce, perSecond } = channel.limits ?? {}
        gate = {
          breaker: breakerOf(channel.provider),
          pace: perSecond === undefined ? null : new Pace(perSecond),
          places: Semaphore.makeUnsafe(atOnce),
          fault: null
        }
        gates.set(channel, gate)
      }
      return gate
    }

    const unanswered = (channel: Channel) =>
      Effect.fail(new ChannelError({ channel: channel.name, reason: new OutcomeUnknown({ providerCode: "timeout" }) }))

    /** A channel was exchanged for one that can less while the message waited. */
    const unfit = ({ name }: Channel): SendOutcome => ({
      _tag: "Failed",
      error: new ChannelError({
        channel: name,
        reason: new Refused({ providerCode: "unsupported_message", because: "channel" })
      })
    })

    const sendOnce = (gate: Gate, pass: Pass, channel: Channel, message: Message): Effect.Effect<SendOutcome> =>
      channel.send(message).pipe(
        Effect.timeoutOrElse({ duration: deadline, orElse: () => unanswered(channel) }),
        Effect.onExit((exit) =>
          Effect.map(Clock.currentTimeMillis, (now) => {
            const error = Exit.isFailure(exit)
              ? exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
              : undefined
            // A hash in memory is all that is kept of the recipient.
            gate.breaker.ended(pass, endOf(exit, error), Hash.string(message.to), now)
            const fault = error === undefined ? undefined : faultOf(error)
            gate.fault = fault === undefined ? null : { fault, until: now + faultKept }
          })
        ),
        Effect.match({
          onSuccess: (sent): SendOutcome => ({ _tag: "Sent", sent }),
          onFailure: (error): SendOutcome => ({ _tag: "Failed", error })
        })
      )

    const admitted = (gate: Gate, channel: Channel, message: Message) =>
      Effect.flatMap(Clock.currentTimeMillis, (now): Effect.Effect<SendOutcome> => {
        const pass = gate.breaker.admit(now)
        if (pass !== null) return sendOnce(gate, pass, channel, message)
        return Effect.succeed({ _tag: "Resting", until: gate.breaker.closedFrom(now) ?? now + busyFor })
      })

    const send = Effect.fnUntraced(function* (channel: Channel, message: Message) {
      if (!mayCarry(channel, message)) return unfit(channel)
      const gate = gateOf(channel)
      const asked = yield* Clock.currentTimeMillis
      const turn = gate.pace?.turn(message.deliveryId, asked)
      if (turn?._tag === "ComeBack") return turn
      if (turn !== undefined && turn.millis > 0) yield* Effect.sleep(turn.millis)
      const outcome = yield* gate.places.withPermitsIfAvailable(1)(admitted(gate, channel, message))
      if (outcome._tag === "Some") return outcome.value
      const full: SendOutcome = { _tag: "ComeBack", at: (yield* Clock.currentTimeMillis) + busyFor }
      return full
    })

    return Senders.of({
      send,
      state: (channel, now) => {
        const { breaker, fault } = gateOf(channel)
        const until = breaker.closedFrom(now)
        if (until !== null) return { _tag: "Resting", until }
        return fault !== null && now < fault.until ? { _tag: "TemplateFault", fault: fault.fault } : { _tag: "Working" }
      }
    })
  })
}
