import { isChannelName, MessageKind, nameForm } from "@countersign/core/channel"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { BenchCheck } from "./ChannelCheck.ts"
import { kindsOf, reads, secretOf, sentOf, textOf, trial } from "./trial.ts"

const isPositive = (value: number | undefined) => value === undefined || (Number.isFinite(value) && value > 0)

/** A channel's description of itself. */
export const capabilityChecks: ReadonlyArray<BenchCheck> = [
  [
    "its name, provider, kinds and limits are valid and consistent",
    (bench) =>
      Effect.gen(function* () {
        const { channel } = yield* trial(bench)
        const { callback, limits, name, provider, supports } = channel
        assert.isTrue(isChannelName(name), `the name is of the form that names have: ${nameForm}`)
        assert.match(provider, /^[a-z][a-z0-9-]{0,39}$/, "provider is a short lower-case name")
        assert.isNotEmpty(supports.identityTypes)
        assert.strictEqual(new Set(supports.identityTypes).size, supports.identityTypes.length)
        assert.strictEqual(
          supports.identityTypes.includes("EMAIL"),
          name === "EMAIL",
          "e-mail goes to addresses, and only there"
        )
        const kinds = kindsOf(channel)
        assert.isNotEmpty(kinds)
        assert.strictEqual(new Set(kinds).size, kinds.length)
        for (const kind of kinds) assert.include(MessageKind, kind, "a kind of message that there is")
        assert.isTrue(
          !supports.receipts || callback !== undefined || bench.receiptsElsewhere,
          "a channel with receipts has a callback, or the kit's option `receiptsElsewhere` says how else they come"
        )
        if (callback !== undefined)
          assert.match(callback.name, /^[a-z0-9][a-z0-9-]{0,39}$/, "the callback's name is part of an address")
        assert.isTrue(isPositive(limits?.perSecond) && isPositive(limits?.atOnce), "limits are positive")
      })
  ],
  [
    "every supported kind of message arrives with its content",
    (bench) =>
      Effect.gen(function* () {
        const { channel, message, provider, send } = yield* trial(bench)
        for (const [n, kind] of kindsOf(channel).entries()) {
          const wanted = yield* message(n, { kind })
          sentOf(yield* send(wanted))
          const seen = (yield* provider.seen)[n]
          if (seen === undefined) return assert.fail(`${kind}: the provider was not asked`)
          assert.strictEqual(seen.to, wanted.to, `${kind}: the recipient on the wire`)
          assert.isTrue(reads(seen, secretOf(wanted)), `${kind}: what it brings does not reach the provider`)
          if (bench.carries === "text") assert.isTrue(reads(seen, textOf(wanted)), `${kind}: the text arrives changed`)
        }
      })
  ]
]
