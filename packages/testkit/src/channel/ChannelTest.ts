import type { CallbackRequest, Channel } from "@countersign/core/channel"
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { accountChecks } from "./accountChecks.ts"
import { askingChecks } from "./askingChecks.ts"
import { answerChecks, httpChecks } from "./answerChecks.ts"
import { callbackChecks } from "./callbackChecks.ts"
import { capabilityChecks } from "./capabilityChecks.ts"
import type { Bench, BenchCheck, ChannelCheck, KitAccount, MessageWords } from "./ChannelCheck.ts"
import { hostileChecks } from "./hostileChecks.ts"
import { type HttpAnswers, make as httpDouble } from "./HttpDouble.ts"
import { leakChecks } from "./leakChecks.ts"
import { patienceChecks } from "./patienceChecks.ts"
import type { ProviderDouble } from "./ProviderDouble.ts"
import { http } from "./ProviderServer.ts"
import { before, errorOf, only } from "./trial.ts"

/** 307 and 308 carry the whole message along, the others at least its address. */
const statuses = [301, 302, 303, 307, 308]

/** A channel sends only to its provider, even when the provider returns a redirect. */
const redirectChecks: ReadonlyArray<BenchCheck> = statuses.map((status) => [
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

export type { ChannelCheck } from "./ChannelCheck.ts"
export type { HttpAnswers } from "./HttpDouble.ts"
export { http, type HttpAnswer } from "./ProviderServer.ts"

interface Common {
  /** The channel, with its provider at that address. */
  readonly make: (url: string) => Effect.Effect<Channel, unknown, Scope.Scope>
  /** The channel's secrets, such as keys and passwords. */
  readonly secrets?: ReadonlyArray<string>
  /** For a channel with `accounts`: a merchant's own number that the provider knows in addition to the channel's. */
  readonly account?: KitAccount
  /** The n-th of ten different recipients. By default fictional numbers, or addresses for an e-mail channel. */
  readonly to?: (n: number) => string
  /** Optional fields for every message: `options`, `brand`, `locale`. */
  readonly message?: MessageWords
  /** `code` for a provider that stores the text itself and receives only the code. */
  readonly carries?: "text" | "code"
  /** For a channel whose receipts do not arrive at its callback. */
  readonly receiptsElsewhere?: boolean
  /** A genuine report that the message with that reference was delivered, signed as by the provider. */
  readonly receipt?: (reference: string, channel: Channel) => CallbackRequest
}

/** An HTTP provider, which the kit simulates with these answers. */
interface OverHttp extends Common {
  readonly answers: HttpAnswers
}

/** Any provider with a double. */
interface WithDouble extends Common {
  readonly provider: Effect.Effect<ProviderDouble, unknown, Scope.Scope>
}

export type Options = OverHttp | WithDouble

const phone = (n: number) => `+1202555010${n}`
const address = (n: number) => `kit-reader-${n}@mail.example.com`

const ok = http(200, {})
const anyAnswers: HttpAnswers = { accepted: ok, refused: ok, overloaded: ok, garbled: ok }

const benchOf = (options: Options): Bench => {
  const {
    account = null,
    carries = "text",
    make,
    message = {},
    receipt = null,
    receiptsElsewhere = false,
    secrets = []
  } = options
  const numbers = Array.from({ length: 10 }, (_, n) => n)
  const recipients = (options.to === undefined ? [phone, address] : [options.to]).flatMap((to) => numbers.map(to))
  return {
    provider: "provider" in options ? options.provider : httpDouble({ answers: options.answers, recipients }),
    talkative:
      "provider" in options ? options.provider : httpDouble({ answers: options.answers, recipients, echo: true }),
    http: "provider" in options ? null : httpDouble({ answers: options.answers, recipients }),
    answers: "provider" in options ? null : options.answers,
    anyHttp: httpDouble({ answers: anyAnswers, recipients }),
    make,
    secrets,
    account,
    to: (channel, n) => (options.to ?? (channel.supports.identityTypes.includes("EMAIL") ? address : phone))(n),
    message,
    carries,
    receiptsElsewhere,
    receipt
  }
}

const groups: { readonly [group: string]: ReadonlyArray<BenchCheck> } = {
  capabilities: capabilityChecks,
  answers: answerChecks,
  accounts: accountChecks,
  HTTP: httpChecks,
  redirects: redirectChecks,
  patience: patienceChecks,
  secrecy: leakChecks,
  asking: askingChecks,
  "hostile words": hostileChecks,
  callback: callbackChecks
}

/**
 * The promises of every channel, for this channel. A check needs only a `TestClock`, so it also runs outside of a
 * suite.
 */
export const checks = (options: Options): ReadonlyArray<ChannelCheck> => {
  const bench = benchOf(options)
  return Object.entries(groups)
    .filter(([group]) => group !== "HTTP" || bench.http !== null)
    .flatMap(([group, list]) =>
      list.map(([promise, check]) => ({ promise: `${group}: ${promise}`, check: Effect.scoped(check(bench)) }))
    )
}

/**
 * Tests that a channel sends once and reports the true result, with a provider that accepts, refuses, fails, returns an
 * unreadable answer or does not answer.
 *
 * @example
 * ```ts
 * import { ChannelTest } from "@countersign/testkit"
 * import { Redacted } from "effect"
 * import * as AcmeSms from "../src/AcmeSms.ts"
 *
 * ChannelTest.suite("acme sms", {
 *   make: (url) => AcmeSms.make({ url, token: Redacted.make("a-token-of-acme") }),
 *   answers: {
 *     accepted: ChannelTest.http(201, { id: "m1" }),
 *     refused: ChannelTest.http(400, { error: "bad number" }),
 *     overloaded: ChannelTest.http(503, {}, { "retry-after": "7" }),
 *     garbled: ChannelTest.http(201, "<html>")
 *   },
 *   secrets: ["a-token-of-acme"]
 * })
 * ```
 */
export const suite = (name: string, options: Options): void => {
  describe(`channel ${name}`, () => {
    for (const { check, promise } of checks(options)) it.effect(promise, () => check, 180_000)
  })
}
