import type { Account, Channel, Message } from "@countersign/core/channel"
import { assert } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import type { Bench, BenchCheck } from "./ChannelCheck.ts"
import { formsOf } from "./secretForms.ts"
import { before, kindsOf, only, sentOf, trial } from "./trial.ts"

/** A merchant's own number, for a channel with `accounts`; null for others. */
export const accountFor = ({ account }: Bench, { accounts }: Channel): Account | null => {
  if (accounts === undefined) return null
  if (account === null)
    return assert.fail("a channel with accounts needs the kit's option `account`: a merchant's number")
  return { id: account.id, accessToken: Redacted.make(account.accessToken) }
}

const holds = (raw: string, secret: string) => formsOf(secret).some((form) => raw.includes(form))

/** How a channel uses merchants' own numbers. */
export const accountChecks: ReadonlyArray<BenchCheck> = [
  [
    "a message for an account is sent from its number with its token, and a later message without an account is not",
    (bench) =>
      Effect.gen(function* () {
        const { channel, message, provider, send } = yield* trial(bench)
        const account = accountFor(bench, channel)
        if (account === null) return
        const token = Redacted.value(account.accessToken)
        sentOf(yield* send({ ...(yield* message(1)), account }))
        const { raw } = only(yield* provider.seen)
        assert.isTrue(raw.includes(account.id), "the number that it goes out from")
        assert.isTrue(holds(raw, token), "the account's token")
        for (const [n, secret] of bench.secrets.entries())
          assert.isFalse(
            holds(raw, secret),
            `secret ${n + 1} of the kit's options is sent for another account's number`
          )
        sentOf(yield* send(yield* message(2)))
        const next = (yield* provider.seen)[1]?.raw ?? ""
        assert.isFalse(next.includes(account.id) || holds(next, token), "our own message goes out from an account")
      })
  ],
  [
    "every kind of message is sent to the provider once, for every answer, because a second copy cannot be recalled",
    (bench) =>
      Effect.gen(function* () {
        for (const play of ["refused", "overloaded", "garbled"] as const) {
          const { channel, message, provider, send } = yield* trial(bench)
          yield* provider.play(play)
          yield* onceEach(channel, provider.seen, (n, kind) => Effect.flatMap(message(n, { kind }), send), play)
        }
        for (const fault of bench.http === null ? [] : (["slam", "breakOff"] as const)) {
          const provider = yield* bench.http!
          const { channel, message, send } = before(bench, yield* bench.make(provider.url), provider)
          yield* provider[fault]
          yield* onceEach(channel, provider.seen, (n, kind) => Effect.flatMap(message(n, { kind }), send), fault)
        }
      })
  ]
]

const onceEach = Effect.fnUntraced(function* <A, E>(
  channel: Channel,
  seen: Effect.Effect<ReadonlyArray<unknown>>,
  send: (n: number, kind: Message["_tag"]) => Effect.Effect<A, E>,
  what: string
) {
  for (const [n, kind] of kindsOf(channel).entries()) {
    yield* send(n, kind)
    assert.strictEqual((yield* seen).length, n + 1, `${kind}, ${what}: asked exactly once`)
  }
})
