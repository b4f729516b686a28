import { assert, describe, it } from "@effect/vitest"
import { safeMessageId } from "../../src/message/sending/safeMessageId.ts"

describe("a provider's message id", () => {
  it("is kept in the forms that providers have", () => {
    for (const id of [
      "SM0123456789abcdef0123456789abcdef",
      "wamid.HBgLMTY1MDUwNzY1MjAVAgARGBI5QTNDQTVCM0Q0Q0Q2RTY3RTcA",
      "aaaaaaaa-bbbb-4ccc-8ddd-0123456789ab",
      "<01000198-0000@email.amazonses.com>",
      "4bRyHm5fZ4z1+/=="
    ])
      assert.strictEqual(safeMessageId(id), id)
  })

  it("is dropped when it is a text, a request or too long", () => {
    for (const id of [
      "",
      "482913 is your code",
      '{"to":"919876543210","text":"482913"}',
      "To=%2B919876543210&Body=482913",
      "एक",
      "x".repeat(256)
    ])
      assert.isNull(safeMessageId(id))
    assert.isNull(safeMessageId(null))
  })
})
