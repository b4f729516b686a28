import { assert, describe, it } from "@effect/vitest"
import { safeCode } from "../../src/message/sending/safeCode.ts"

describe("a provider's error code", () => {
  it.each([
    ["blocked", "blocked"],
    ["http_503", "http_503"],
    ["2494100", "2494100"],
    ["Bad number!", "Bad_number"],
    ["+91 98765 43210 is blocked", "unspecified"],
    ["9876543210", "unspecified"],
    ["asha@example.com", "unspecified"],
    ["", "unspecified"],
    [" \n ", "unspecified"],
    ["नंबर", "unspecified"],
    ["x".repeat(500), "x".repeat(64)],
    ["a\r\nb\u0000c", "a_b_c"]
  ])("%j is stored as %j", (said, kept) => {
    assert.strictEqual(safeCode(said), kept)
  })
})
