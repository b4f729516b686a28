import type { CallbackRequest, Receipt } from "@countersign/core/channel"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Redacted } from "effect"
import { createHmac } from "node:crypto"
import * as WhatsAppCallback from "../src/WhatsAppCallback.ts"
import { reference } from "./fixtures/channel.ts"

const appSecret = "app_secret_0123456789abcdef"
const verifyToken = "the-word"
const ours = "106540352242922"

const callback = WhatsAppCallback.make({
  appSecret: Redacted.make(appSecret),
  verifyToken: Redacted.make(verifyToken)
})

const encoder = new TextEncoder()
const hmac = (body: Uint8Array | string) => `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`

const post = (body: Uint8Array | string, signature: string | undefined = hmac(body)): CallbackRequest => ({
  method: "POST",
  url: "https://otp.example.com/v1/callbacks/whatsapp",
  query: {},
  header: (name) => (name === "x-hub-signature-256" ? signature : undefined),
  body: typeof body === "string" ? encoder.encode(body) : body
})

const receive = (request: CallbackRequest) => Effect.runSyncExit(callback.receive(request))
const believed = (body: unknown) => {
  const exit = receive(post(typeof body === "string" ? body : JSON.stringify(body)))
  assert.isTrue(Exit.isSuccess(exit), "what is signed is answered with 200")
  if (Exit.isFailure(exit)) return []
  assert.strictEqual(exit.value.status, 200)
  return exit.value.receipts
}

const refusal = (exit: ReturnType<typeof receive>) => {
  assert.isTrue(Exit.isFailure(exit))
  if (Exit.isSuccess(exit)) return
  const [reason, ...more] = exit.cause.reasons
  assert.deepStrictEqual(more, [])
  assert.strictEqual(reason?._tag === "Fail" ? reason.error._tag : undefined, "CallbackRefused")
}

describe("the signature of a webhook", () => {
  const empty = `{"object":"whatsapp_business_account","entry":[]}`
  const escaped = String.raw`{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"value":{"contacts":[{"profile":{"name":"\u0930\u093e\u092e"}}]},"field":"messages"}]}]}`
  const vectors = [
    [empty, "ffeaf1f3002c674ac0b9834a17a4bb146a0a94b40c189c7b0e18368faca803c9"],
    [escaped, "7d99bf3ca9778f264bafb0b8745bbab808d207c623ea812d2f0ee090355f886a"]
  ] as const

  for (const [body, hex] of vectors) {
    it(`of ${hex.slice(0, 8)}… is valid only for these bytes`, () => {
      assert.isTrue(Exit.isSuccess(receive(post(body, `sha256=${hex}`))))
      for (const other of [`${body} `, body.slice(1), JSON.stringify(JSON.parse(body)).replace("1", "2")]) {
        if (other !== body) refusal(receive(post(other, `sha256=${hex}`)))
      }
    })
  }

  it("is invalid for a body that was parsed and serialized again", () => {
    const again = JSON.stringify(JSON.parse(escaped))
    assert.strictEqual(hmac(again), "sha256=b8f3a6fed0e72bb3a80ad99fa42c4a542f0d12c1c6db60a092a6069b42f67ff9")
    refusal(receive(post(again, `sha256=${vectors[1][1]}`)))
    refusal(receive(post(escaped, hmac(again))))
  })

  it("is refused before parsing if it is missing, or has another form or length", () => {
    const hex = hmac("{").slice("sha256=".length)
    const wrong = [
      undefined,
      "",
      "sha256=",
      hex,
      `sha1=${hex}`,
      `SHA256=${hex}`,
      `sha256=${hex.slice(0, -1)}`,
      `sha256=${hex}0`,
      `sha256=${hex.slice(0, -2)}zz`,
      `sha256=${hex.toUpperCase()}`,
      `sha256= ${hex}`,
      `sha256=${"0".repeat(64)}`,
      `sha256=${hex},sha256=${hex}`,
      `sha256=${"é".repeat(64)}`
    ]
    for (const signature of wrong) refusal(receive({ ...post("{"), header: () => signature }))
    assert.isTrue(Exit.isSuccess(receive(post("{"))), "signed, and no JSON: Meta would only repeat it")
  })

  it("is not checked over 3 MB: the body is refused", () => {
    const most = 3 * 1_024 * 1_024
    assert.isTrue(Exit.isSuccess(receive(post(new Uint8Array(most)))))
    refusal(receive(post(new Uint8Array(most + 1))))
  })
})

