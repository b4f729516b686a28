import { Clock, Context, Effect, Layer } from "effect"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import type { TemplateFault } from "../../foundation/delivery/ChannelError.ts"
import { Channels } from "../../foundation/delivery/Channels.ts"
import type { Message, MessageKind } from "../../foundation/delivery/Message.ts"
import type { Jobs } from "../../foundation/outbox/Jobs.ts"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { steadyMillis } from "../../foundation/time/steadyTime.ts"
import { type AccountHealth, AccountHealths, bulkClosedFrom } from "./AccountHealth.ts"
import { makeAskCarrier } from "./askCarrier.ts"
import type { Health } from "./Breaker.ts"
import { BulkPerSecond } from "./Bulk.ts"
import { makeCarriers } from "./carriers.ts"
import { makeGates } from "./gates.ts"
import { makeGuardOf } from "./Guard.ts"
import type { BulkOutcome, CarrierChoice } from "./SendOutcome.ts"
import { makeTurns } from "./turns.ts"

/** Whether a channel can be expected to carry such a message right now, as far as this process has seen. */
export type ChannelState =
  | { readonly _tag: "Working" }
  | { readonly _tag: "Resting"; readonly until: Instant }
  | { readonly _tag: "TemplateFault"; readonly fault: TemplateFault }

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
>()("@countersign/core/sending/Senders") {
  static readonly layer: Layer.Layer<Senders, never, Channels | Jobs | Keyring> = Layer.effect(
    Senders,
    Effect.gen(function* () {
      const channels = yield* Channels
      const clock = yield* Clock.Clock
      const healths = new AccountHealths()
      const guardOf = makeGuardOf(healths, yield* BulkPerSecond)
      const gates = yield* makeGates(guardOf)
      const { inBulk, single } = makeTurns(guardOf, healths, gates, yield* makeAskCarrier)
      // One that is being tried again does not count as resting: its one send shows whether it is back.
      const isResting = (channel: Channel) => guardOf(channel).account.single.room(steadyMillis(clock)) === 0
      const { allCarriers, byCarriers } = makeCarriers(channels, isResting, gates.waitFor)

      const knownHealth = (channel: Channel, accountId: string | null): AccountHealth | undefined =>
        accountId === null ? guardOf(channel).account : healths.known(channel, accountId)

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

      return Senders.of({
        sendInBulk: (channel, message, isOver) =>
          Effect.suspend(() => byCarriers(channel, message, inBulk(message, isOver))),
        health: (channel, now) => {
          const steady = steadyMillis(clock)
          const health = healths.ofCarrier(channel).single.health(steady)
          return health.until === null ? health : { ...health, until: now + (health.until - steady) }
        },
        bulkPerSecond: (channel) => guardOf(channel).bulk.perSecond,
        send: (channel, message, choice) => Effect.suspend(() => byCarriers(channel, message, single(message), choice)),
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
