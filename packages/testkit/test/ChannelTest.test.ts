import {
  AccountRefused,
  type Channel,
  type Inbound,
  MediaGone,
  type Message,
  ProviderCheckFailed
} from "@countersign/core/channel"
import { ChannelTest } from "@countersign/testkit"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import {
  acme,
  codeOf,
  following,
  good,
  read,
  refused,
  request,
  type Send,
  token,
  unavailable,
  withAccounts
} from "./fixtures/AcmeSms.ts"

const written: Inbound.Inbound = {
  _tag: "Deletion",
  id: "in1",
  provider: "acme",
  receiver: "1",
  sender: { phone: "12025550100", userId: null, profileName: null },
  at: 0,
  messageId: "m1"
}

const hello: Message = {
  _tag: "Text",
  deliveryId: "dlv_1",
  reference: "env_kit.ver_1.dlv_1",
  options: {},
  to: "+12025550101",
  brand: "Kit",
  locale: "en",
  text: Redacted.make("Hello"),
  validForSeconds: null,
  expiresAt: null,
  answers: null
}

const options = (make: (url: string) => Channel): ChannelTest.Options => ({
  make: (url) => Effect.sync(() => make(url)),
  answers: {
    accepted: ChannelTest.http(201, { id: "m1" }),
    refused: ChannelTest.http(400, { error: "bad number" }),
    overloaded: ChannelTest.http(503, {}, { "retry-after": "7" }),
    optedOut: ChannelTest.http(410, {}),
    deferred: ChannelTest.http(425, {}),
    garbled: ChannelTest.http(201, "<html>")
  },
  secrets: [token],
  account: { id: "200000000000001", accessToken: "a-token-of-a-merchant" }
})

ChannelTest.suite(
  "that keeps every promise",
  options((url) => acme(good(url)))
)

ChannelTest.suite(
  "with accounts that keeps every promise",
  options((url) => withAccounts(good(url)))
)

/** The promises with these words that the channel keeps. */
const keeps = (make: (url: string) => Channel, words: RegExp) =>
  Effect.gen(function* () {
    const meant = ChannelTest.checks(options(make)).filter(({ promise }) => words.test(promise))
    assert.isNotEmpty(meant)
    const exits = yield* Effect.forEach(meant, ({ check }) => Effect.exit(check))
    return meant.flatMap(({ promise }, n) => (Exit.isSuccess(exits[n]!) ? [promise] : []))
  })

const withSend = (send: (url: string) => Send) => (url: string) => acme(send(url))