describe("the subscription of the webhook", () => {
  const get = (query: { readonly [name: string]: string }) => receive({ ...post(""), method: "GET", query })
  const asked = { "hub.mode": "subscribe", "hub.verify_token": verifyToken, "hub.challenge": "1158201444" }

  it("returns the challenge exactly, as plain text", () => {
    for (const challenge of ["1158201444", " a<b>&c "]) {
      const exit = get({ ...asked, "hub.challenge": challenge })
      assert.deepStrictEqual(
        exit,
        Exit.succeed({
          status: 200,
          contentType: "text/plain; charset=utf-8",
          body: challenge,
          receipts: [],
          inbound: []
        })
      )
    }
  })

  it("is refused for any other request", () => {
    const { "hub.challenge": challenge, "hub.mode": mode, "hub.verify_token": token } = asked
    const others: ReadonlyArray<{ readonly [name: string]: string }> = [
      {},
      { ...asked, "hub.mode": "unsubscribe" },
      { ...asked, "hub.verify_token": "" },
      { ...asked, "hub.verify_token": `${token}x` },
      { ...asked, "hub.verify_token": token.toUpperCase() },
      { ...asked, "hub.challenge": "" },
      { "hub.mode": mode, "hub.challenge": challenge },
      { hub_mode: mode, hub_verify_token: token, hub_challenge: challenge }
    ]
    for (const query of others) refusal(get(query))
    for (const method of ["PUT", "DELETE", "HEAD", "get"]) refusal(receive({ ...post(""), method, query: asked }))
  })
})

const status = (more: object = {}) => ({
  id: "wamid.1",
  status: "delivered",
  timestamp: "1795000000",
  recipient_id: "919812345678",
  biz_opaque_callback_data: reference,
  ...more
})
const change = (statuses: unknown, phoneNumberId: unknown = ours, more: object = {}) => ({
  field: "messages",
  value: { messaging_product: "whatsapp", metadata: { phone_number_id: phoneNumberId }, statuses, ...more }
})
const hook = (...changes: ReadonlyArray<unknown>) => ({
  object: "whatsapp_business_account",
  entry: [{ id: "1", changes }]
})

const errors = [{ code: 131026, title: "Message undeliverable", error_data: { details: "Message Undeliverable." } }]
const delivered: Receipt = {
  reference,
  sender: "106540352242922",
  status: "DELIVERED",
  providerId: "wamid.1",
  providerCode: null
}

