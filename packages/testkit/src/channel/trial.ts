import { type Channel, ChannelError, type Message, type MessageKind, type Sent } from "@countersign/core/channel"
import { assert } from "@effect/vitest"
import { Cause, Clock, Effect, Exit, Fiber, Option, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { type AddressInfo, createServer } from "node:net"
import type { Bench } from "./ChannelCheck.ts"
import { leaves } from "./leaves.ts"
import type { ProviderDouble, Seen } from "./ProviderDouble.ts"

/** How long an immediate action may take on a slow machine. */
const patience = "10 seconds"

const padded = (n: number) => String(n).padStart(26, "0")

/** The address of a provider that does not listen. */
export const unreachableUrl = (url: string): Effect.Effect<string> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const address = new URL(url)
      address.port = String((server.address() as AddressInfo).port)
      server.close(() => resume(Effect.succeed(address.href.replace(/\/$/, ""))))
    })
  })

/** The fields that may differ between two messages. Secrets are in clear text. */
export interface Words {
  readonly kind?: MessageKind
  readonly to?: string
  readonly brand?: string
  readonly locale?: string
  /** The code, the token of a link, or the first value of a template. */
  readonly secret?: string
  readonly subject?: string
  readonly text?: string
  readonly html?: string
}

export const textOf = (message: Message) => Redacted.value(message.text)

/**
 * The content that must reach the recipient: the code, the token of a link, the first value of a template, the caption of
 * a file, or the plain text.
 */
export const secretOf = (message: Message): string => {
  switch (message._tag) {
    case "Code":
      return Redacted.value(message.code)
    case "Link":
      return Redacted.value(message.token)
    case "Template":
      return message.values.map(Redacted.value)[0] ?? ""
    case "Media":
    case "Text":
    case "Notice":
      return textOf(message)
  }
}

export const kindsOf = ({ supports }: Channel): ReadonlyArray<MessageKind> => supports.kinds ?? ["Code"]

const usualSecret = (kind: MessageKind, n: number) => {
  const digits = String(70351946 + n * 1111)
  return kind === "Link" ? `env_kit.0${digits}.tok${digits}` : digits
}

/** The address of a link, which ends with its token. */
const addressOf = (token: string) => `https://kit.example/l/${token}`

const messageOf = (bench: Bench, channel: Channel, n: number, words: Words, now: number): Message => {
  const mail = channel.name === "EMAIL"
  const kind = words.kind ?? kindsOf(channel)[0] ?? "Code"
  const secret = words.secret ?? usualSecret(kind, n)
  const shown = kind === "Link" ? addressOf(secret) : secret
  const text = words.text ?? `Kit & Söhne has this for you, valid for 5 min. Do not share it with anyone.\n${shown}`
  const html = words.html ?? `<!doctype html><html><body><p>Your Kit &amp; Söhne login</p><p>${shown}</p></body></html>`
  const common = {
    deliveryId: `dlv_${padded(n)}`,
    // The same length as core creates them.
    reference: `test_kit000000000.ver_${padded(n)}.dlv_${padded(n)}.k1t5egn90v`,
    options: {},
    ...bench.message,
    to: words.to ?? bench.to(channel, n),
    brand: words.brand ?? bench.message.brand ?? "Kit & Söhne",
    locale: words.locale ?? bench.message.locale ?? "en",
    text: Redacted.make(text)
  }
  const expiring = {
    validForSeconds: 300,
    expiresAt: now + 300_000,
    subject: Redacted.make(mail ? (words.subject ?? `${secret} is your Kit & Söhne code`) : ""),
    html: mail ? Redacted.make(html) : null
  }
  const lasting = { validForSeconds: null, expiresAt: null }
  switch (kind) {
    case "Code":
      return { _tag: kind, ...common, ...expiring, code: Redacted.make(secret) }
    case "Link":
      return { _tag: kind, ...common, ...expiring, url: Redacted.make(shown), token: Redacted.make(secret) }
    case "Template":
      return { _tag: kind, ...common, ...lasting, name: "kit_news", language: "en", values: [Redacted.make(secret)] }
    case "Media":
      return { _tag: kind, ...common, ...lasting, media: { kind: "image", id: "1791355454802210", fileName: null } }
    case "Text":
      return { _tag: kind, ...common, ...lasting, answers: null }
    case "Notice":
      return { _tag: kind, ...common, ...lasting, subject: expiring.subject, html: null }
  }
}

export type Answer = Exit.Exit<Sent, ChannelError>

