import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Caller, seenPreview } from "../../src/index.ts"
import type { Inbound } from "../../src/index.channel.ts"
import { did, makeInbox, signedInAs, wrote } from "../fixtures/InboxWorld.ts"
import { start, until } from "../fixtures/World.ts"

describe("the latest message in a list of leads", () => {
  it.effect("is one short line, follows edits and deletions, and is masked before it is cut", () =>
    Effect.gen(function* () {
      const world = yield* makeInbox()
      const viewer = signedInAs(world.live, 9, "VIEWER")
      const arrives = Effect.fnUntraced(function* (...inbound: ReadonlyArray<Inbound.Inbound>) {
        const before = yield* preview(world.live)
        yield* world.arrive(...inbound)
        yield* until(Effect.map(preview(world.live), (after) => after !== before))
      })
      const preview = (caller: Pick<Caller, "person">) =>
        Effect.map(Effect.orDie(world.leads.list(world.live, {})), ({ items: [row] }) =>
          row?.last == null ? null : seenPreview(caller, row.last).text
        )
      const number = "919876543210"
      yield* arrives(wrote(number, "Hello", start - 9_000))
      assert.strictEqual(yield* preview(world.live), "Hello")
      // The cut ends inside the number: half a number would not look like one to the mask.
      const long = wrote(number, `${"a ".repeat(77)}a\n${number} is my number`, start - 8_000)
      yield* arrives(long)
      const [open, masked] = [yield* preview(world.live), yield* preview(viewer)]
      assert.isAtMost(open!.length, 160)
      assert.include(open, "9198")
      assert.notInclude(masked, "9198")
      yield* arrives(
        did("Edit", number, start - 7_000, { messageId: long.id, text: long.text }),
        wrote(number, "In blue?", start - 6_000)
      )
      assert.strictEqual(yield* preview(world.live), "In blue?")
      yield* arrives(
        did("Edit", number, start - 5_000, {
          messageId: yield* latestId(world),
          text: wrote(number, "In red?", 0).text
        })
      )
      assert.strictEqual(yield* preview(world.live), "In red?")
      yield* arrives(did("Deletion", number, start - 4_000, { messageId: yield* latestId(world) }))
      assert.isNull(yield* preview(world.live))
      yield* world.leads.reply(world.live, 1, { text: "Which size?" })
      assert.strictEqual(yield* preview(world.live), "Which size?")
    })
  )
})

const latestId = (world: Effect.Success<ReturnType<typeof makeInbox>>) =>
  Effect.map(world.leads.messages(world.live, 1, { limit: 1 }), ({ items }) => items[0]!.providerId!)
