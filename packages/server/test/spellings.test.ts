import { deflateSync, gzipSync, zstdCompressSync } from "node:zlib"
import { assert, describe, it } from "vitest"
import { Spellings, waysToWrite } from "./fixture/Spellings.ts"

const secret = "K7P2Q9X4M1"
const spellings = new Spellings(["hok_1"]).add("the code", secret)

describe("a search for a secret in every spelling", () => {
  it.each(waysToWrite(secret))("finds it %s", (_how, written) => {
    const text = Buffer.concat([Buffer.from('{"a":"'), Buffer.from(written), Buffer.from('"}')])
    assert.isNotEmpty(spellings.in(text))
    assert.isNotEmpty(spellings.in(text.toString("latin1")))
  })

  it("finds it compressed, and compressed inside of text", () => {
    for (const packed of [gzipSync(`x ${secret}`), deflateSync(`x ${secret}`), gzipSync(deflateSync(secret))]) {
      assert.isNotEmpty(spellings.in(Buffer.concat([Buffer.from("a line\n"), packed, Buffer.from("the rest")])))
      assert.isNotEmpty(spellings.in(`{"body":"${packed.toString("base64")}"}`))
    }
  })

  it("finds it in a file that is compressed as backups are", () => {
    assert.isNotEmpty(spellings.in(zstdCompressSync(`{"a":"${secret}"}`)))
  })

  it("finds nothing in text without it", () => {
    assert.deepStrictEqual(spellings.in(`${"K7P2Q9X4M2 4b37503251395834 SzdQMlE5WDRN".repeat(9)}`), [])
  })
})
