import type { Callback, CallbackRequest } from "@countersign/core/channel"
import { assert } from "@effect/vitest"
import { Effect, Exit } from "effect"
import type { BenchCheck } from "./ChannelCheck.ts"
import { trial } from "./trial.ts"

const encoder = new TextEncoder()

const request = (
  method: string,
  search: string,
  headers: { readonly [name: string]: string },
  body: string | Uint8Array
): CallbackRequest => {
  const url = `https://countersign.example/v1/callbacks/kit${search}`
  return {
    method,
    url,
    query: Object.fromEntries(new URL(url).searchParams),
    header: (name) => headers[name.toLowerCase()],
    body: typeof body === "string" ? encoder.encode(body) : body
  }
}

const form = { "content-type": "application/x-www-form-urlencoded" }
const json = { "content-type": "application/json" }
const signatures = {
  "x-twilio-signature": "AAAA",
  "x-hub-signature-256": `sha256=${"0".repeat(64)}`,
  "x-signature": "é\u0000",
  authorization: "Basic !!!"
}

/** Forged requests. */
const forged = (reference: string): ReadonlyArray<CallbackRequest> => {
  const fields = `?reference=${reference}&status=delivered&id=m1&hub.mode=subscribe&hub.challenge=1&hub.verify_token=x`
  const words = { reference, status: "delivered", MessageStatus: "delivered", id: "m1" }
  return [
    request("GET", "", {}, ""),
    request("GET", fields, {}, ""),
    request("POST", "", {}, ""),
    request("POST", fields, form, new URLSearchParams(words).toString()),
    request("POST", fields, { ...json, ...signatures }, JSON.stringify(words)),
    request("POST", "", json, `{"__proto__":{"status":"delivered"},"entry":[{"changes":null}]}`),
    request("POST", "", json, "null"),
    request("POST", "", json, "[".repeat(50_000)),
    request("POST", "", { ...form, ...signatures }, "%%%&=&__proto__=1&%E0%A4"),
    request("POST", "", { ...json, ...signatures }, new Uint8Array([0xff, 0xfe, 0x00, 0xc3, 0x28])),
    request("DELETE", "?%", signatures, "<xml>")
  ]
}

const receive = (callback: Callback, asked: CallbackRequest) =>
  Effect.exit(Effect.suspend(() => callback.receive(asked)))

/** Which reports a channel accepts. */
export const callbackChecks: ReadonlyArray<BenchCheck> = [
  [
    "a forged report is refused or ignored, and never throws",
    (bench) =>
      Effect.gen(function* () {
        const { channel, message } = yield* trial(bench)
        if (channel.callback === undefined) return
        const { reference } = yield* message(1)
        for (const [n, asked] of forged(reference).entries()) {
          const exit = yield* receive(channel.callback, asked)
          const name = `forged request ${n + 1} (${asked.method})`
          if (Exit.isSuccess(exit)) {
            const { inbound, receipts } = exit.value
            assert.deepStrictEqual({ inbound, receipts }, { inbound: [], receipts: [] }, `${name} is believed`)
          } else
            assert.isTrue(
              exit.cause.reasons.every(({ _tag }) => _tag === "Fail"),
              `${name} makes the callback throw`
            )
        }
      })
  ],
  [
    "a genuine report is read with the message's reference, each time it arrives, but not when a byte of it changed",
    (bench) =>
      Effect.gen(function* () {
        const { channel, message, send } = yield* trial(bench)
        if (channel.callback === undefined || bench.receipt === null) return
        const { reference } = yield* message(1)
        const genuine = bench.receipt(reference, channel)
        for (const _ of ["first", "again"]) {
          const { receipts, status } = yield* channel.callback.receive(genuine)
          assert.isTrue(status >= 200 && status < 300, `the provider hears ${status}`)
          assert.deepStrictEqual([...new Set(receipts.map((receipt) => receipt.reference))], [reference])
        }
        let boundTo: string | undefined
        const referenceFrom = (sender: string) => {
          boundTo = sender
          return reference
        }
        yield* send({ ...(yield* message(1)), referenceFrom })
        for (const { sender } of (yield* channel.callback.receive(genuine)).receipts)
          assert.strictEqual(sender, boundTo, "a receipt names the sender that the channel bound the reference to")
        const altered = yield* receive(channel.callback, { ...genuine, ...alter(genuine) })
        assert.isTrue(Exit.isFailure(altered) || altered.value.receipts.length === 0, "an altered report is believed")
      })
  ]
]

/** A request whose content was changed in transit. */
const alter = ({ body, query, url }: CallbackRequest): Partial<CallbackRequest> => {
  if (body.length > 0) return { body: Uint8Array.from([...body.slice(0, -1), body.at(-1)! ^ 1]) }
  const changed = url.slice(0, -1) + (url.endsWith("x") ? "y" : "x")
  return { url: changed, query: URL.canParse(changed) ? Object.fromEntries(new URL(changed).searchParams) : query }
}
