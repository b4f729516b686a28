import { Clock, Effect, Exit, Hash } from "effect"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import { ChannelError, OutcomeUnknown, type TemplateFault } from "../../foundation/delivery/ChannelError.ts"
import { carrierOf, reporterOf } from "../../foundation/delivery/chooseCarrier.ts"
import type { Message } from "../../foundation/delivery/Message.ts"
import { OptOutListener } from "../../foundation/delivery/OptOutListener.ts"
import { Keyring } from "../../foundation/secret/Keyring.ts"
import { seconds } from "../../foundation/time/Instant.ts"
import { onClock, type SteadyInstant, steadyMillis } from "../../foundation/time/steadyTime.ts"
import { recordResting } from "./AccountHealth.ts"
import { type Breaker, type Pass, passEndOf } from "./Breaker.ts"
import type { Guard } from "./Guard.ts"
import * as Reference from "./Reference.ts"
import type { SendOutcome } from "./SendOutcome.ts"

/** How long a provider has to answer. */
const deadline = seconds(10)
/** While one send tries a resting provider, the others ask again after about this long. */
export const trialTakes = 250
/** How long a refused template counts as faulty. */
const faultKept = seconds(30)

/** The process keeps only a hash of the recipient, in memory. */
const recipientOf = ({ to }: Message): number => Hash.string(to)

const faultOf = (error: ChannelError): TemplateFault | undefined =>
  error.reason._tag === "Refused" ? error.reason.template : undefined

const unanswered = (channel: Channel) =>
  Effect.fail(new ChannelError({ channel: channel.name, reason: new OutcomeUnknown({ providerCode: "timeout" }) }))

/** Ends a send at the deadline. A channel that has answered already, such as the sandbox, needs no timer. */
const inTime = (channel: Channel, sent: ReturnType<Channel["send"]>): ReturnType<Channel["send"]> =>
  Exit.isExit(sent) ? sent : Effect.timeoutOrElse(sent, { duration: deadline, orElse: () => unanswered(channel) })

/** Converts `until` to wall-clock time, because a job runs again at it. */
export const unsent = (until: SteadyInstant) =>
  Effect.clockWith((clock) => Effect.succeed({ _tag: "Resting" as const, until: onClock(until, clock) }))

/** Sends one request to one carrier, or none if its breaker does not admit it. It always ends within the deadline. */
export const makeAskCarrier = Effect.gen(function* () {
  const clock = yield* Clock.Clock
  const keyring = yield* Keyring
  const { optedOut } = yield* OptOutListener

  /**
   * Signs the reference, so that only this channel's callback may report about the message. A channel without a
   * callback needs no signature.
   */
  const signed = (channel: Channel, message: Message): Message => {
    const { accounts, supports } = channel
    const callback = reporterOf(channel)
    if (callback === undefined) return message
    const referenceFrom = (sender: string) => Reference.sign(keyring.current, message.reference, { callback, sender })
    const hasSenders = accounts !== undefined || supports.senders !== undefined
    return { ...message, reference: referenceFrom(""), ...(hasSenders ? { referenceFrom } : {}) }
  }

  /**
   * Records an opt-out that a provider reports. A failure here does not change the send's result: the provider reports
   * the opt-out again with the next message.
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
    // Suspended, so that a channel that throws also returns its pass.
    Effect.onExitPrimitive(
      Effect.suspend(() => inTime(channel, channel.send(signed(channel, message)))),
      (exit) => {
        const now = steadyMillis(clock)
        const error = Exit.isFailure(exit)
          ? exit.cause.reasons.find((reason) => reason._tag === "Fail")?.error
          : undefined
        const wasOpen = breaker.isOpen
        breaker.ended(pass, passEndOf(exit), recipientOf(message), now)
        // An error of a merchant's account says nothing about the service's own account or templates.
        if (message.account !== undefined) return undefined
        if (breaker === guard.account.single && breaker.isOpen !== wasOpen) recordResting(channel, breaker)
        const fault = error === undefined ? undefined : faultOf(error)
        if (fault === undefined) guard.faults.delete(message._tag)
        else guard.faults.set(message._tag, { fault, until: now + faultKept })
        return undefined
      }
    ).pipe(
      Effect.matchEffect({
        onSuccess: (sent) => Effect.succeed<SendOutcome>({ _tag: "Sent", sent, carrier: carrierOf(channel) }),
        onFailure: (error) =>
          Effect.as(noteOptOut(message, error), { _tag: "Failed" as const, error, carrier: carrierOf(channel) })
      })
    )

  return (guard: Guard, breaker: Breaker, channel: Channel, message: Message): Effect.Effect<SendOutcome> =>
    Effect.suspend(() => {
      const now = steadyMillis(clock)
      const recipient = recipientOf(message)
      const pass = breaker.admit(recipient, now)
      if (pass !== null) return sendOnce(guard, breaker, pass, channel, message)
      return unsent(breaker.admitsFrom(recipient, now) ?? now + trialTakes)
    })
})

export type AskCarrier = Effect.Success<typeof makeAskCarrier>
