import { type Account, type MediaMessage, type NewMedia } from "@countersign/core/channel"
import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Redacted, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { IncomingMessage, ServerResponse } from "node:http"
import { channelFor, optionsFor, phone, plain, reference, silent, until } from "./fixtures/channel.ts"
import { serving } from "./fixtures/serving.ts"

const theirs: Account = { id: "206540352242922", accessToken: Redacted.make("EAAGtheirs") }
const bytes = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 255)
const picture: NewMedia = { bytes, mimeType: "image/png", ending: "png" }

const message = (media: MediaMessage["media"], caption = "", more: Partial<MediaMessage> = {}): MediaMessage => ({
  _tag: "Media",
  deliveryId: "dlv_1",
  reference,
  to: phone,
  brand: "Acme",
  locale: "en",
  validForSeconds: null,
  expiresAt: null,
  options: {},
  text: Redacted.make(caption),
  media,
  ...more
})

const codeOf = (exit: Exit.Exit<unknown, unknown>): string => {
  const [reason] = Exit.isFailure(exit) ? exit.cause.reasons : []
  if (reason?._tag !== "Fail") return "none"
  const error = reason.error as { readonly reason: { readonly _tag: string; readonly providerCode: string } }
  return `${error.reason._tag} ${error.reason.providerCode}`
}

/** A server that records one request and answers it. */
const answering = Effect.fnUntraced(function* (status: number, body: string) {
  const seen: Array<{ readonly request: IncomingMessage; readonly body: Buffer }> = []
  const server = yield* serving((request, response: ServerResponse) => {
    const pieces: Array<Buffer> = []
    request.on("data", (piece: Buffer) => pieces.push(piece))
    request.on("end", () => {
      seen.push({ request, body: Buffer.concat(pieces) })
      response.writeHead(status, { "content-type": "application/json" })
      response.end(body)
    })
  })
  const meta = yield* WhatsAppSimulator.make()
  const { apiUrl: _, ...options } = optionsFor(meta)
  const channel = yield* channelFor(meta, { ...options, apiUrl: server.url })
  return { seen, upload: channel.accounts!.upload!, ours: meta.phoneNumberIds[0]! }
})

