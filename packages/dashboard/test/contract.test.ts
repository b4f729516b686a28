import { Api } from "@countersign/http/contract"
import { Schema, SchemaAST } from "effect"
import { HttpApi } from "effect/http-api"
import { assert, describe, it } from "vitest"

/** Whether decoding leaves every value of a schema unchanged. */
const isItsJson = ({ ast }: Schema.Top) => {
  const seen = new Set<unknown>()
  const isPlain = (node: unknown): boolean => {
    if (typeof node !== "object" || node === null || seen.has(node)) return true
    seen.add(node)
    // Any JSON object, passed through unchanged, or an empty one.
    if (SchemaAST.isAST(node) && (node.annotations?.["expected"] === "a JSON object" || SchemaAST.isVoid(node)))
      return true
    if (SchemaAST.isAST(node) && node.encoding !== undefined) return false
    return Object.entries(node)
      .filter(
        ([name]) =>
          ["types", "elements", "rest", "propertySignatures", "indexSignatures", "type"].includes(name) ||
          Array.isArray(node)
      )
      .every(([, part]) => isPlain(part))
  }
  return isPlain(ast)
}

/** Files and streams, which the page reads as bytes. */
const isFile = (schema: Schema.Top) => JSON.stringify(schema.ast.annotations ?? {}).includes("Stream")

describe("the contract, as the page knows it", () => {
  it("has answers whose JSON equals their type, so that the page needs no schema", () => {
    const others: Array<string> = []
    const looked: Array<string> = []
    HttpApi.reflect(Api, {
      onGroup: () => {},
      onEndpoint: ({ endpoint: { method, path, success } }) => {
        if (!/^\/v1\/(dashboard|whatsapp|admin)\//.test(path)) return
        for (const schema of success) {
          if (isFile(schema)) continue
          looked.push(path)
          if (!isItsJson(schema)) others.push(`${method} ${path}`)
        }
      }
    })
    assert.isAbove(looked.length, 80)
    assert.deepStrictEqual(others, [])
    assert.isFalse(isItsJson(Schema.Struct({ at: Schema.DateFromString })), "a date that is text on the wire is seen")
  })
})
