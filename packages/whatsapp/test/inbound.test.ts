import type { Inbound } from "@countersign/core/channel"
import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import * as Notification from "../src/Notification.ts"

const receiver = "106540352242922"
const now = 1_800_000_000_000
const asha = { profile: { name: "Asha" }, wa_id: "919812345678", user_id: "IN.1A2b3C" }

/** A webhook as Meta sends it. */
const webhook = (value: object, phoneNumberId = receiver) => ({
  object: "whatsapp_business_account",
  entry: [
    {
      id: "102290129340398",
      changes: [
        {
          field: "messages",
          value: {
            messaging_product: "whatsapp",
            metadata: { display_phone_number: "15550001111", phone_number_id: phoneNumberId },
            contacts: [asha],
            ...value
          }
        }
      ]
    }
  ]
})

const read = (body: unknown) => Notification.read(body, now)

const written = (more: object): object => ({
  from: "919812345678",
  id: "wamid.HBgMOTE5ODEyMzQ1Njc4FQIAEhg",
  timestamp: "1795000010",
  ...more
})

/** The result for one message, with its text unredacted. */
const shown = (more: object) => {
  const [inbound, ...others] = read(webhook({ messages: [written(more)] })).inbound
  assert.isEmpty(others)
  if (inbound === undefined) return assert.fail("nothing was read")
  return Object.fromEntries(
    Object.entries(inbound).map(([name, value]) => [name, Redacted.isRedacted(value) ? Redacted.value(value) : value])
  )
}

const common = {
  id: "wamid.HBgMOTE5ODEyMzQ1Njc4FQIAEhg",
  provider: "whatsapp",
  receiver,
  sender: { phone: "919812345678", userId: "IN.1A2b3C", profileName: "Asha" },
  at: 1_795_000_010_000
}

const message = (more: object) => ({
  _tag: "Message",
  ...common,
  type: "text",
  text: null,
  payload: null,
  media: null,
  location: null,
  details: null,
  context: null,
  referral: null,
  ...more
})

const media = {
  id: "1166846181421424",
  mime_type: "image/jpeg",
  sha256: "3f9d94d399fa61c191bc1d4ca71375a035cb9b9f5b1128e1f0963a415c16b0cc"
}
const kept = { id: "1166846181421424", mimeType: "image/jpeg", fileName: null, size: null }

