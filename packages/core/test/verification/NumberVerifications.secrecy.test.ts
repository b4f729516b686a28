import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { type NumberVerifier, OutcomeUnknown, Refused, TruecallerProof, Unavailable } from "../../src/index.channel.ts"
import { failing, makeProofWorld, plannedVerifier, post, proves, startProof } from "../fixtures/proving.ts"
import { makeStorage } from "../fixtures/World.ts"
import { makeWitness, Secrets } from "../fixtures/Witness.ts"

const code = "tc-code-4f1c9a"
const codeVerifier = `verifier-${"k".repeat(40)}`
const stranger = "919812345678"

const secretsOf = () => {
  const secrets = new Secrets()
  secrets.add("code", code)
  secrets.add("verifier", codeVerifier)
  secrets.add("another person's number", stranger)
  secrets.add("identity", "9876543210")
  secrets.add("what a verifier says when it breaks", "Asha Rao")
  return secrets
}

describe("the code, its verifier and the answer of Truecaller", () => {
  it.effect("are never logged, traced, or part of an error, and a silent provider logs one line a minute", () => {
    const { heard, hear, layer } = makeWitness()
    return Effect.gen(function* () {
      const replies = [
        failing(new Refused({ providerCode: "http_403" })),
        failing(new Refused({ providerCode: "http_403", because: "account" })),
        failing(new Unavailable({ providerCode: "http_503" })),
        failing(new OutcomeUnknown({ providerCode: "unreadable" })),
        proves(stranger)
      ]
      const { verifier } = plannedVerifier(...replies)
      const w = yield* makeProofWorld(verifier)
      const sessionId = yield* startProof(w, w.live)
      const tell = Effect.match({ onSuccess: () => undefined, onFailure: hear })
      for (const _ of replies) yield* tell(post(w, w.app, { sessionId, code, codeVerifier }))
      yield* tell(post(w, w.app, { sessionId, code: `${code}\n`, codeVerifier }))
      yield* tell(post(w, w.app, { sessionId, code, codeVerifier: `${codeVerifier}!` }))
      assert.isAbove(heard.length, 5)
      assert.deepStrictEqual(secretsOf().foundIn(heard), [])
      assert.strictEqual(heard.filter((one) => one.includes("rejected this service")).length, 1)
      assert.strictEqual(heard.filter((one) => one.includes("an unreadable response")).length, 0)
    }).pipe(Effect.provide(layer))
  })

  it.effect("are never stored", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const { verifier } = plannedVerifier(proves(stranger))
      const w = yield* makeProofWorld(verifier, { storage })
      const sessionId = yield* startProof(w, w.live)
      assert.isFalse((yield* post(w, w.app, { sessionId, code, codeVerifier })).verified)
      const kept = JSON.stringify([
        yield* w.verifications.status(w.live, { requestId: sessionId }),
        yield* w.events(w.live)
      ])
      for (const secret of [code, codeVerifier, stranger]) assert.notInclude(kept, secret)
    })
  )

  it.effect("are not revealed by a verifier that throws them, and the login stays open", () => {
    const { heard, layer } = makeWitness()
    return Effect.gen(function* () {
      const broken: NumberVerifier<TruecallerProof> = {
        name: "TRUECALLER",
        provider: "broken",
        payload: TruecallerProof,
        verify: (request) => Effect.die(new TypeError(`${Redacted.value(request.code)} is of Asha Rao, ${stranger}`))
      }
      const w = yield* makeProofWorld(broken)
      const sessionId = yield* startProof(w, w.live)
      const exit = yield* Effect.exit(post(w, w.app, { sessionId, code, codeVerifier }))
      assert.strictEqual(exit._tag, "Failure")
      assert.deepStrictEqual(secretsOf().foundIn(heard), [])
      assert.strictEqual((yield* w.verifications.status(w.live, { requestId: sessionId })).status, "PENDING")
    }).pipe(Effect.provide(layer))
  })
})
