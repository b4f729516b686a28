import { InvalidField, UnknownKey } from "@countersign/core"
import { Effect, Schema } from "effect"
import { HttpApi, HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { assert, describe, it } from "vitest"
import * as answers from "../src/contract/answers.ts"
import { AuthKey, Viewer, Open, PublicKey } from "../src/contract/Security.ts"
import type { AllHandlers, Handlers } from "../src/Handlers.ts"
import type { errors as keyErrors } from "../src/keys/errors.ts"
import { contract, routesOf } from "../src/Routes.ts"

const ok = { success: Schema.Struct({ ok: Schema.Boolean }) }
const wasOk = { ok: true }
const answered = Effect.succeed(wasOk)
const poke = HttpApiEndpoint.get("poke", "/poke", ok)

class Undeclared extends HttpApiGroup.make("undeclared").add(poke) {}
class Twice extends HttpApiGroup.make("twice").add(poke).middleware(AuthKey).middleware(PublicKey) {}
class Opened extends HttpApiGroup.make("opened").add(poke).middleware(Open) {}
class Keyed extends HttpApiGroup.make("keyed").add(poke).middleware(Viewer) {}
class Api extends HttpApi.make("poked").add(Opened).add(Keyed) {}

describe("an endpoint of the contract", () => {
  it("does not compile without a credential", () => {
    const handlers: Handlers<typeof Undeclared> = {
      // @ts-expect-error -- the credential is missing
      poke: () => answered
    }
    assert.isFunction(handlers.poke)
  })

  it("does not compile with two credentials", () => {
    const handlers: Handlers<typeof Twice> = {
      // @ts-expect-error -- a server key and a public key are both required
      poke: () => answered
    }
    assert.isFunction(handlers.poke)
  })

  it("has a caller only if its credential identifies a merchant", () => {
    const keyed: Handlers<typeof Keyed> = { poke: ({ caller }) => Effect.as(Effect.succeed(caller.merchantId), wasOk) }
    const opened: Handlers<typeof Opened> = {
      // @ts-expect-error -- the endpoint is public, so it has no caller
      poke: ({ caller }) => Effect.as(Effect.succeed(caller), wasOk)
    }
    assert.isFunction(keyed.poke)
    assert.isFunction(opened.poke)
  })

  it("fails only with the errors of its own table and those of every request", () => {
    const fails = Effect.fail(new UnknownKey({ id: "cs_1" }))
    const keyed: Handlers<typeof Keyed, typeof keyErrors> = { poke: () => fails }
    const opened: Handlers<typeof Opened> = { poke: () => Effect.fail(new InvalidField({ field: "a", problem: "b" })) }
    const others: Handlers<typeof Opened> = {
      // @effect-diagnostics missingEffectError:off
      // @ts-expect-error -- the row is in another capability's table
      poke: () => fails
    }
    for (const { poke } of [keyed, opened, others]) assert.isFunction(poke)
  })

  it("does not compile if its group has no handlers", () => {
    // @ts-expect-error -- the handlers of "keyed" are missing
    const handlers: AllHandlers<typeof Api, never> = { opened: { poke: () => answered } }
    assert.isObject(handlers)
  })

  it("does not compile without a handler", () => {
    // @ts-expect-error -- poke is missing
    const handlers: Handlers<typeof Opened> = {}
    assert.isObject(handlers)
  })

  it("prevents the start if it has no credential or two", () => {
    assert.throws(() => routesOf(HttpApi.make("a").add(Undeclared)), "GET /poke must have exactly one credential")
    assert.throws(() => routesOf(HttpApi.make("a").add(Twice)), "but has 2")
    assert.deepStrictEqual(
      routesOf(Api).map(({ group, needs }) => [group, needs]),
      [
        ["opened", { credential: "none" }],
        ["keyed", Viewer.needs]
      ]
    )
  })

  it("prevents the start if it can answer more than it declares", () => {
    const stated = (error: ReadonlyArray<Schema.Top>) =>
      HttpApi.make("a").add(
        HttpApiGroup.make("b")
          .add(
            HttpApiEndpoint.post("c", "/c/:id", { params: { id: Schema.String }, payload: Schema.Struct({}), error })
          )
          .middleware(Open)
      )
    assert.throws(
      () => routesOf(stated(answers.read)),
      "POST /c/:id can answer 400, 404, 409, 413, 429 but does not declare"
    )
    assert.throws(() => routesOf(stated(answers.command)), "can answer 404, 413,")
    assert.lengthOf(routesOf(stated([...answers.post, ...answers.lookup])), 1)
  })

  it("is under /v1 only with a credential, except what a page requests before sign-in", () => {
    const open = contract.filter(({ needs }) => needs.credential === "none").map(({ path }) => path)
    assert.deepStrictEqual(open.toSorted(), ["/.well-known/jwks.json", "/healthz", "/readyz", "/v1/dashboard/sign-in"])
  })
})
