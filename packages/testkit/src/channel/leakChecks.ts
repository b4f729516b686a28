import type { Message } from "@countersign/core/channel"
import { assert } from "@effect/vitest"
import { Cause, Effect, Exit, Redacted } from "effect"
import { accountFor } from "./accountChecks.ts"
import type { Bench, BenchCheck } from "./ChannelCheck.ts"
import { overheard, printed } from "./Overheard.ts"
import { formsOf, formsOfRecipient } from "./secretForms.ts"
import { before, kindsOf, secretOf, unreachableUrl, textOf } from "./trial.ts"

interface Secret {
  readonly what: string
  readonly forms: ReadonlyArray<string>
}

const secretsOf = (bench: Bench, message: Message): ReadonlyArray<Secret> => [
  { what: "the code", forms: formsOf(secretOf(message)) },
  { what: "the link", forms: message._tag === "Link" ? formsOf(Redacted.value(message.url)) : [] },
  { what: "the text", forms: formsOf(textOf(message)) },
  { what: "the subject", forms: "subject" in message ? formsOf(Redacted.value(message.subject)) : [] },
  {
    what: "the HTML",
    forms: "html" in message && message.html !== null ? formsOf(Redacted.value(message.html)) : []
  },
  { what: "the recipient", forms: formsOfRecipient(message.to) },
  { what: "the account's token", forms: formsOf(bench.account?.accessToken ?? "") },
  ...bench.secrets.map((secret, n) => ({ what: `secret ${n + 1} of the kit's options`, forms: formsOf(secret) }))
]

const assertSilent = (where: string, text: string, secrets: ReadonlyArray<Secret>) => {
  for (const { forms, what } of secrets) {
    if (forms.some((form) => text.includes(form))) assert.fail(`${what} is in ${where}`)
  }
}

const json = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? ""
  } catch {
    return ""
  }
}

/** Every way to print the result of a send. */
const shown = (answer: Exit.Exit<unknown, unknown>): string => {
  if (Exit.isSuccess(answer)) return printed(answer.value)
  const errors = answer.cause.reasons.map((reason) => (reason._tag === "Fail" ? reason.error : reason))
  return [
    Cause.pretty(answer.cause),
    printed(answer.cause),
    json(answer.cause),
    ...errors.flatMap((error) => [
      printed(error),
      json(error),
      String(error),
      typeof error === "object" && error !== null && "message" in error ? String(error.message) : ""
    ])
  ].join("\n")
}

const situations = ["accepted", "refused", "overloaded", "garbled", "slam", "unreachable"] as const

/** The provider in that situation. */
const playing = (bench: Bench, situation: (typeof situations)[number]) =>
  Effect.gen(function* () {
    if (situation === "slam" && bench.http !== null) {
      const provider = yield* bench.http
      yield* provider.slam
      return provider
    }
    const provider = yield* bench.talkative
    if (situation === "unreachable") return { ...provider, url: yield* unreachableUrl(provider.url) }
    if (situation !== "slam") yield* provider.play(situation)
    return provider
  })

const sendIn = (situation: (typeof situations)[number]) =>
  Effect.fnUntraced(function* (bench: Bench) {
    const { heard, layer } = yield* overheard
    const provider = yield* playing(bench, situation)
    const sending = Effect.gen(function* () {
      const { channel, message, send } = before(bench, yield* bench.make(provider.url), provider)
      const ours = yield* Effect.forEach(kindsOf(channel), (kind, n) => message(n, { kind }))
      const answers = yield* Effect.forEach(ours, send)
      const account = accountFor(bench, channel)
      if (account === null || channel.accounts === undefined) return { messages: ours, answers, asked: [] }
      const theirs: Message = { ...(yield* message(ours.length)), account }
      answers.push(yield* send(theirs))
      const connected = yield* Effect.exit(channel.accounts.connect({ ...account, groupId: "100000000000001" }))
      const file = yield* Effect.exit(channel.accounts.media("100000000000002", account))
      return { messages: [...ours, theirs], answers, asked: [connected, file] }
    })
    const { answers, asked, messages } = yield* Effect.provide(sending, layer)
    const secrets = messages.flatMap((message) => secretsOf(bench, message))
    for (const answer of answers) assertSilent("the error", shown(answer), secrets)
    for (const exit of asked) assertSilent("what an account was answered", shown(exit), secrets)
    assertSilent("what was logged, traced or printed", yield* heard, secrets)
  })

/** A channel reveals no part of a message. Providers' answers repeat the request; its errors must not. */
export const leakChecks: ReadonlyArray<BenchCheck> = situations.map((situation) => [
  `${situation}: no error, log, trace or console output shows the code, the link, the text, the recipient or a secret`,
  sendIn(situation)
])