describe("the statuses of a webhook", () => {
  it("are translated to our statuses", () => {
    const words = [
      ["sent", "SENT"],
      ["delivered", "DELIVERED"],
      ["read", "READ"],
      ["played", "READ"]
    ] as const
    for (const [said, meant] of words) {
      assert.deepStrictEqual(believed(hook(change([status({ status: said })]))), [{ ...delivered, status: meant }])
    }
    const failed: Receipt = { ...delivered, status: "FAILED", providerCode: "131026", because: "channel" }
    assert.deepStrictEqual(believed(hook(change([status({ status: "failed", errors })]))), [failed])
    for (const unknown of [undefined, [], null, {}, [{ code: "x" }], "131026", [{ code: 1.5 }]]) {
      const [receipt] = believed(hook(change([status({ status: "failed", errors: unknown })])))
      assert.deepStrictEqual(receipt, { ...delivered, status: "FAILED", providerCode: null })
    }
  })

  it("keep their order and repeats", () => {
    const said = ["read", "sent", "delivered", "failed", "sent", "sent"]
    const receipts = believed(hook(change(said.map((each) => status({ status: each })))))
    assert.deepStrictEqual(
      receipts.map((receipt) => receipt.status),
      ["READ", "SENT", "DELIVERED", "FAILED", "SENT", "SENT"]
    )
  })

  it("are read from all entries and changes, up to a thousand", () => {
    const many = Array.from({ length: 250 }, (_, n) => status({ biz_opaque_callback_data: `r${n}` }))
    const body = {
      object: "whatsapp_business_account",
      entry: [
        { changes: [change(many), change(many, "106540352242923")] },
        { id: "2", changes: [change(many), change(many)] }
      ]
    }
    assert.strictEqual(believed(body).length, 1_000)
  })

  it("name their sender number, and are skipped without one", () => {
    assert.deepStrictEqual(believed(hook(change([status()], "999"))), [{ ...delivered, sender: "999" }])
    for (const id of ["", null, {}, 106540352242922, [ours], `${ours} `, "me", "9".repeat(33)]) {
      assert.deepStrictEqual(believed(hook(change([status()], id), change([status()]))), [delivered])
    }
  })

  it("for a customer without a number are found by our reference", () => {
    const { recipient_id: _, ...rest } = status()
    assert.deepStrictEqual(believed(hook(change([{ ...rest, recipient_user_id: "IN.1A2b3C" }]))), [delivered])
  })

  it("are skipped without our reference", () => {
    for (const other of [undefined, "", null, 42, {}]) {
      assert.deepStrictEqual(believed(hook(change([status({ biz_opaque_callback_data: other }), status()]))), [
        delivered
      ])
    }
  })

  it("are unaffected by an invalid item", () => {
    const bad: ReadonlyArray<unknown> = [
      null,
      "x",
      1,
      [],
      {},
      status({ id: undefined }),
      status({ id: 1 }),
      status({ id: "wamid.\0" }),
      status({ biz_opaque_callback_data: `${reference}\0` }),
      status({ status: "deleted" }),
      status({ status: "__proto__" }),
      status({ status: "toString" }),
      status({ status: null })
    ]
    assert.deepStrictEqual(believed(hook(change([...bad, status(), ...bad]))), [delivered])
    const badChanges = [
      null,
      {},
      change(null),
      change("x"),
      { ...change([status()]), field: "other" },
      { field: "messages", value: null }
    ]
    assert.deepStrictEqual(believed(hook(...badChanges, change([status()]))), [delivered])
    const entry = [null, "x", {}, { changes: null }, { changes: [change([status()])] }]
    assert.deepStrictEqual(believed({ object: "whatsapp_business_account", entry }), [delivered])
  })

  it("of other subjects are acknowledged and ignored", () => {
    const others: ReadonlyArray<unknown> = [
      "",
      "null",
      "[]",
      "<xml>",
      "[".repeat(100_000),
      `{"__proto__":{"object":"whatsapp_business_account"}}`,
      { object: "page", entry: [{ changes: [change([status()])] }] },
      { object: "whatsapp_business_account" },
      { object: "whatsapp_business_account", entry: {} },
      hook({
        field: "message_template_status_update",
        value: { event: "APPROVED", message_template_name: "login_code" }
      }),
      hook({ field: "phone_number_quality_update", value: { event: "FLAGGED" } }),
      hook(
        change(undefined, ours, { contacts: [{ user_id: "IN.1A2b3C" }], messages: [{ id: "wamid.2", type: "text" }] })
      )
    ]
    for (const body of others) assert.deepStrictEqual(believed(body), [])
  })

  it("are read beside incoming messages", () => {
    assert.deepStrictEqual(believed(hook(change([status()], ours, { messages: [{ from: "1" }] }))), [delivered])
  })
})
