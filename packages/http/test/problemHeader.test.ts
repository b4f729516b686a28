import { GuardRefused, InvalidField, invalidField, Problem } from "@countersign/core"
import { assert, describe, it } from "vitest"
import { CountersignError, toResponse } from "../src/wire.ts"

const problemIn = (header: string | null | undefined): unknown =>
  header == null ? null : JSON.parse(decodeURIComponent(header))

describe("the problem of a refused field", () => {
  const refused = invalidField("codeLength", Problem.of("BETWEEN", { min: 4, max: 8 }))
  const expected = { field: "codeLength", code: "BETWEEN" as const, params: { min: 4, max: 8 } }

  it("is in the header X-Problem, and the envelope keeps its three fields", async () => {
    const { body, headers } = toResponse(refused)
    assert.deepStrictEqual(Object.keys(JSON.parse(body)), ["errorCode", "message", "requestId"])
    assert.deepStrictEqual(problemIn(headers["x-problem"]), expected)

    const inProcess = new CountersignError(refused)
    assert.deepStrictEqual(inProcess.problem, expected)
    const answer = inProcess.toResponse()
    assert.deepStrictEqual(problemIn(answer.headers.get("x-problem")), expected)
    assert.deepStrictEqual(Object.keys((await answer.json()) as object), ["errorCode", "message", "requestId"])
  })

  it("names the guard's reason where the guard refuses or delays a number", () => {
    for (const [waitSeconds, status, code] of [
      [null, 403, "GUARD_REFUSED"],
      [60, 429, "GUARD_DELAYED"]
    ] as const) {
      const refusal = new GuardRefused({ reason: "PREFIX_UNVERIFIED", waitSeconds })
      const answer = toResponse(refusal)
      const expected = { field: "identity", code, params: { reason: "PREFIX_UNVERIFIED" } }
      assert.strictEqual(answer.status, status)
      assert.deepStrictEqual(problemIn(answer.headers["x-problem"]), expected)
      assert.deepStrictEqual(new CountersignError(refusal).problem, expected)
    }
  })

  it("is absent without a code", () => {
    const { headers } = toResponse(new InvalidField({ field: "cursor", problem: "cannot be combined with search" }))
    assert.isUndefined(headers["x-problem"])
  })

  it("cannot break the header: other alphabets and line breaks are encoded, and a long one is left out", () => {
    const given = "शॉप\r\nset-cookie: a=b"
    const { headers } = toResponse(invalidField("url", Problem.of("URL_SPELLING", { url: given })))
    assert.match(headers["x-problem"]!, /^[\x21-\x7e]+$/)
    assert.deepStrictEqual(problemIn(headers["x-problem"]), {
      field: "url",
      code: "URL_SPELLING",
      params: { url: given }
    })
    const long = toResponse(invalidField("url", Problem.of("URL_SPELLING", { url: "x".repeat(2_000) })))
    assert.isUndefined(long.headers["x-problem"])
  })
})