describe("an upload to WhatsApp", () => {
  it.effect("is one multipart request with the product, the type and the bytes, and the token of the number", () =>
    Effect.gen(function* () {
      const { seen, upload } = yield* answering(200, '{"id":"4490709327384033"}')
      assert.strictEqual(yield* upload(picture, theirs.id, theirs), "4490709327384033")
      assert.strictEqual(seen.length, 1)
      const { body, request } = seen[0]!
      assert.match(request.url ?? "", /^\/v\d+\.\d+\/206540352242922\/media$/)
      assert.strictEqual(request.method, "POST")
      assert.strictEqual(request.headers.authorization, "Bearer EAAGtheirs")
      const boundary = /^multipart\/form-data; boundary=(.+)$/.exec(request.headers["content-type"] ?? "")![1]!
      const part = (head: string, content: string) =>
        `--${boundary}\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`
      const expected = [
        part('name="messaging_product"', "whatsapp"),
        part('name="type"', "image/png"),
        part('name="file"; filename="file.png"\r\nContent-Type: image/png', Buffer.from(bytes).toString("latin1")),
        `--${boundary}--`
      ].join("")
      assert.strictEqual(body.toString("latin1").trimEnd(), expected)
    })
  )

  it.effect("fails with Meta's code, and with ours for an answer without a usable id", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [number, string, string]> = [
        [400, '{"error":{"code":131053,"message":"Media upload error EAAGtheirs"}}', "Refused 131053"],
        [401, '{"error":{"code":190,"message":"no"}}', "Refused 190"],
        [503, "<html>", "Unavailable http_503"],
        [200, "{}", "OutcomeUnknown http_200"],
        [200, '{"id":"../messages"}', "OutcomeUnknown http_200"],
        [200, "<html>", "OutcomeUnknown http_200"]
      ]
      for (const [status, body, expected] of cases) {
        const { seen, upload } = yield* answering(status, body)
        const exit = yield* Effect.exit(upload(picture, theirs.id, theirs))
        assert.strictEqual(codeOf(exit), expected, body)
        assert.notInclude(JSON.stringify(exit), "EAAG")
        assert.strictEqual(seen.length, 1)
      }
    })
  )

  it.effect("ends after 25 seconds without an answer, and closes its connection when it is interrupted", () =>
    Effect.gen(function* () {
      const meta = yield* WhatsAppSimulator.make()
      const { upload } = (yield* channelFor(meta, { apiUrl: yield* silent })).accounts!
      const late = yield* Effect.forkChild(Effect.exit(upload!(picture, theirs.id, theirs)), { startImmediately: true })
      yield* TestClock.adjust("25 seconds")
      assert.strictEqual(codeOf(yield* Fiber.join(late)), "Unavailable timeout")
      const server = yield* serving(() => {})
      const other = (yield* channelFor(meta, { apiUrl: server.url })).accounts!
      const stopped = yield* Effect.forkChild(other.upload!(picture, theirs.id, theirs), { startImmediately: true })
      yield* until(server.open, (open) => open === 1)
      yield* Fiber.interrupt(stopped)
      yield* until(server.open, (open) => open === 0)
    })
  )

  it.effect("uses only the token of the number that will send the file", () =>
    Effect.gen(function* () {
      const meta = yield* WhatsAppSimulator.make()
      yield* meta.addAccount({ wabaId: "2", accessToken: "EAAGtheirs", phoneNumberIds: [theirs.id] })
      const { media, upload } = (yield* channelFor(meta)).accounts!
      const [ours = ""] = meta.phoneNumberIds
      const id = yield* upload!(picture, theirs.id, theirs)
      const kept = yield* Stream.runCollect((yield* media(id, theirs)).body)
      assert.deepStrictEqual(Buffer.concat([...kept]), Buffer.from(bytes))
      assert.strictEqual(codeOf(yield* Effect.exit(upload!(picture, theirs.id, null))), "Refused unknown_sender")
      assert.strictEqual(codeOf(yield* Effect.exit(upload!(picture, ours, theirs))), "Refused unusable_account")
      assert.isNotEmpty(yield* upload!(picture, ours, null))
    })
  )
})

describe("a message with a file", () => {
  it.effect("has the kind, the id, the caption and, for a document, the name", () =>
    Effect.gen(function* () {
      const meta = yield* WhatsAppSimulator.make({ script: WhatsAppSimulator.scripts.silent })
      const channel = yield* channelFor(meta)
      yield* meta.customer(phone).says("The bill, please")
      yield* channel.send(message({ kind: "image", id: "1", fileName: "a.png" }, "Look"))
      yield* channel.send(message({ kind: "video", id: "2", fileName: null }))
      yield* channel.send(message({ kind: "audio", id: "3", fileName: "a.ogg" }))
      yield* channel.send(message({ kind: "document", id: "4", fileName: "bill.pdf" }, "Your bill"))
      const sent = yield* meta.messages
      assert.deepStrictEqual(
        sent.map(({ payload: { type, ...payload } }) => ({ type, content: payload[String(type)] })),
        [
          { type: "image", content: { id: "1", caption: "Look" } },
          { type: "video", content: { id: "2" } },
          { type: "audio", content: { id: "3" } },
          { type: "document", content: { id: "4", caption: "Your bill", filename: "bill.pdf" } }
        ]
      )
    })
  )

  it.effect("is refused before Meta is asked when Meta would refuse it", () =>
    Effect.gen(function* () {
      const meta = yield* WhatsAppSimulator.make()
      const channel = yield* channelFor(meta)
      const refused = {
        invalid_media: message({ kind: "image", id: "../1", fileName: null }),
        audio_with_caption: message({ kind: "audio", id: "1", fileName: null }, "Listen"),
        text_too_long: message({ kind: "image", id: "1", fileName: null }, "x".repeat(1_025))
      }
      for (const [providerCode, each] of Object.entries(refused)) {
        const exit = yield* Effect.exit(channel.send(each))
        assert.deepStrictEqual(plain(exit), { _tag: "Refused", providerCode, because: "content" })
      }
      assert.isEmpty(yield* meta.seen)
    })
  )
})
