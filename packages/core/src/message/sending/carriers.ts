import { Effect } from "effect"
import { mayCarry } from "../../foundation/delivery/carries.ts"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import { ChannelError, mayGoByOther, OutcomeUnknown, Refused } from "../../foundation/delivery/ChannelError.ts"
import type { Channels } from "../../foundation/delivery/Channels.ts"
import { carrierOf, chooseCarrier } from "../../foundation/delivery/chooseCarrier.ts"
import type { Message } from "../../foundation/delivery/Message.ts"
import type { Gates } from "./gates.ts"
import type { BulkOutcome, CarrierChoice, NoTurn, PassedOver, SendOutcome } from "./SendOutcome.ts"

type Failed = Extract<SendOutcome, { _tag: "Failed" }>

/** The channel was replaced by a less capable one while the message waited. */
const unfit = (channel: Channel): Failed => ({
  _tag: "Failed",
  carrier: carrierOf(channel),
  error: new ChannelError({
    channel: channel.name,
    reason: new Refused({ providerCode: "unsupported_message", because: "channel" })
  })
})

const waits = (outcome: BulkOutcome): boolean => outcome._tag === "NoTurn" && outcome.lane !== undefined

/** Marks the request as not repeatable: a carrier drops its own duplicates, but a retry may use another carrier. */
const once = (outcome: Failed): Failed => {
  const { channel, reason } = outcome.error
  if (reason._tag !== "OutcomeUnknown" || reason.repeatable !== true) return outcome
  const unknown = new OutcomeUnknown({ providerCode: reason.providerCode })
  return { ...outcome, error: new ChannelError({ channel, reason: unknown }) }
}

/** Chooses the carriers for a message, and their order. */
export const makeCarriers = (
  channels: Channels["Service"],
  /** A resting carrier comes last. */
  isResting: (channel: Channel) => boolean,
  waitFor: Gates["waitFor"]
) => {
  /** Returns the carriers for a message, in order. A merchant's own account belongs to one provider. */
  const carriersFor = (channel: Channel, message: Message): ReadonlyArray<Channel> => {
    if (channels.carriersOf(channel.name).length < 2 || channels.find(channel.name) !== channel) return [channel]
    const chosen = chooseCarrier(channels.rulesOf(channel.name), message.to, isResting)
    return message.account === undefined ? chosen : chosen.filter(({ accounts }) => accounts !== undefined)
  }

  const askAlone = (carrier: Channel, ask: (carrier: Channel) => Effect.Effect<BulkOutcome>) =>
    Effect.map(ask(carrier), (outcome) => (waits(outcome) ? waitFor([carrier]) : outcome))

  const askInOrder = Effect.fnUntraced(function* (
    carriers: ReadonlyArray<Channel>,
    ask: (carrier: Channel) => Effect.Effect<BulkOutcome>
  ) {
    const passedOver: Array<PassedOver> = []
    const full: Array<Channel> = []
    let without: NoTurn | null = null
    let resting: Extract<BulkOutcome, { _tag: "Resting" }> | null = null
    let failed: Failed | null = null
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
          if (!mayGoByOther(outcome.error)) return { ...once(outcome), ...(passedOver.length > 0 && { passedOver }) }
          // A carrier that may take the message later is preferred over one that refused it.
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

  /**
   * Tries the carriers of a message in order. Stops when a carrier has it, may have it, or reports a problem with the
   * recipient.
   */
  const byCarriers = (
    channel: Channel,
    message: Message,
    ask: (carrier: Channel) => Effect.Effect<BulkOutcome>,
    { avoid = [], only }: CarrierChoice = {}
  ): Effect.Effect<BulkOutcome> => {
    const chosen = carriersFor(channel, message)
    // Most channels have one carrier, so there is nothing to choose.
    if (channels.carriersOf(channel.name).length < 2 && avoid.length === 0) {
      return mayCarry(chosen[0]!, message) ? ask(chosen[0]!) : Effect.succeed(unfit(channel))
    }
    const fit = chosen.filter((carrier) => mayCarry(carrier, message))
    const withCarrier = fit.filter((carrier) => carrierOf(carrier) === only)
    const carriers = withCarrier.length > 0 ? withCarrier : fit.filter((carrier) => !avoid.includes(carrierOf(carrier)))
    const [first] = carriers
    if (first === undefined) return Effect.succeed(unfit(channel))
    return carriers.length === 1 ? askAlone(first, ask) : askInOrder(carriers, ask)
  }

  /** Returns the carriers that a channel's messages may use, if the channel is one of the service's own. */
  const allCarriers = (channel: Channel, accountId: string | null, to?: string): ReadonlyArray<Channel> => {
    const every = channels.find(channel.name) === channel ? channels.carriersOf(channel.name) : [channel]
    const taking =
      to === undefined || every.length < 2 ? every : chooseCarrier(channels.rulesOf(channel.name), to, () => false)
    const all = taking.length === 0 ? every : taking
    return accountId === null ? all : all.filter((each) => each === channel || each.accounts !== undefined)
  }

  return { allCarriers, byCarriers }
}