const faults: { readonly [fault: string]: { readonly make: (url: string) => Channel; readonly caughtBy: RegExp } } = {
  "reports success for an unreadable answer": {
    make: withSend(
      (url) => (message) =>
        Effect.catchIf(
          good(url)(message),
          ({ reason }) => reason._tag === "OutcomeUnknown",
          () => Effect.succeed({ providerId: null })
        )
    ),
    caughtBy: /an unreadable answer is OutcomeUnknown/
  },
  "reports a refusal for an unreadable answer": {
    make: withSend(
      (url) => (message) =>
        Effect.catchIf(
          good(url)(message),
          ({ reason }) => reason._tag === "OutcomeUnknown",
          () => refused("unreadable")
        )
    ),
    caughtBy: /an unreadable answer is OutcomeUnknown/
  },
  "retries failed sends": {
    make: withSend((url) => (message) => Effect.retry(good(url)(message), { times: 2 })),
    caughtBy: /Unavailable, after one request/
  },
  "resends a message when the provider is silent": {
    make: withSend(
      (url) => (message) =>
        good(url)(message).pipe(
          Effect.timeout("3 seconds"),
          Effect.retry({ times: 1 }),
          Effect.catchTag("TimeoutError", () => unavailable("timeout"))
        )
    ),
    caughtBy: /it sends no second request/
  },
  "quotes the provider's answer in its error": {
    make: withSend(
      (url) => (message) =>
        Effect.gen(function* () {
          const reply = yield* request(url)(message)
          if (reply.status !== 400) return yield* read(reply)
          return yield* refused(/\+\d{8,}/.exec(yield* Effect.orDie(reply.text))?.[0] ?? "bad_number")
        })
    ),
    caughtBy: /refused: no error, log, trace or console/
  },
  "logs the code": {
    make: withSend(
      (url) => (message) => Effect.andThen(Effect.logTrace("sending", codeOf(message)), good(url)(message))
    ),
    caughtBy: /accepted: no error, log, trace or console/
  },
  "prints its key": {
    make: withSend(
      (url) => (message) =>
        Effect.andThen(
          Effect.sync(() => console.debug({ headers: { token } })),
          good(url)(message)
        )
    ),
    caughtBy: /accepted: no error, log, trace or console/
  },
  "traces the recipient": {
    make: withSend(
      (url) => (message) => Effect.withSpan(good(url)(message), "send", { attributes: { to: message.to } })
    ),
    caughtBy: /accepted: no error, log, trace or console/
  },
  "cannot be interrupted": {
    make: withSend((url) => (message) => Effect.uninterruptible(good(url)(message))),
    caughtBy: /a waiting send stops when it is interrupted/
  },
  "reports success when the provider is silent": {
    make: withSend(
      (url) => (message) =>
        Effect.timeoutOrElse(good(url)(message), {
          duration: "3 seconds",
          orElse: () => Effect.succeed({ providerId: "m1" })
        })
    ),
    caughtBy: /claims no outcome/
  },
  "reports a retryable failure when the provider is silent": {
    make: withSend(
      (url) => (message) =>
        Effect.timeoutOrElse(good(url)(message), { duration: "8 seconds", orElse: () => unavailable("timeout") })
    ),
    caughtBy: /claims no outcome/
  },
  "drops the provider's message id": {
    make: withSend((url) => (message) => Effect.as(good(url)(message), { providerId: null })),
    caughtBy: /keeps the provider's id/
  },
  "drops the message's reference": {
    make: withSend((url) => (message) => good(url)({ ...message, reference: "" })),
    caughtBy: /its reference reaches the provider/
  },
  "reports 429 as Refused": {
    make: withSend(
      (url) => (message) =>
        Effect.flatMap(request(url)(message), (reply) => (reply.status === 429 ? refused("http_429") : read(reply)))
    ),
    caughtBy: /429 is Unavailable/
  },
  "reports 502 as Unavailable": {
    make: withSend(
      (url) => (message) =>
        Effect.flatMap(request(url)(message), (reply) => (reply.status === 502 ? unavailable("http_502") : read(reply)))
    ),
    caughtBy: /500, 502 and 504 are OutcomeUnknown/
  },
  "reports an opt-out without its cause": {
    make: withSend(
      (url) => (message) =>
        Effect.flatMap(request(url)(message), (reply) => (reply.status === 410 ? refused("stop") : read(reply)))
    ),
    caughtBy: /an answer about one recipient names that cause/
  },
  "reports one recipient's wait as an outage of the provider": {
    make: withSend(
      (url) => (message) =>
        Effect.flatMap(request(url)(message), (reply) => (reply.status === 425 ? unavailable("deferred") : read(reply)))
    ),
    caughtBy: /an answer about one recipient names that cause/
  },
  "follows redirects": {
    make: withSend((url) => (message) => Effect.flatMap(following(url)(message), read)),
    caughtBy: /redirects: /
  },
  "reports success for a redirect": {
    make: withSend(
      (url) => (message) =>
        Effect.flatMap(request(url)(message), (reply) =>
          reply.status >= 300 && reply.status < 400 ? Effect.succeed({ providerId: null }) : read(reply)
        )
    ),
    caughtBy: /redirects: 307/
  },
  "drops a kind of message that it claims to support": {
    make: (url) => {
      const channel = acme((message) =>
        message._tag === "Link" ? Effect.succeed({ providerId: "m1" }) : good(url)(message)
      )
      return { ...channel, supports: { ...channel.supports, kinds: ["Code", "Link"] } }
    },
    caughtBy: /every supported kind of message/
  },
  "logs the token of a link, but no code": {
    make: (url) => {
      const channel = acme((message) =>
        message._tag === "Link"
          ? Effect.andThen(Effect.logDebug("opens", Redacted.value(message.token)), good(url)(message))
          : good(url)(message)
      )
      return { ...channel, supports: { ...channel.supports, kinds: ["Code", "Link"] } }
    },
    caughtBy: /accepted: no error, log, trace or console/
  },
  "removes the white space from links, but not from codes": {
    make: (url) => {
      const channel = acme((message) =>
        good(url)(
          message._tag === "Link"
            ? { ...message, text: Redacted.make(Redacted.value(message.text).replace(/\s/g, "")) }
            : message
        )
      )
      return { ...channel, supports: { ...channel.supports, kinds: ["Code", "Link"] } }
    },
    caughtBy: /hostile text/
  },
  "sends an account's message from its own number": {
    make: (url) => withAccounts(({ account: _, ...message }) => good(url)(message)),
    caughtBy: /a message for an account is sent from its number/
  },
  "sends an account's message with its own token": {
    make: (url) =>
      withAccounts(({ account, ...message }) =>
        good(url)(
          account === undefined ? message : { ...message, account: { ...account, accessToken: Redacted.make(token) } }
        )
      ),
    caughtBy: /a message for an account is sent from its number/
  },
  "reuses an account for the next message": {
    make: (url) => {
      let kept: Message["account"]
      return withAccounts((message) => {
        kept = message.account ?? kept
        return good(url)(kept === undefined ? message : { ...message, account: kept })
      })
    },
    caughtBy: /a message for an account is sent from its number/
  },
  "logs an account's token": {
    make: (url) =>
      withAccounts((message) => {
        const sent = good(url)(message)
        return message.account === undefined
          ? sent
          : Effect.andThen(Effect.logDebug(Redacted.value(message.account.accessToken)), sent)
      }),
    caughtBy: /accepted: no error, log, trace or console/
  },
  "quotes an account's token when it cannot connect the account": {
    make: (url) => ({
      ...acme(good(url)),
      accounts: {
        connect: ({ accessToken }) =>
          Effect.fail(new AccountRefused({ problem: `Malformed token ${Redacted.value(accessToken)}` })),
        media: () => Effect.fail(new MediaGone())
      }
    }),
    caughtBy: /accepted: no error, log, trace or console/
  },
  "resends plain text when it got no answer": {
    make: (url) => {
      const channel = acme((message) =>
        message._tag === "Text" ? Effect.retry(good(url)(message), { times: 1 }) : good(url)(message)
      )
      return { ...channel, supports: { ...channel.supports, kinds: ["Code", "Text"] } }
    },
    caughtBy: /every kind of message is sent to the provider once/
  },
  "claims to support no kind of message": {
    make: (url) => {
      const channel = acme(good(url))
      return { ...channel, supports: { ...channel.supports, kinds: [] } }
    },
    caughtBy: /are valid and consistent/
  },
  "accepts forged messages from customers": {
    make: (url) => ({
      ...acme(good(url)),
      callback: {
        name: "acme",
        receive: ({ method }) =>
          Effect.succeed({
            status: 200,
            contentType: "text/plain",
            body: "",
            receipts: [],
            inbound: method === "POST" ? [written] : []
          })
      }
    }),
    caughtBy: /a forged report/
  },
  "dies instead of failing": {
    make: withSend((url) => (message) => Effect.orDie(good(url)(message))),
    caughtBy: /Refused, after one request/
  },
  "truncates long text": {
    make: withSend(
      (url) => (message) => good(url)({ ...message, text: Redacted.make(Redacted.value(message.text).slice(0, 160)) })
    ),
    caughtBy: /hostile text/
  },
  "fills placeholders a second time": {
    make: withSend(
      (url) => (message) =>
        good(url)({
          ...message,
          text: Redacted.make(Redacted.value(message.text).replace("{{code}}", () => codeOf(message)))
        })
    ),
    caughtBy: /hostile text/
  },
  "lets text become a form field": {
    make: (url) =>
      acme((message) =>
        Effect.tryPromise({
          try: async (signal) => {
            const body = `to=${encodeURIComponent(message.to)}&reference=${message.reference}&text=${Redacted.value(message.text)}`
            const headers = { "content-type": "application/x-www-form-urlencoded" }
            const reply = await fetch(url, { method: "POST", body, headers, signal })
            return reply.ok
          },
          catch: () => "fault" as const
        }).pipe(
          Effect.catch(() => unavailable("fault")),
          Effect.flatMap((ok) => (ok ? Effect.succeed({ providerId: "m1" }) : refused("no")))
        )
      ),
    caughtBy: /hostile text/
  },
  "accepts forged reports": {
    make: (url) => ({
      ...acme(good(url)),
      callback: {
        name: "acme",
        receive: ({ query }) =>
          Effect.succeed({
            status: 200,
            contentType: "text/plain",
            body: "",
            inbound: [],
            receipts: [
              { reference: String(query["reference"]), status: "DELIVERED", providerId: null, providerCode: null }
            ]
          })
      }
    }),
    caughtBy: /a forged report/
  },
  "throws for a malformed report": {
    make: (url) => ({
      ...acme(good(url)),
      callback: { name: "acme", receive: ({ body }) => JSON.parse(new TextDecoder().decode(body)) }
    }),
    caughtBy: /a forged report/
  },
  "checks its provider by sending a message": {
    make: (url) => ({ ...acme(good(url)), check: Effect.as(Effect.orDie(good(url)(hello)), { detail: "it works" }) }),
    caughtBy: /asking: accepted/
  },
  "quotes its key when its check fails": {
    make: (url) => ({
      ...acme(good(url)),
      check: Effect.fail(new ProviderCheckFailed({ problem: `knows no ${token}`, advice: "give another" }))
    }),
    caughtBy: /asking: refused/
  },
  "checks itself and not its provider": {
    make: (url) => ({ ...acme(good(url)), check: Effect.succeed({ detail: "it works" }) }),
    caughtBy: /asking: unreachable/
  },
  "claims receipts without a callback": {
    make: (url) => {
      const { callback: _, ...channel } = acme(good(url))
      return channel
    },
    caughtBy: /are valid and consistent/
  }
}

describe("the kit detects a channel that", () => {
  for (const [fault, { caughtBy, make }] of Object.entries(faults)) {
    it.effect(
      fault,
      () =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* keeps(make, caughtBy), [])
        }),
      60_000
    )
  }
})