describe("a customer's message", () => {
  const place = { latitude: 19.07, longitude: 72.87, name: "Gateway of India", address: "Apollo Bandar" }
  const card = [{ name: { formatted_name: "Ravi" }, phones: [{ phone: "+91 98765 43210" }] }]
  const order = { catalog_id: "1", product_items: [{ product_retailer_id: "sku-1", quantity: 2 }] }

  const cases: ReadonlyArray<readonly [kind: string, wire: object, read: object]> = [
    ["text", { type: "text", text: { body: "Hi" } }, { text: "Hi" }],
    ["image", { type: "image", image: { ...media, caption: "Look" } }, { type: "image", text: "Look", media: kept }],
    ["video", { type: "video", video: media }, { type: "video", media: kept }],
    ["audio", { type: "audio", audio: { ...media, voice: true } }, { type: "audio", media: kept }],
    [
      "document",
      { type: "document", document: { ...media, filename: "bill.pdf", file_size: 1234 } },
      { type: "document", media: { ...kept, fileName: "bill.pdf", size: 1234 } }
    ],
    ["sticker", { type: "sticker", sticker: { ...media, animated: false } }, { type: "sticker", media: kept }],
    [
      "location",
      { type: "location", location: place },
      { type: "location", text: "Gateway of India", location: { latitude: 19.07, longitude: 72.87 } }
    ],
    ["contacts", { type: "contacts", contacts: card }, { type: "contacts", details: JSON.stringify(card) }],
    ["order", { type: "order", order }, { type: "order", details: JSON.stringify(order) }],
    [
      "template quick reply",
      {
        type: "button",
        button: { payload: "YES", text: "Yes" },
        context: { from: "15550001111", id: "wamid.ours" }
      },
      { type: "button", text: "Yes", payload: "YES", context: { messageId: "wamid.ours", forwarded: false } }
    ],
    [
      "reply button",
      { type: "interactive", interactive: { type: "button_reply", button_reply: { id: "a1", title: "Yes" } } },
      { type: "button", text: "Yes", payload: "a1" }
    ],
    [
      "chosen row",
      {
        type: "interactive",
        interactive: { type: "list_reply", list_reply: { id: "r2", title: "Blue", description: "Navy" } }
      },
      { type: "list", text: "Blue", payload: "r2" }
    ],
    [
      "forwarded text",
      { type: "text", text: { body: "Hi" }, context: { frequently_forwarded: true } },
      { text: "Hi", context: { messageId: null, forwarded: true } }
    ],
    [
      "text from an advertisement",
      {
        type: "text",
        text: { body: "Hi" },
        referral: {
          source_url: "https://fb.me/x",
          source_id: "120",
          source_type: "ad",
          headline: "Diwali sale",
          body: "Buy",
          ctwa_clid: "ARAkLkA8rmlFeiCktEJQ"
        }
      },
      {
        text: "Hi",
        referral: {
          sourceUrl: "https://fb.me/x",
          sourceId: "120",
          sourceType: "ad",
          headline: "Diwali sale",
          clickId: "ARAkLkA8rmlFeiCktEJQ"
        }
      }
    ],
    ["unsupported kind", { type: "unsupported", errors: [{ code: 131051 }] }, { type: "unknown" }],
    ["kind of the future", { type: "hologram", hologram: { id: 1 } }, { type: "unknown" }],
    ["kind named like a part of JavaScript", { type: "__proto__" }, { type: "unknown" }],
    ["text without words", { type: "text", text: null }, { type: "unknown" }],
    ["picture without an id", { type: "image", image: { caption: "x" } }, { type: "unknown" }],
    [
      "picture with a strange caption",
      { type: "image", image: { ...media, caption: 5 } },
      { type: "image", media: kept }
    ]
  ]

  for (const [kind, wire, expected] of cases) {
    it(`of the kind ${kind} is read`, () => assert.deepStrictEqual(shown(wire), message(expected)))
  }

  it("with a user name and without a number is read by its user id", () => {
    const contacts = [{ profile: { name: "Ravi" }, user_id: "IN.9Z" }, asha]
    const messages = [
      { id: "wamid.1", from_user_id: "IN.9Z", timestamp: "1795000010", type: "text", text: { body: "x" } }
    ]
    const [inbound] = read(webhook({ contacts, messages })).inbound
    assert.deepStrictEqual(inbound?.sender, { phone: null, userId: "IN.9Z", profileName: "Ravi" })
  })

  it("finds its contact by number at any position", () => {
    const contacts = [{ profile: { name: "Other" }, wa_id: "4915112345678" }, null, asha]
    const [inbound] = read(webhook({ contacts, messages: [written({ type: "text", text: { body: "x" } })] })).inbound
    assert.strictEqual(inbound?.sender.profileName, "Asha")
  })

  it("has the server's time if Meta's is invalid", () => {
    for (const timestamp of [undefined, null, 1_795_000_010, "soon", "-1", "99999999999999999999"]) {
      assert.strictEqual(shown({ type: "text", text: { body: "x" }, timestamp })["at"], now)
    }
  })

  it("is cut at a length that no person writes, and contains only characters that a database can store", () => {
    const { text } = shown({ type: "text", text: { body: `\0\ud800${"x".repeat(100_000)}` } })
    assert.strictEqual(String(text).length, 8_192)
    assert.notInclude(String(text), "\0")
    assert.isTrue(String(text).isWellFormed())
    const huge = shown({ type: "order", order: { note: "x".repeat(100_000) } })
    assert.deepStrictEqual([huge["type"], huge["details"]], ["order", null])
  })

  it("does not reveal its text when it is printed", () => {
    const [inbound] = read(webhook({ messages: [written({ type: "text", text: { body: "my secret" } })] })).inbound
    assert.notInclude(JSON.stringify(inbound), "my secret")
  })
})

