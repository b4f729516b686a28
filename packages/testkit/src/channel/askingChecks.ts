import { ProviderCheckFailed } from "@countersign/core/channel"
import { assert } from "@effect/vitest"
import { Effect, Exit, Fiber, Option } from "effect"
import type { Bench, BenchCheck } from "./ChannelCheck.ts"
import { overheard, printed } from "./Overheard.ts"
import { formsOf } from "./secretForms.ts"
import { arrives, unreachableUrl } from "./trial.ts"

const situations = ["accepted", "refused", "overloaded", "garbled", "unreachable"] as const

const isLine = (text: string) => text.trim() !== "" && !/[\r\n]/.test(text)

/** The provider in this situation. Its failures repeat the request. */
const placed = (bench: Bench, situation: (typeof situations)[number]) =>
  Effect.gen(function* () {
    const provider = yield* bench.talkative
    if (situation === "unreachable") return { ...provider, url: yield* unreachableUrl(provider.url) }
    yield* provider.play(situation)
    return provider
  })

const askedIn = (situation: (typeof situations)[number]) =>
  Effect.fnUntraced(function* (bench: Bench) {
    const { heard, layer } = yield* overheard
    const provider = yield* placed(bench, situation)
    const exit = yield* Effect.gen(function* () {
      const { check } = yield* bench.make(provider.url)
      if (check === undefined) return null
      const answer = yield* arrives(Fiber.await(yield* Effect.forkChild(check, { startImmediately: true })))
      return Option.isSome(answer) ? answer.value : assert.fail("the check does not end, though the provider answers")
    }).pipe(Effect.provide(layer))
    if (exit === null) return
    const said = Exit.isSuccess(exit)
      ? exit.value
      : exit.cause.reasons.map((reason) => (reason._tag === "Fail" ? reason.error : reason))[0]
    if (Exit.isSuccess(exit)) assert.isTrue(isLine(exit.value.detail), "detail is one line")
    else if (!(said instanceof ProviderCheckFailed))
      assert.fail(`a check fails with ProviderCheckFailed: ${printed(said)}`)
    else assert.isTrue(isLine(said.problem) && isLine(said.advice), "problem and advice are one line each")
    assert.isTrue(situation !== "unreachable" || Exit.isFailure(exit), "a check of an unreachable provider fails")
    for (const { providerId, to } of yield* provider.seen)
      assert.isTrue(to === "" || providerId === null, "a check sends nothing")
    const shown = `${printed(exit)}\n${yield* heard}`
    for (const [n, secret] of bench.secrets.entries())
      assert.isFalse(
        formsOf(secret).some((form) => shown.includes(form)),
        `secret ${n + 1} of the kit's options is in what a check says, logs, traces or prints`
      )
  })

/** What a channel with `check` reports about its provider, and must not reveal. */
export const askingChecks: ReadonlyArray<BenchCheck> = situations.map((situation) => [
  `${situation}: its check, if it has one, ends with a readable result, sends nothing and shows no secret`,
  askedIn(situation)
])
