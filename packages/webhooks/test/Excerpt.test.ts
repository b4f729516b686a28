import { assert, describe, it } from "@effect/vitest"
import { Excerpt } from "../src/Excerpt.ts"

const excerpt = (...chunks: ReadonlyArray<Uint8Array | string>) => {
  const kept = new Excerpt()
  for (const chunk of chunks) kept.add(typeof chunk === "string" ? Buffer.from(chunk) : chunk)
  return kept
}

describe("an Excerpt of an answer", () => {
  it("keeps a short body unchanged", () => {
    assert.strictEqual(excerpt().text, "")
    assert.strictEqual(excerpt('{"ok":', "true}\n").text, '{"ok":true}\n')
    assert.strictEqual(excerpt("\uFEFFठीक").text, "ठीक")
  })

  it("joins a character that arrived in two chunks", () => {
    const bytes = Buffer.from("é")
    assert.strictEqual(excerpt(bytes.subarray(0, 1), bytes.subarray(1)).text, "é")
  })

  it("ends after a kilobyte, before a character that would be split", () => {
    assert.strictEqual(excerpt("a".repeat(5000)).text, "a".repeat(1024))
    assert.strictEqual(excerpt(`${"a".repeat(1022)}😀b`).text, "a".repeat(1022))
    assert.strictEqual(excerpt(`${"a".repeat(1020)}😀b`).text, `${"a".repeat(1020)}😀`)
    assert.strictEqual(excerpt("\uFEFF", "a".repeat(2000)).text, "a".repeat(1024))
  })

  it("is valid text for logs and databases, from any bytes", () => {
    assert.strictEqual(excerpt("a\0b\u001b[31mc\u007f\u0085").text, "a\uFFFDb\uFFFD[31mc\uFFFD\uFFFD")
    const noise = excerpt(Uint8Array.from({ length: 3000 }, (_, at) => (at * 7919 + (at >> 3)) % 256)).text
    assert.isTrue(noise.isWellFormed())
    assert.isAtMost(Buffer.byteLength(noise), 1024)
    assert.notMatch(noise, /[^\P{Cc}\t\n\r]/u)
    assert.strictEqual(excerpt(Uint8Array.from({ length: 1024 }, () => 255)).text, "\uFFFD".repeat(341))
  })

  it("counts all bytes without growing further", () => {
    const kept = excerpt()
    for (let at = 0; at < 100; at++) kept.add(new Uint8Array(10_000))
    assert.strictEqual(kept.received, 1_000_000)
  })
})