describe("an item that is not a message", () => {
  const cases: ReadonlyArray<readonly [kind: string, wire: object, read: object]> = [
    [
      "a reaction",
      { type: "reaction", reaction: { message_id: "wamid.ours", emoji: "👍" } },
      { _tag: "Reaction", messageId: "wamid.ours", emoji: "👍" }
    ],
    [
      "a reaction taken away",
      { type: "reaction", reaction: { message_id: "wamid.ours", emoji: "" } },
      { _tag: "Reaction", messageId: "wamid.ours", emoji: null }
    ],
    [
      "a new number",
      { type: "system", system: { body: "Asha changed", wa_id: "919899999999", type: "user_changed_number" } },
      { _tag: "System", what: "user_changed_number", newPhone: "919899999999" }
    ],
    [
      "a message taken back",
      { type: "revoke", revoke: { original_message_id: "wamid.theirs" } },
      { _tag: "Deletion", messageId: "wamid.theirs" }
    ],
    [
      "a message with other words",
      {
        type: "edit",
        edit: { original_message_id: "wamid.theirs", message: { type: "text", text: { body: "Hello" } } }
      },
      { _tag: "Edit", messageId: "wamid.theirs", text: "Hello" }
    ]
  ]

  it("without a message id becomes a note, which needs no reading", () => {
    const wires = [
      { type: "reaction", reaction: { emoji: "👍" } },
      { type: "reaction" },
      { type: "edit", edit: { message: { type: "text", text: { body: "Hello" } } } },
      { type: "revoke", revoke: null }
    ]
    for (const wire of wires) {
      assert.deepStrictEqual(shown(wire), { ...common, _tag: "System", what: wire.type, newPhone: null })
    }
  })

  for (const [kind, wire, expected] of cases) {
    it(`is a kind of its own: ${kind}`, () => assert.deepStrictEqual(shown(wire), { ...common, ...expected }))
  }
})

describe("an incoming webhook", () => {
  const good = written({ type: "text", text: { body: "Hi" } })
  const status = {
    id: "wamid.1",
    status: "delivered",
    timestamp: "1795000000",
    recipient_id: "919812345678",
    biz_opaque_callback_data: "env_1.ver_00000000000000000000000001.dlv_00000000000000000000000001"
  }

  it("with unreadable items still delivers its other messages and receipts", () => {
    const strange = [null, 5, "x", [], {}, { id: "wamid.2" }, { ...good, id: "" }, { ...good, id: "x".repeat(513) }]
    const anonymous = { id: "wamid.3", timestamp: "1", type: "text", text: { body: "who?" } }
    const { inbound, receipts } = read(
      webhook({ messages: [...strange, anonymous, good, ...strange], statuses: [status] })
    )
    assert.deepStrictEqual(
      inbound.map(({ id }) => id),
      [common.id]
    )
    assert.lengthOf(receipts, 1)
  })

  it("whose contacts or messages are not lists still delivers its receipts", () => {
    for (const messages of [null, {}, "x", 5]) {
      const { inbound, receipts } = read(webhook({ messages, contacts: messages, statuses: [status] }))
      assert.deepStrictEqual([inbound.length, receipts.length], [0, 1])
    }
    assert.lengthOf(read(webhook({ contacts: null, messages: [good] })).inbound, 1)
  })

  it("names the receiving number, ours or not", () => {
    const { inbound } = read(webhook({ messages: [good] }, "999"))
    assert.deepStrictEqual(
      inbound.map((each) => each.receiver),
      ["999"]
    )
  })

  it("with a malicious item loses only that item", () => {
    const deep = `${"[".repeat(50_000)}${"]".repeat(50_000)}`
    const items = [
      { ...good, id: "wamid.\0" },
      { ...good, id: "wamid.\ud800" },
      written({ type: "image", image: { id: "x".repeat(600) } }),
      written({ type: "order", order: "DEEP" }),
      written({ type: "location", location: { latitude: "BIG", longitude: 1 } })
    ]
    const body = JSON.stringify(webhook({ messages: [...items, good], statuses: [status] }))
      .replace('"DEEP"', deep)
      .replace('"BIG"', "1e999")
    const { inbound, receipts } = read(JSON.parse(body))
    assert.deepStrictEqual(
      inbound.map((each) => each._tag === "Message" && each.type),
      ["unknown", "order", "unknown", "text"]
    )
    assert.lengthOf(receipts, 1)
  })

  it("with a thousand messages delivers a thousand, in order", () => {
    const messages = Array.from({ length: 1_000 }, (_, n) => ({ ...good, id: `wamid.${n}` }))
    const { inbound } = read(webhook({ messages }))
    assert.deepStrictEqual(
      inbound.map(({ id }: Inbound.Inbound) => id),
      messages.map(({ id }) => id)
    )
  })
})
