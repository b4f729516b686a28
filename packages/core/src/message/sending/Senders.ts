import { Clock, Context, Effect, Layer } from "effect"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import type { TemplateFault } from "../../foundation/delivery/ChannelError.ts"
import { Channels } from "../../foundation/delivery/Channels.ts"
import type { Message, MessageKind } from "../../foundation/delivery/Message.ts"
import type { Jobs } from "../../foundation/outbox/Jobs.ts"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { steadyMillis } from "../../foundation/time/steadyTime.ts"
import { type AccountHealth, AccountHealthMap, bulkBlockedUntil } from "./AccountHealth.ts"
import { makeAskCarrier } from "./askCarrier.ts"
import type { Health } from "./Breaker.ts"
import { BulkPerSecond } from "./Bulk.ts"
import { makeCarriers } from "./carriers.ts"
import { makeGates } from "./gates.ts"
import { makeGuardOf } from "./Guard.ts"
import type { BulkOutcome, CarrierChoice } from "./SendOutcome.ts"
import { makeTurns } from "./turns.ts"

/** Whether a channel can carry such a message right now, as observed by this process. */
export type ChannelState =
  | { readonly _tag: "Working" }
  | { readonly _tag: "Resting"; readonly until: Instant }
  | { readonly _tag: "TemplateFault"; readonly fault: TemplateFault }

/**
 * Sends through channels and protects their providers. Each account with a provider has a circuit breaker, a pace, and
 * a limit on concurrent sends. An account is the service's own or one that a merchant connected. Trouble with one
 * account does not stop messages of the others. Each process knows only what it has observed itself.
 */
export class Senders extends Context.Service<
  Senders,
  {
    /**
     * Sends a message once, or returns why it was not sent. If a carrier certainly did not take the message, or has no
     * turn, the next carrier is tried immediately. Returns `NoTurn` if no carrier has a turn. Every carrier ends within
     * the deadline.
     */
    readonly send: (channel: Channel, message: Message, choice?: CarrierChoice) => Effect.Effect<BulkOutcome>
    /**
     * Sends a bulk message, after all single messages and in order of request. It calls `isOver` at each look for a
     * turn, the last time right before the send. If that returns true, nothing is sent.
     */
    readonly sendInBulk: (
      channel: Channel,
      message: Message,
      isOver: (now: Instant) => boolean
    ) => Effect.Effect<BulkOutcome>
    /** Returns the maximum number of bulk messages a second that this process sends over a channel. */
    readonly bulkPerSecond: (channel: Channel) => number
    /** Returns the health of a carrier's provider, as observed by this process. */
    readonly health: (channel: Channel, now: Instant) => Health
    /**
     * Returns whether such a message can go out, through the merchant's account with this id or, if null, through the
     * service's own. A channel works if one of the carriers for `to` works.
     */
    readonly state: (
      channel: Channel,
      kind: MessageKind,
      accountId: string | null,
      now: Instant,
      to?: string
    ) => ChannelState
    /** Returns when bulk messages can go out again through that account; null when they can now. */
    readonly bulkRestsUntil: (channel: Channel, accountId: string | null, now: Instant) => Instant | null
  }
>()("@countersign/core/sending/Senders") {
  static readonly layer: Layer.Layer<Senders, never, Channels | Jobs | Keyring> = Layer.effect(
    Senders,
    Effect.gen(function* () {
      const channels = yield* Channels
      const clock = yield* Clock.Clock
      const healths = new AccountHealthMap()
      const guardOf = makeGuardOf(healths, yield* BulkPerSecond)
      const gates = yield* makeGates(guardOf)
      const { inBulk, single } = makeTurns(guardOf, healths, gates, yield* makeAskCarrier, clock)
      // A carrier that admits a trial is not resting: the trial shows whether it works again.
      const isResting = (channel: Channel) => guardOf(channel).account.single.room(steadyMillis(clock)) === 0
      const { allCarriers, byCarriers } = makeCarriers(channels, isResting, gates.waitFor)

      const knownHealth = (channel: Channel, accountId: string | null): AccountHealth | undefined =>
        accountId === null ? guardOf(channel).account : healths.peek(channel, accountId)

      const stateOf = (channel: Channel, kind: MessageKind, accountId: string | null, now: Instant): ChannelState => {
        const steady = steadyMillis(clock)
        const { faults } = guardOf(channel)
        const fault = accountId === null ? faults.get(kind) : undefined
        const until = knownHealth(channel, accountId)?.single.blockedUntil(steady) ?? null
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
            return health === undefined ? null : bulkBlockedUntil(health, steady)
          })
          return rests.includes(null) ? null : now + (Math.min(...rests.flatMap((rest) => rest ?? [])) - steady)
        }
      })
    })
  )
}
