import type { Inbound } from "@countersign/core/channel"
import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as CallbackServer from "./fixtures/CallbackServer.ts"
import { channelFor, phone, until } from "./fixtures/channel.ts"

const made = Effect.gen(function* () {
  const meta = yield* WhatsAppSimulator.make({ phoneNumberIds: ["11", "22"], script: WhatsAppSimulator.scripts.silent })
  const channel = yield* channelFor(meta)
  const server = yield* CallbackServer.make(channel)
  yield* meta.callbackTo(server.url)
  return { meta, channel, server, asha: meta.customer(phone, { name: "Asha \u0906" }) }
})

/** Without the fields that every report has, and with its text unredacted. */
const shown = ({ at: _, id: __, provider: ___, receiver: ____, sender: _____, ...rest }: Inbound.Inbound) =>
  Object.fromEntries(
    Object.entries(rest)
      .map(([name, value]): readonly [string, unknown] => [
        name,
        Redacted.isRedacted(value) ? Redacted.value(value) : value
      ])
      .filter(([, value]) => value !== null)
  )

const cases: ReadonlyArray<readonly [does: WhatsAppSimulator.CustomerMessage, read: object]> = [
  [{ text: "Hi" }, { _tag: "Message", type: "text", text: "Hi" }],
  [
    { text: "Yes", answers: "wamid.ours" },
    { _tag: "Message", type: "text", text: "Yes", context: { messageId: "wamid.ours", forwarded: false } }
  ],
  [
    { location: { latitude: 19.07, longitude: 72.87, name: "Gateway" } },
    { _tag: "Message", type: "location", text: "Gateway", location: { latitude: 19.07, longitude: 72.87 } }
  ],
  [{ button: { id: "a1", title: "Yes" } }, { _tag: "Message", type: "button", text: "Yes", payload: "a1" }],
  [
    { list: { id: "r2", title: "Blue", description: "Navy" } },
    { _tag: "Message", type: "list", text: "Blue", payload: "r2" }
  ],
  [
    { quickReply: { payload: "YES", text: "Yes" }, answers: "wamid.ours" },
    {
      _tag: "Message",
      type: "button",
      text: "Yes",
      payload: "YES",
      context: { messageId: "wamid.ours", forwarded: false }
    }
  ],
  [
    { contacts: [{ name: { formatted_name: "Ravi" } }] },
    { _tag: "Message", type: "contacts", details: '[{"name":{"formatted_name":"Ravi"}}]' }
  ],
  [{ order: { catalog_id: "1" } }, { _tag: "Message", type: "order", details: '{"catalog_id":"1"}' }],
  [
    { text: "Hi", referral: { headline: "Sale", clickId: "c1", sourceId: "120", sourceUrl: "https://fb.me/x" } },
    {
      _tag: "Message",
      type: "text",
      text: "Hi",
      referral: {
        sourceType: "ad",
        sourceId: "120",
        sourceUrl: "https://fb.me/x",
        headline: "Sale",
        clickId: "c1"
      }
    }
  ],
  [{ reaction: { messageId: "wamid.1", emoji: "👍" } }, { _tag: "Reaction", messageId: "wamid.1", emoji: "👍" }],
  [{ reaction: { messageId: "wamid.1" } }, { _tag: "Reaction", messageId: "wamid.1" }],
  [{ edit: { messageId: "wamid.1", text: "Hello" } }, { _tag: "Edit", messageId: "wamid.1", text: "Hello" }],
  [{ delete: { messageId: "wamid.1" } }, { _tag: "Deletion", messageId: "wamid.1" }],
  [
    { changedNumber: { to: "+91 98999 99999" } },
    { _tag: "System", what: "user_changed_number", newPhone: "919899999999" }
  ],
  [{ unknown: true }, { _tag: "Message", type: "unknown" }]
]

describe("an action of a simulated customer is read as intended", () => {
  for (const [does, expected] of cases) {
    it.effect(JSON.stringify(does), () =>
      Effect.gen(function* () {
        const { asha, server } = yield* made
        const id = yield* asha.sends(does)
        const [inbound, ...more] = yield* server.inbound
        assert.isEmpty(more)
        assert.deepStrictEqual(inbound === undefined ? null : shown(inbound), expected)
        assert.deepStrictEqual(inbound?.sender, { phone: "919812345678", userId: null, profileName: "Asha \u0906" })
        assert.deepStrictEqual([inbound?.id, inbound?.receiver], [id, "11"])
      })
    )
  }

  for (const type of ["image", "video", "audio", "document", "sticker"] as const) {
    it.effect(`{"${type}":…} has bytes that can be fetched`, () =>
      Effect.gen(function* () {
        const { asha, channel, server } = yield* made
        const base64 = Buffer.from(`the ${type}`).toString("base64")
        yield* asha.sends({ [type]: { caption: "Look", fileName: "a.bin", mimeType: "image/png", base64 } })
        yield* asha.sends({ [type]: true })
        const [inbound, bare] = yield* server.inbound
        if (inbound?._tag !== "Message" || inbound.media === null) return assert.fail("no file was read")
        assert.deepStrictEqual([inbound.type, shown(inbound)["text"]], [type, "Look"])
        assert.deepStrictEqual([inbound.media.mimeType, inbound.media.fileName], ["image/png", "a.bin"])
        const { body } = yield* channel.accounts!.media(inbound.media.id, null)
        assert.strictEqual(Buffer.concat([...(yield* Stream.runCollect(body))]).toString(), `the ${type}`)
        assert.strictEqual(bare?._tag === "Message" && bare.type, type)
      })
    )
  }
})

