import { Effect } from "effect"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import { carrierOf } from "../../foundation/delivery/chooseCarrier.ts"
import type { Message } from "../../foundation/delivery/Message.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import { steadyMillis, steadyNow } from "../../foundation/time/steadyTime.ts"
import { type AccountHealth, type AccountHealths, bulkClosedFrom } from "./AccountHealth.ts"
import { type AskCarrier, trialTakes, unsent } from "./askCarrier.ts"
import { type Gates, laneOf } from "./gates.ts"
import type { Guard } from "./Guard.ts"
import type { BulkOutcome, NoTurn } from "./SendOutcome.ts"

const noTurn: NoTurn = { _tag: "NoTurn" }
/** What waits for a turn in bulk looks so often whether it is still wanted. */
const looksEvery = seconds(1)

/** Sends by one carrier when it is the message's turn. */
export const makeTurns = (
  guardOf: (channel: Channel) => Guard,
  healths: AccountHealths,
  { isFull, trafficOf }: Gates,
  ask: AskCarrier
) => {
  /** The health of the account that a message goes out by. */
  const healthFor = ({ account }: Guard, channel: Channel, message: Message): AccountHealth =>
    message.account === undefined ? account : healths.ofAccount(channel, message.account.id)

  const inTurn = (guard: Guard, channel: Channel, message: Message) =>
    Effect.flatMap(steadyNow, (now) => {
      // One that the provider's rest turns away needs no turn.
      const breaker = healthFor(guard, channel, message).single
      const isResting = breaker.room(now) === 0
      const wait = isResting ? 0 : (guard.pace?.turn(now) ?? 0)
      const send = ask(guard, breaker, channel, message)
      return wait === 0 ? send : Effect.delay(send, wait)
    })

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

  return {
    /** Sends a message that somebody waits for: when the carrier's pace allows, unless the carrier is full. */
    single: (message: Message) => (channel: Channel) =>
      Effect.suspend((): Effect.Effect<BulkOutcome> => {
        const guard = guardOf(channel)
        if (isFull(guard)) return Effect.succeed({ _tag: "NoTurn", lane: laneOf([carrierOf(channel)]) })
        guard.sending++
        return Effect.ensuring(
          inTurn(guard, channel, message),
          Effect.sync(() => guard.sending--)
        )
      }),

    /** Sends a message behind all others of the carrier, while `isOver` does not say that it is not wanted any more. */
    inBulk: (message: Message, isOver: (now: Instant) => boolean) => (channel: Channel) =>
      Effect.uninterruptibleMask((restore) => {
        const guard = guardOf(channel)
        const health = healthFor(guard, channel, message)
        return Effect.flatMap(
          restore(guard.queue.withPermits(1)(turnInBulk(guard, health, isOver))),
          (refused): Effect.Effect<BulkOutcome> =>
            refused === null
              ? Effect.ensuring(
                  restore(ask(guard, health.bulk, channel, message)),
                  Effect.sync(() => guard.bulk.ended())
                )
              : Effect.succeed(refused)
        )
      })
  }
}