/** Waits in real time for an effect of the network, which no test clock moves. Returns none after a limit. */
export const arrives = <A>(effect: Effect.Effect<A>): Effect.Effect<Option.Option<A>> =>
  TestClock.withLive(Effect.timeoutOption(effect, patience))

/** The result of a send. Advances the clock for a send that waits. */
export const ended = (sending: Fiber.Fiber<Sent, ChannelError>): Effect.Effect<Answer> =>
  Effect.gen(function* () {
    for (let round = 0; round < 3; round++) {
      const answer = yield* arrives(Fiber.await(sending))
      if (Option.isSome(answer)) return answer.value
      yield* TestClock.adjust("9 seconds")
    }
    return assert.fail("the send does not end, though the provider has answered")
  })

/** The result of an interrupted send. */
export const stopped = (sending: Fiber.Fiber<Sent, ChannelError>): Effect.Effect<Answer> =>
  Effect.map(arrives(Fiber.await(sending)), (answer) =>
    Option.isSome(answer) ? answer.value : assert.fail("the send goes on after it was interrupted")
  )

export interface Trial {
  readonly channel: Channel
  readonly provider: ProviderDouble
  /** The n-th message, each to a different recipient. */
  readonly message: (n: number, words?: Words) => Effect.Effect<Message>
  readonly start: (message: Message) => Effect.Effect<Fiber.Fiber<Sent, ChannelError>>
  readonly send: (message: Message) => Effect.Effect<Answer>
  /** Waits until the provider has been asked that often. */
  readonly asked: (times: number) => Effect.Effect<ReadonlyArray<Seen>>
}

/** The channel in front of a provider. */
export const before = (bench: Bench, channel: Channel, provider: ProviderDouble): Trial => {
  const start = (message: Message) =>
    Effect.forkChild(
      Effect.suspend(() => channel.send(message)),
      { startImmediately: true }
    )
  const enough = (times: number) =>
    Effect.gen(function* () {
      for (;;) {
        const seen = yield* provider.seen
        if (seen.length >= times) return seen
        yield* Effect.sleep(2)
      }
    })
  return {
    channel,
    provider,
    message: (n, words = {}) => Effect.map(Clock.currentTimeMillis, (now) => messageOf(bench, channel, n, words, now)),
    start,
    send: (message) => Effect.flatMap(start(message), ended),
    asked: Effect.fnUntraced(function* (times) {
      const seen = yield* arrives(enough(times))
      return Option.isSome(seen) ? seen.value : assert.fail("the provider is not asked")
    })
  }
}

export const trial = Effect.fnUntraced(function* (bench: Bench) {
  const provider = yield* bench.provider
  return before(bench, yield* bench.make(provider.url), provider)
})

/** The message that the provider accepted. Otherwise the check fails with the result of the send. */
export const sentOf = (answer: Answer): Sent =>
  Exit.isSuccess(answer) ? answer.value : assert.fail(`the send did not succeed: ${describe(answer)}`)

/** The error of a failed send. Every other result fails the check. */
export const errorOf = (channel: Channel, answer: Answer): ChannelError => {
  if (Exit.isSuccess(answer)) return assert.fail("the send says that the provider took the message")
  const [reason, ...more] = answer.cause.reasons
  if (reason?._tag !== "Fail" || more.length > 0 || !(reason.error instanceof ChannelError)) {
    return assert.fail(`the send does not fail with a ChannelError: ${describe(answer)}`)
  }
  assert.strictEqual(reason.error.channel, channel.name, "the error names another channel")
  assert.match(reason.error.reason.providerCode, /^[!-~][ -~]{0,99}$/, "a provider code is a short name, not a text")
  return reason.error
}

export const describe = (answer: Answer): string =>
  Exit.isSuccess(answer)
    ? "Sent"
    : answer.cause.reasons
        .map((reason) =>
          reason._tag === "Fail" && reason.error instanceof ChannelError
            ? `${reason.error.reason._tag} (${reason.error.reason.providerCode})`
            : Cause.pretty(Cause.fromReasons([reason]))
        )
        .join(", ")

const lines = (text: string) => text.replace(/\r\n?/g, "\n").trimEnd()

/** Whether this text is readable in the request that the provider received. */
export const reads = (seen: Seen, words: string): boolean =>
  (seen.text === undefined ? leaves(seen.raw) : [seen.text]).some((leaf) => lines(leaf).includes(lines(words)))

/** The only request that the provider received. */
export const only = (seen: ReadonlyArray<Seen>): Seen => {
  assert.strictEqual(seen.length, 1, "a send asks the provider exactly once")
  return seen[0]!
}
