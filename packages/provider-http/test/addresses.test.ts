import { apiUrlProblem, callbackUrl, isSame, publicUrlProblem } from "@countersign/provider-http"
import { Redacted } from "effect"
import { assert, it } from "vitest"

it("a provider's URL is https or on this machine, without credentials or a query", () => {
  for (const good of [undefined, "https://api.example.com", "http://127.0.0.1:4010", "http://localhost:1"]) {
    assert.isNull(apiUrlProblem(good))
  }
  for (const bad of [
    "x",
    "ftp://x.example",
    "http://api.example.com",
    "https://u:p@x.example",
    "https://x.example?key=1"
  ]) {
    assert.isString(apiUrlProblem(bad), bad)
  }
  assert.isNull(publicUrlProblem("http://verify.example.com"))
})

it("a provider may report only to https or to this machine", () => {
  assert.strictEqual(callbackUrl("https://v.example.com/", "acme"), "https://v.example.com/v1/callbacks/acme")
  assert.strictEqual(callbackUrl("http://localhost:8080", "acme"), "http://localhost:8080/v1/callbacks/acme")
  assert.isNull(callbackUrl("http://v.example.com", "acme"))
  assert.isNull(callbackUrl(undefined, "acme"))
})

it("a secret equals only itself", () => {
  const secret = Redacted.make("a-secret")
  assert.deepStrictEqual(
    ["a-secret", "a-secreT", "a-secret ", "", undefined].map((given) => isSame(secret, given)),
    [true, false, false, false, false]
  )
})
