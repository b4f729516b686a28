import { assert, it } from "@effect/vitest"
import { retryAfter } from "../src/HttpWebhookSender.ts"

const now = Date.UTC(2026, 0, 5, 12, 0, 0)

it("Retry-After accepts only seconds and dates", () => {
  const rows: ReadonlyArray<readonly [header: string | undefined, seconds: number | null]> = [
    ["0", 0],
    ["120", 120],
    [" 7 ", 7],
    ["999999999", 999_999_999],
    ["Mon, 05 Jan 2026 12:02:00 GMT", 120],
    ["Mon, 05 Jan 2026 11:00:00 GMT", 0],
    [undefined, null],
    ["", null],
    ["soon", null],
    ["-5", null],
    ["1.5", null],
    ["1e3", null],
    ["9999999999", null],
    ["0x10", null],
    ["2026-01-05T12:02:00Z", null],
    ["Mon, 05 Foo 2026 12:02:00 GMT", null],
    ["120, 60", null]
  ]
  for (const [header, seconds] of rows) assert.strictEqual(retryAfter(header, now), seconds, String(header))
  assert.strictEqual(retryAfter("Mon, 05 Jan 2026 12:00:01 GMT", now + 1), 1)
})
