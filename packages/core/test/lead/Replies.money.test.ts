import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Caller, type Settings } from "../../src/index.ts"
import { makeInbox, type InboxWorld, wrote } from "../fixtures/InboxWorld.ts"
import { moves, payIn } from "../fixtures/money.ts"
import { type Answer, accepted, refused, unknownOutcome } from "../fixtures/RecordingChannel.ts"
import { start, until } from "../fixtures/World.ts"
import { operator } from "../../src/foundation/outbox/AuditEntry.ts"

const phone = "919876543210"

/** An inbox with one customer message, where each reply costs 50. */
const paid = Effect.fnUntraced(function* (amount: number, answers: ReadonlyArray<Answer> = [accepted]) {
  const world = yield* makeInbox({ answers })
  const settings: Partial<Settings> = { billing: "PREPAID", prices: { WHATSAPP: 50 } }
  yield* Effect.orDie(world.merchants.changeSettings({ ...world.live, actor: operator }, settings))
  const { clientId, clientSecret } = world.keys.live
  const live: Caller = yield* Effect.orDie(world.merchants.authenticate(clientId, clientSecret))
  if (amount > 0) yield* payIn(world, live, amount)
  yield* world.arrive(wrote(phone, "hi", start))
  yield* until(Effect.map(Effect.orDie(world.leads.page(live, {})), (all) => all.length === 1))
  return { ...world, live }
})

const statusIs = ({ leads, live }: Pick<InboxWorld, "leads" | "live">, id: string, status: string) =>
  until(
    Effect.map(
      Effect.orDie(leads.messages(live, 1, {})),
      ({ items }) => items.find((one) => one.id === id)?.status === status
    )
  )

const receipt = ({ live, receipts }: InboxWorld, id: string, status: "SENT" | "DELIVERED" | "FAILED") =>
  receipts.record({
    reference: `${live.environment}.lead_1.dlv_${id.slice(4)}`,
    status,
    providerId: "wamid.out",
    providerCode: null
  })

describe("a reply with a price", () => {
  it.effect("is charged once, and is refused and not stored when the balance is too low", () =>
    Effect.gen(function* () {
      const world = yield* paid(99)
      const { id } = yield* world.leads.reply(world.live, 1, { text: "Yes" })
      yield* statusIs(world, id, "SENT")
      yield* receipt(world, id, "DELIVERED")
      const error = yield* Effect.flip(world.leads.reply(world.live, 1, { text: "And more" }))
      const amounts = { currency: "INR", price: 50, left: 49 }
      assert.deepInclude(error, { _tag: "PaymentRequired", channel: "WHATSAPP", why: "BALANCE", amounts })
      assert.lengthOf((yield* world.leads.messages(world.live, 1, {})).items, 2)
      assert.deepStrictEqual(yield* moves(world, world.live), ["TOP_UP 99", "SEND -50"])
    })
  )

  it.effect("is refunded once when it failed", () =>
    Effect.gen(function* () {
      const world = yield* paid(50, [refused("WHATSAPP")])
      const { id } = yield* world.leads.reply(world.live, 1, { text: "Yes" })
      yield* statusIs(world, id, "FAILED")
      yield* Effect.all([receipt(world, id, "FAILED"), receipt(world, id, "FAILED")])
      assert.deepStrictEqual(yield* moves(world, world.live), ["TOP_UP 50", "SEND -50", "REFUND 50"])
    })
  )

  it.effect(
    "that failed without an answer is charged again once when a receipt reports it sent and the balance allows it",
    () =>
      Effect.gen(function* () {
        const world = yield* paid(60, [unknownOutcome("WHATSAPP")])
        const { id } = yield* world.leads.reply(world.live, 1, { text: "Yes" })
        const given = ["TOP_UP 60", "SEND -50", "REFUND 50"]
        yield* TestClock.adjust("2 minutes")
        yield* statusIs(world, id, "FAILED")
        assert.deepStrictEqual(yield* moves(world, world.live), given)
        yield* receipt(world, id, "SENT")
        yield* receipt(world, id, "DELIVERED")
        assert.deepStrictEqual(yield* moves(world, world.live), [...given, "SEND -50"])

        const second = yield* paid(60, [unknownOutcome("WHATSAPP")])
        const reply = yield* second.leads.reply(second.live, 1, { text: "Yes" })
        yield* TestClock.adjust("2 minutes")
        yield* statusIs(second, reply.id, "FAILED")
        yield* payIn(second, second.live, -60)
        yield* receipt(second, reply.id, "SENT")
        yield* receipt(second, reply.id, "FAILED")
        yield* statusIs(second, reply.id, "FAILED")
        assert.deepStrictEqual(yield* moves(second, second.live), [...given, "CORRECTION -60"])
      })
  )
})
