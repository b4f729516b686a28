import {
  type ChannelError,
  type LineFact,
  type LineFacts,
  type LineInfo,
  LineInfoError
} from "@countersign/core/channel"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Clock, Effect, Exit, Fiber, Option, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { overheard, printed } from "../channel/Overheard.ts"
import { formsOf } from "../channel/secretForms.ts"
import { unreachableUrl } from "../channel/trial.ts"
import type { Line, LineInfoBehaviour, LineInfoDouble } from "./LineInfoDouble.ts"

export interface Options {
  readonly provider: Effect.Effect<LineInfoDouble, unknown, Scope.Scope>
  /** Connects the adapter to a double, or to an unreachable address in the same form. */
  readonly make: (url: string, provider: LineInfoDouble) => Effect.Effect<LineInfo, unknown, Scope.Scope>
  /** The adapter's secrets, such as an auth token. */
  readonly secrets?: ReadonlyArray<string>
}

type Check = Effect.Effect<void, unknown, Scope.Scope>

const asha = "+919876543210"
const ravi = "+919876543211"
const hour = 3_600_000
const day = 24 * hour
const since = "2025-01-31"

/** Real time: no test clock moves the network. */
const patience = "10 seconds"
const arrives = <A>(effect: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.map(TestClock.withLive(Effect.timeoutOption(effect, patience)), (found) =>
    Option.isSome(found) ? found.value : assert.fail("the lookup does not end, though the provider has answered")
  )

type LookupExit = Exit.Exit<Partial<LineFacts>, LineInfoError>

const trial = Effect.fnUntraced(function* (options: Options, url?: string) {
  yield* TestClock.setTime(Date.UTC(2026, 0, 31))
  const provider = yield* options.provider
  const adapter = yield* options.make(url ?? provider.url, provider)
  const begin = (number: string, facts: ReadonlyArray<LineFact> = adapter.facts) =>
    Effect.forkChild(adapter.lookUp({ number, facts, simSwapHours: 48, recycledSince: since }), {
      startImmediately: true
    })
  const lookUp = (number: string, facts?: ReadonlyArray<LineFact>): Effect.Effect<LookupExit> =>
    Effect.flatMap(begin(number, facts), (fiber) => arrives(Fiber.await(fiber)))
  const asked = (times: number) =>
    arrives(
      Effect.gen(function* () {
        while ((yield* provider.seen).length < times) yield* Effect.sleep(2)
      })
    )
  return { adapter, provider, begin, lookUp, asked }
})

const factsOf = (exit: LookupExit): Partial<LineFacts> =>
  Exit.isSuccess(exit) ? exit.value : assert.fail(`the lookup failed: ${Cause.pretty(exit.cause)}`)

const reasonOf = (exit: LookupExit): ChannelError["reason"] => {
  if (Exit.isSuccess(exit)) return assert.fail("the lookup succeeded")
  const [reason, ...more] = exit.cause.reasons
  if (reason?._tag !== "Fail" || more.length > 0 || !(reason.error instanceof LineInfoError)) {
    return assert.fail(`the lookup does not fail with a LineInfoError: ${Cause.pretty(exit.cause)}`)
  }
  assert.match(reason.error.reason.providerCode, /^[!-~][ -~]{0,99}$/, "a provider code is a short name, not a text")
  return reason.error.reason
}

/** The facts of a lookup that are known, and of those only the requested ones. */
const known = (facts: Partial<LineFacts>, requested: ReadonlyArray<LineFact>) =>
  Object.fromEntries(
    Object.entries(facts).filter(([fact, value]) => value !== null && requested.some((r) => r === fact))
  )

const linesAt = (now: number): { readonly [name in "quiet" | "moved"]: Line } => ({
  quiet: { number: asha, type: "mobile", carrier: "Acme Mobile", simSwappedAt: now - 400 * day },
  moved: {
    number: ravi,
    type: "nonFixedVoip",
    carrier: "Acme Voice",
    simSwappedAt: now - hour,
    ownerSince: "2025-06-01"
  }
})

const expected = (adapter: LineInfo, { carrier, ownerSince, simSwappedAt, type }: Line, now: number) => {
  const all: { readonly [fact in LineFact]: unknown } = {
    type,
    carrier,
    simSwapped: simSwappedAt !== undefined && now - simSwappedAt <= 48 * hour,
    simSwappedAt,
    recycled: ownerSince !== undefined && ownerSince > since
  }
  return Object.fromEntries(adapter.facts.map((fact) => [fact, all[fact]]))
}

const truths = (options: Options): ReadonlyArray<readonly [string, Check]> => [
  [
    "the facts are those of the number, in the words of the port",
    Effect.gen(function* () {
      const { adapter, lookUp, provider } = yield* trial(options)
      const now = yield* Clock.currentTimeMillis
      const { moved, quiet } = linesAt(now)
      for (const line of [quiet, moved]) {
        yield* provider.know(line)
        const facts = factsOf(yield* lookUp(line.number))
        assert.deepStrictEqual(known(facts, adapter.facts), expected(adapter, line, now))
      }
    })
  ],
  [
    "a lookup of one fact tells it",
    Effect.gen(function* () {
      const { adapter, lookUp, provider } = yield* trial(options)
      const now = yield* Clock.currentTimeMillis
      const { moved } = linesAt(now)
      yield* provider.know(moved)
      for (const fact of adapter.facts) {
        const facts = factsOf(yield* lookUp(moved.number, [fact]))
        assert.deepStrictEqual(facts[fact], expected(adapter, moved, now)[fact])
      }
    })
  ],
  [
    "concurrent lookups do not mix",
    Effect.gen(function* () {
      const { adapter, lookUp, provider } = yield* trial(options)
      const now = yield* Clock.currentTimeMillis
      const { moved, quiet } = linesAt(now)
      yield* provider.know(moved)
      yield* provider.know(quiet)
      const lines = [quiet, moved, quiet, moved, moved, quiet]
      const exits = yield* Effect.all(
        lines.map(({ number }) => lookUp(number)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        exits.map((exit) => known(factsOf(exit), adapter.facts)),
        lines.map((line) => expected(adapter, line, now))
      )
    })
  ],
  [
    "a number that the provider does not know is an answer without facts, and no failure",
    Effect.gen(function* () {
      const { adapter, lookUp } = yield* trial(options)
      assert.deepStrictEqual(known(factsOf(yield* lookUp(asha)), adapter.facts), {})
    })
  ],
  [
    "a provider without a value for a fact leaves it unknown, and never guesses",
    Effect.gen(function* () {
      const { adapter, lookUp, provider } = yield* trial(options)
      yield* provider.know({ number: asha, type: "mobile", carrier: "Acme Mobile" })
      yield* provider.play("silent")
      assert.deepStrictEqual(known(factsOf(yield* lookUp(asha)), adapter.facts), {})
    })
  ],
  [
    "values of other types than documented are unknown facts or an unknown outcome, and never facts",
    Effect.gen(function* () {
      const { adapter, lookUp, provider } = yield* trial(options)
      yield* provider.know({ number: asha })
      yield* provider.play("strange")
      const exit = yield* lookUp(asha)
      if (Exit.isSuccess(exit)) assert.deepStrictEqual(known(exit.value, adapter.facts), {})
      else assert.strictEqual(reasonOf(exit)._tag, "OutcomeUnknown")
    })
  ],
  [
    "the adapter names its provider and the facts that it tells",
    Effect.gen(function* () {
      const { adapter } = yield* trial(options)
      assert.match(adapter.provider, /^[a-z0-9][a-z0-9._-]{0,63}$/i)
      assert.isNotEmpty(adapter.facts)
      assert.strictEqual(new Set(adapter.facts).size, adapter.facts.length)
    })
  ]
]

interface Trouble {
  readonly what: string
  readonly play: LineInfoBehaviour
  readonly as: ReadonlyArray<"OutcomeUnknown" | "Refused" | "Unavailable">
}

const troubles: ReadonlyArray<Trouble> = [
  { what: "an overloaded provider", play: "overloaded", as: ["Unavailable"] },
  { what: "503", play: "unavailable", as: ["Unavailable"] },
  { what: "500", play: "broken", as: ["OutcomeUnknown"] },
  { what: "an unreadable answer", play: "garbled", as: ["OutcomeUnknown"] },
  { what: "an answer of 64 MB", play: "huge", as: ["OutcomeUnknown"] },
  { what: "a connection that closes without an answer", play: "slam", as: ["OutcomeUnknown"] },
  { what: "an account that the provider does not know", play: "unknownAccount", as: ["Refused"] }
]

const failures = (options: Options): ReadonlyArray<readonly [string, Check]> =>
  troubles.map(({ as, play, what }) => [
    `${what} is ${as.join(" or ")}, and the next lookup works`,
    Effect.gen(function* () {
      const { adapter, lookUp, provider } = yield* trial(options)
      const [fact] = adapter.facts
      const now = yield* Clock.currentTimeMillis
      const { moved } = linesAt(now)
      yield* provider.know(moved)
      yield* provider.play(play)
      const reason = reasonOf(yield* lookUp(moved.number, [fact!]))
      assert.include(as, reason._tag)
      if (play === "unknownAccount") assert.strictEqual("because" in reason ? reason.because : null, "account")
      if (play === "overloaded" && provider.retryAfterSeconds !== undefined && reason._tag === "Unavailable") {
        assert.strictEqual(reason.retryAfterSeconds, provider.retryAfterSeconds, "the provider's own wish is kept")
      }
      yield* provider.play("accepted")
      assert.deepStrictEqual(factsOf(yield* lookUp(moved.number, [fact!]))[fact!], expected(adapter, moved, now)[fact!])
    })
  ])

const waits = (options: Options): ReadonlyArray<readonly [string, Check]> => [
  [
    "an unreachable provider is Unavailable",
    Effect.gen(function* () {
      const { url } = yield* options.provider
      const { lookUp } = yield* trial(options, yield* unreachableUrl(url))
      assert.strictEqual(reasonOf(yield* lookUp(asha))._tag, "Unavailable")
    })
  ],
  [
    "a redirect is a failure, and nothing arrives at its target",
    Effect.gen(function* () {
      const { lookUp, provider } = yield* trial(options)
      const stranger = yield* options.provider
      yield* provider.play({ redirect: stranger.url })
      reasonOf(yield* lookUp(asha))
      assert.deepStrictEqual(yield* stranger.seen, [], "the request went where the provider's answer pointed")
    })
  ],
  [
    "a slow provider is waited for, and an interrupted lookup stops",
    Effect.gen(function* () {
      const { adapter, asked, begin, lookUp, provider } = yield* trial(options)
      const { quiet } = linesAt(yield* Clock.currentTimeMillis)
      yield* provider.know(quiet)
      yield* provider.play("slow")
      factsOf(yield* lookUp(quiet.number))
      yield* provider.play("hanging")
      const before = (yield* provider.seen).length
      const fiber = yield* begin(quiet.number, adapter.facts)
      yield* asked(before + 1)
      yield* Effect.forkChild(Fiber.interrupt(fiber), { startImmediately: true })
      assert.isTrue(Exit.hasInterrupts(yield* arrives(Fiber.await(fiber))))
    })
  ]
]

const situations: ReadonlyArray<Extract<LineInfoBehaviour, string> | "unreachable"> = [
  "accepted",
  "unknownAccount",
  "overloaded",
  "broken",
  "garbled",
  "strange",
  "slam",
  "unreachable"
]

const secrecy = (options: Options): ReadonlyArray<readonly [string, Check]> =>
  situations.map((situation) => [
    `${situation}: no error, log, trace or console output shows the number, a token or a credential`,
    Effect.gen(function* () {
      const { heard, layer } = yield* overheard
      const { url } = yield* options.provider
      const { secrets, shown } = yield* Effect.gen(function* () {
        const { lookUp, provider } = yield* trial(
          options,
          situation === "unreachable" ? yield* unreachableUrl(url) : undefined
        )
        yield* provider.know({ number: asha })
        if (situation !== "unreachable") yield* provider.play(situation)
        const exit = yield* lookUp(asha)
        const shown = Exit.isSuccess(exit)
          ? printed(exit.value)
          : [Cause.pretty(exit.cause), printed(exit.cause), JSON.stringify(exit.cause)].join("\n")
        return { secrets: yield* provider.secrets, shown }
      }).pipe(Effect.provide(layer))
      const all = [asha, asha.slice(1), ...secrets, ...(options.secrets ?? [])].filter((secret) => secret !== "")
      for (const [where, text] of [
        ["the answer", shown],
        ["what was logged, traced or printed", yield* heard]
      ] as const) {
        all.forEach((secret, n) => {
          if (formsOf(secret).some((form) => text.includes(form))) assert.fail(`secret ${n + 1} is in ${where}`)
        })
      }
    })
  ])

const groups = { facts: truths, failures, waits, secrecy }

/** The promises of every provider of line facts, for this adapter. A check needs only a `TestClock`. */
export const checks = (options: Options) =>
  Object.entries(groups).flatMap(([group, list]) =>
    list(options).map(([promise, check]) => ({ promise: `${group}: ${promise}`, check: Effect.scoped(check) }))
  )

/**
 * Tests that an adapter for line facts reports the true facts, guesses none, and reveals nothing. The provider knows
 * lines, does not know a number, has no value, refuses, fails, answers in other types, redirects or does not answer.
 * Supply a double that speaks the provider's real protocol, such as `CamaraSimulator`.
 *
 * @example
 * ```ts
 * import type { LineInfo } from "@countersign/core/channel"
 * import { LineInfoTest } from "@countersign/testkit"
 * import { TwilioLookupSimulator } from "@countersign/testkit/simulators"
 * import type { Effect } from "effect"
 *
 * declare const mine: (url: string) => Effect.Effect<LineInfo>
 *
 * LineInfoTest.suite("mine", { make: mine, provider: TwilioLookupSimulator.make() })
 * ```
 */
export const suite = (name: string, options: Options): void => {
  describe(`line facts ${name}`, () => {
    for (const { check, promise } of checks(options)) it.effect(promise, () => check, 180_000)
  })
}
