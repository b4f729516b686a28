import { OpenApi } from "effect/http-api"
import { assert, describe, it } from "vitest"
import { Api } from "../src/Api.ts"
import type { Cause } from "../src/causes/Cause.ts"
import { causesOf } from "../src/causes/causesOf.ts"
import { statusOf } from "../src/contract/ErrorEnvelope.ts"
import { type Failure, toResponse } from "../src/wire.ts"

type Told = (typeof causesOf)[keyof typeof causesOf][number]["failure"]
type Untold = Exclude<Failure["_tag"], NonNullable<Told>["_tag"]>

/** Every `errorCode` that a schema of the document allows. */
const codesIn = (value: unknown, inCode = false): ReadonlyArray<string> => {
  if (typeof value === "string") return inCode && /^[A-Z_]+$/.test(value) ? [value] : []
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => codesIn(one, inCode || name === "errorCode"))
}

describe("the causes of errors", () => {
  it("cover every failure: an error table row without a cause is a compile error", () => {
    const untold: { readonly [Tag in Untold]: "add a cause to packages/http/src/causes" } = {}
    assert.deepStrictEqual(untold, {})
  })

  it.each(Object.entries(causesOf))(
    "of %s match its failures and their statuses",
    (code, causes: ReadonlyArray<Cause>) => {
      for (const { failure } of causes) {
        if (failure !== null) assert.strictEqual(JSON.parse(toResponse(failure).body).errorCode, code, failure._tag)
      }
    }
  )

  it("have the codes of the published contract, plus METHOD_NOT_ALLOWED, which belongs to no operation", () => {
    const published = new Set([...codesIn(OpenApi.fromApi(Api)), "METHOD_NOT_ALLOWED"])
    assert.deepStrictEqual([...published].sort(), Object.keys(statusOf).sort())
  })
})
