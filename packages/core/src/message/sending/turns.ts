import { type Clock, Effect } from "effect"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import { carrierOf } from "../../foundation/delivery/chooseCarrier.ts"
import type { Message } from "../../foundation/delivery/Message.ts"
import { type Instant, seconds } from "../../foundation/time/Instant.ts"
import { steadyMillis } from "../../foundation/time/steadyTime.ts"
import { type AccountHealth, type AccountHealthMap, bulkBlockedUntil } from "./AccountHealth.ts"
import { type AskCarrier, trialTakes, unsent } from "./askCarrier.ts"
import { type Gates, laneOf } from "./gates.ts"
import type { Guard } from "./Guard.ts"
import type { BulkOutcome, NoTurn } from "./SendOutcome.ts"

const noTurn: NoTurn = { _tag: "NoTurn" }
/** How often a waiting bulk message checks whether it is still needed. */
const looksEvery = seconds(1)

/** Sends a message through one carrier when it is the message's turn. */
export const makeTurns = (
  guardOf: (channel: Channel) => Guard,
  healths: AccountHealthMap,
  { isFull, trafficOf }: Gates,
  ask: AskCarrier,
  clock: Clock.Clock
) => {
  /** Returns the health of the account that a message uses. */
  const healthFor = ({ account }: Guard, channel: Channel, message: Message): AccountHealth =>
    message.account === undefined ? account : healths.ofAccount(channel, message.account.id)

  const inTurn = (guard: Guard, channel: Channel, message: Message) => {
    const now = steadyMillis(clock)
    // A resting provider refuses the message immediately, so it needs no turn.
    const breaker = healthFor(guard, channel, message).single
    const isResting = breaker.room(now) === 0
    const wait = isResting ? 0 : (guard.pace?.turn(now) ?? 0)
    const send = ask(guard, breaker, channel, message)
    return wait === 0 ? send : Effect.delay(send, wait)
  }

  /** Waits until a bulk message may go. Returns null once it has taken a turn. */
  const turnInBulk = (
    guard: Guard,
    health: AccountHealth,
    isOver: (now: Instant) => boolean
  ): Effect.Effect<Exclude<BulkOutcome, { _tag: "Sent" }> | null> =>
    Effect.suspend(() => {
      const { bulk } = guard
      const now = steadyMillis(clock)
      if (isOver(clock.currentTimeMillisUnsafe())) return Effect.succeed(noTurn)
      const blockedUntil = bulkBlockedUntil(health, now)
      if (blockedUntil !== null || health.bulk.room(now) === 0) return unsent(blockedUntil ?? now + trialTakes)
      const traffic = trafficOf(guard)
      const wait = bulk.wait(traffic, now)
      if (wait > 0) return Effect.delay(turnInBulk(guard, health, isOver), Math.min(wait, looksEvery))
      bulk.begin(traffic, now)
      return Effect.succeed(null)
    })

  return {
    /** Sends a single message when the carrier's pace allows, unless the carrier is full. */
    single:
      (message: Message) =>
      (channel: Channel): Effect.Effect<BulkOutcome> => {
        const guard = guardOf(channel)
        if (isFull(guard)) return Effect.succeed({ _tag: "NoTurn", lane: laneOf([carrierOf(channel)]) })
        let isCounted = false
        const send = Effect.suspend(() => {
          guard.sending++
          isCounted = true
          return inTurn(guard, channel, message)
        })
        // Counted inside, so that an interruption at any step ends the count.
        return Effect.onExitPrimitive(send, () => {
          if (isCounted) guard.sending--
          return undefined
        })
      },

    /** Sends a bulk message after all others of the carrier, unless `isOver` returns true first. */
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
