import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { BenchCheck } from "./ChannelCheck.ts"
import { before, errorOf, only } from "./trial.ts"

/** 307 and 308 take the whole message along, the others at least its address. */
const statuses = [301, 302, 303, 307, 308]

/** A channel sends to its provider and to nobody else, whatever the answer points to. */
export const redirectChecks: ReadonlyArray<BenchCheck> = statuses.map((status) => [
  `${status} to another host is a failure, after one request, and nothing arrives there`,
  (bench) =>
    Effect.gen(function* () {
      if (!(yield* bench.provider).url.startsWith("http")) return
      const provider = yield* bench.anyHttp
      const stranger = yield* bench.anyHttp
      const { channel, message, send } = before(bench, yield* bench.make(provider.url), provider)
      yield* provider.answer({ status, headers: { location: `${stranger.url}/elsewhere` }, body: "" })
      const answer = yield* send(yield* message(1))
      assert.deepStrictEqual(yield* stranger.seen, [], "the message went where the provider's answer pointed")
      errorOf(channel, answer)
      only(yield* provider.seen)
    })
])