it.effect("customers write at a given time, to a given number, and without their number if it is hidden", () =>
  Effect.gen(function* () {
    const { meta, server } = yield* made
    const at = "2026-11-22T02:00:00.000Z"
    yield* meta.deliver([
      yield* meta.letter({ userId: "IN.1A2b", name: "Ravi", to: "22", id: "wamid.x", at, text: "Hi" })
    ])
    const [inbound] = yield* server.inbound
    assert.deepStrictEqual(
      [inbound?.id, inbound?.receiver, inbound?.at, inbound?.sender],
      ["wamid.x", "22", Date.parse(at), { phone: null, userId: "IN.1A2b", profileName: "Ravi" }]
    )
  })
)

it.effect("messages are delivered in one webhook in any order, repeated if requested, with valid signatures", () =>
  Effect.gen(function* () {
    const { meta, server } = yield* made
    const letters = yield* Effect.forEach([0, 1, 2, 3], (n) =>
      meta.letter({ from: `+9198123456${n % 2}0`, name: `\u0906/${n % 2}`, text: `m${n}`, id: `wamid.${n}` })
    )
    const [a, b, c, d] = letters
    assert.strictEqual(yield* meta.deliver([c!, a!, c!, d!, b!, a!]), 200)
    assert.deepStrictEqual(
      (yield* server.inbound).map(({ id }) => id),
      ["wamid.2", "wamid.0", "wamid.2", "wamid.3", "wamid.1", "wamid.0"]
    )
    const [hook, ...more] = yield* meta.hooks
    assert.isEmpty(more)
    assert.include(hook!.body, String.raw`\u0906\/0`)
  })
)

it.effect("messages are reported again until the callback accepts them", () =>
  Effect.gen(function* () {
    const { asha, meta, server } = yield* made
    server.fail(500, 2)
    yield* asha.says("Hi")
    for (const wait of [1, 2]) {
      yield* until(meta.hooks, ([hook]) => hook!.answers.length === wait)
      yield* TestClock.adjust(`${wait} seconds`)
    }
    const [hook] = yield* until(meta.hooks, ([first]) => first!.answers.length === 3)
    assert.deepStrictEqual(hook!.answers, [500, 500, 200])
    assert.lengthOf(yield* server.inbound, 1)
  })
)

it.effect("an account sends no webhooks before the app subscribes to it", () =>
  Effect.gen(function* () {
    const { channel, meta, server } = yield* made
    const templates = [{ name: "login_code", language: "en" }]
    yield* meta.addAccount({ wabaId: "5", accessToken: "EAAGfive", phoneNumberIds: ["55"], templates })
    const asha = meta.customer(phone, { to: "55" })
    yield* asha.says("Anybody?")
    assert.isEmpty(yield* server.inbound)
    yield* channel.accounts!.connect({ id: "55", groupId: "5", accessToken: Redacted.make("EAAGfive") })
    yield* asha.says("And now?")
    assert.deepStrictEqual(
      (yield* server.inbound).map(({ receiver }) => receiver),
      ["55"]
    )
  })
)

describe("POST /simulator/messages", () => {
  const post = (url: string, body: string, method = "POST") =>
    Effect.promise(async () => {
      const response = await fetch(`${url}/simulator/messages`, { method, ...(method === "GET" ? {} : { body }) })
      return { status: response.status, body: (await response.json()) as { messageId?: string; message?: string } }
    })

  it.effect("simulates a customer's message, and returns its id", () =>
    Effect.gen(function* () {
      const { meta, server } = yield* made
      const { body, status } = yield* post(meta.url, JSON.stringify({ from: phone, text: "Hi" }))
      assert.strictEqual(status, 200)
      const [inbound] = yield* until(server.inbound, (all) => all.length > 0)
      assert.strictEqual(inbound?.id, body.messageId)
    })
  )

  it.effect("names the invalid field", () =>
    Effect.gen(function* () {
      const { meta, server } = yield* made
      const wrong: ReadonlyArray<readonly [body: unknown, words: RegExp]> = [
        [{ from: phone }, /exactly one of text, image/],
        [{ from: phone, text: "Hi", image: true }, /exactly one of/],
        [{ text: "Hi" }, /from or userId/],
        [{ from: "Asha", text: "Hi" }, /from must be a number/],
        [{ from: phone, text: 5 }, /text/],
        [{ from: phone, txt: "Hi" }, /txt/],
        [{ from: phone, to: "99", text: "Hi" }, /to must be the phone number id/],
        [{ from: phone, text: "Hi", at: "soon" }, /at must be a time/],
        [null, /./],
        ["Hi", /./]
      ]
      for (const [body, words] of wrong) {
        const answer = yield* post(meta.url, JSON.stringify(body))
        assert.strictEqual(answer.status, 400, JSON.stringify(body))
        assert.match(answer.body.message ?? "", words)
      }
      assert.strictEqual((yield* post(meta.url, "{")).status, 400)
      assert.strictEqual((yield* post(meta.url, "", "GET")).status, 404)
      assert.isEmpty(yield* server.inbound)
    })
  )
})
