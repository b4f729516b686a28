import { Effect, Exit, Stream } from "effect"
import { assert, describe, it } from "vitest"
import { file } from "../src/inbox/file.ts"

const ten = new Uint8Array(10)
const made = (mimeType: string, fileName: string | null = null) =>
  file({ mimeType, fileName, size: null, body: Stream.make(ten) }).headers
const reading = (size: number | null, ...pieces: ReadonlyArray<Uint8Array>) =>
  Effect.runPromiseExit(
    Stream.runCollect(file({ mimeType: "image/png", fileName: null, size, body: Stream.fromIterable(pieces) }).body)
  )

describe("a file that a customer sent", () => {
  it("is displayed inline only as one of four image types, and downloaded otherwise", () => {
    for (const type of ["image/png", "image/jpeg", "image/webp", "image/gif", "IMAGE/PNG; a=b"]) {
      assert.strictEqual(made(type)["content-disposition"], "inline", type)
    }
    for (const type of ["image/svg+xml", "text/html", "application/pdf", "image/png,text/html", "video/mp4", ""]) {
      assert.strictEqual(made(type)["content-disposition"], "attachment", type)
    }
  })

  it("has a content type that cannot end a header, without its parameters", () => {
    const types: ReadonlyArray<[string, string]> = [
      ["audio/ogg; codecs=opus", "audio/ogg"],
      ["Application/PDF", "application/pdf"],
      ["image/png\r\nset-cookie: a=b", "application/octet-stream"],
      ["image/png, text/html", "application/octet-stream"],
      ["text", "application/octet-stream"],
      ["", "application/octet-stream"],
      [`image/${"x".repeat(200)}`, "application/octet-stream"]
    ]
    for (const [given, type] of types) assert.strictEqual(made(given)["content-type"], type)
  })

  it("has a name that fits in any header and contains no folder", () => {
    const names: ReadonlyArray<[string, string]> = [
      ["bill.pdf", "bill.pdf"],
      ["../../etc/passwd", ".._.._etc_passwd"],
      ['a"\r\n;b.pdf', "a___;b.pdf"],
      ["cod\u202egpj.exe", "cod_gpj.exe"],
      ["रसीद.pdf", "रसीद.pdf"],
      ["it's (1)*!.pdf", "it's (1)*!.pdf"],
      ["\ud800x", "\ufffdx"],
      [`${"x".repeat(199)}😀`, `${"x".repeat(199)}\ufffd`]
    ]
    for (const [given, name] of names) {
      const header = made("application/pdf", given)["content-disposition"]
      assert.match(header, /^attachment; filename\*=UTF-8''[\w.~%-]+$/)
      assert.strictEqual(decodeURIComponent(header.split("''")[1]!), name)
    }
  })

  it("has its announced length, or its connection breaks", async () => {
    const headers = file({ mimeType: "image/png", fileName: null, size: 20, body: Stream.make(ten, ten) }).headers
    assert.strictEqual(headers["content-length"], "20")
    assert.isUndefined(made("image/png")["content-length"])
    assert.isTrue(Exit.isSuccess(await reading(20, ten, ten)))
    assert.isTrue(Exit.isSuccess(await reading(0)))
    assert.isTrue(Exit.isSuccess(await reading(null, ten)))
    for (const size of [0, 19, 21, 30]) assert.isTrue(Exit.isFailure(await reading(size, ten, ten)), String(size))
  })
})
