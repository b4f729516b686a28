import { assert, it } from "vitest"
import { fieldOf, problemOf, type Failure } from "../src/api/Failure.ts"

const refused = (message: string): Failure => ({
  status: 400,
  errorCode: "INVALID_REQUEST",
  message,
  requestId: null,
  retryAfter: null
})

it("a form shows a field's error without the field's name and colon", () => {
  for (const [message, field, problem] of [
    ["identity: must be a possible phone number", "identity", "must be a possible phone number"],
    ["url must be https", "url", "must be https"],
    ["settings.codeLength: must be at most 8", "settings", "codeLength: must be at most 8"]
  ] as const) {
    assert.strictEqual(fieldOf(refused(message), [field]), field)
    assert.strictEqual(problemOf(refused(message), field), problem)
  }
})
