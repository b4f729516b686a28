import { assert, describe, it, vi } from "vitest"
import { fromCode } from "../../../webhooks/src/unanswered.ts"

describe("an endpoint that gives no answer", () => {
  it("is explained in Hindi for every connection error that the service words", async () => {
    vi.resetModules()
    vi.stubGlobal("localStorage", { getItem: () => "hi" })
    const { say } = await import("../../src/screens/webhooks/words.ts")
    vi.unstubAllGlobals()
    const codes = [
      "ECONNREFUSED",
      "ECONNRESET",
      "ETIMEDOUT",
      "CERT_HAS_EXPIRED",
      "CERT_NOT_YET_VALID",
      "ERR_TLS_CERT_ALTNAME_INVALID",
      "DEPTH_ZERO_SELF_SIGNED_CERT",
      "SELF_SIGNED_CERT_IN_CHAIN",
      "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      "CERT_REVOKED",
      "ERR_SSL_WRONG_VERSION_NUMBER",
      "HPE_HEADER_OVERFLOW",
      "HPE_INVALID_CONSTANT",
      "EUNKNOWN"
    ]
    const untold = codes.map((code) => fromCode(code).problem).filter((problem) => !(problem in say.unanswered))
    assert.deepStrictEqual(untold, [])
  })
})
