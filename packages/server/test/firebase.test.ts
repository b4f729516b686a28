import { Firebase } from "@countersign/firebase"
import { FirebaseSimulator } from "@countersign/testkit/simulators"
import { Effect, Exit, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type App, appOf } from "./fixture/App.ts"
import { type Client, phone, refused } from "./fixture/Client.ts"
import { returnTo } from "./fixture/Link.ts"
import { memory, type Service } from "./fixture/Service.ts"

describe("live logins with Firebase", () => {
  const scope = Scope.makeUnsafe()
  const lines: Array<string> = []
  const tokens: Array<string> = []
  const people: Array<string> = []
  let google: FirebaseSimulator.FirebaseSimulator
  let service: Service

  beforeAll(async () => {
    google = await Effect.runPromise(Scope.provide(FirebaseSimulator.make(), scope))
    const { keysUrl, projectId, projectNumber } = google
    const verifier = await Effect.runPromise(Firebase.make({ projectNumber, projectId, keysUrl }))
    service = await memory({ verifiers: [verifier], log: (line) => lines.push(line) })
  })
  afterAll(async () => {
    await service.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const merchant = async () => {
    const { live } = await service.merchant()
    await live.settings({ redirectUris: [returnTo], sdkInitiatesPerIpPerHour: 1000 })
    return { client: live, app: await appOf(live) }
  }

  const started = (client: Client, identity: string) => {
    people.push(identity.slice(1))
    return client.started({ identity, mode: "OAUTH", channel: "FIREBASE", redirectUri: returnTo })
  }

  const tokenFor = (identity: string) => {
    const token = google.tokenFor(identity.slice(1))
    tokens.push(token)
    return token
  }

  const prove = ({ publicKey }: App, sessionId: string, token: string) =>
    service.send({
      path: "/v1/sdk/auth/verify-number/FIREBASE",
      body: { sessionId, proof: { token } },
      headers: { "x-public-key": publicKey }
    })

  it("verify the number of the token, and the backend exchanges the code", async () => {
    const { app, client } = await merchant()
    const identity = phone()
    const sessionId = await started(client, identity)
    const { body } = await prove(app, sessionId, tokenFor(identity))
    assert.deepStrictEqual(body, { verified: true, requestId: sessionId })
    const status = (await client.status({ requestId: sessionId })).body
    assert.deepInclude((await client.token({ code: status.code })).body, { requestId: sessionId, identity })
  })

  it("fail for good with the token of another number", async () => {
    const { app, client } = await merchant()
    const sessionId = await started(client, phone())
    assert.isFalse((await prove(app, sessionId, tokenFor(phone()))).body.verified)
    assert.strictEqual((await client.status({ requestId: sessionId })).body.authStatus, "FAILED")
  })

  it("refuse a token that another login or another merchant used, and a token without a login", async () => {
    const [mine, theirs] = [await merchant(), await merchant()]
    const identity = phone()
    const token = tokenFor(identity)
    const first = await started(mine.client, identity)
    const second = await started(theirs.client, identity)
    assert.isTrue((await prove(mine.app, first, token)).body.verified)
    const again = await prove(theirs.app, second, token)
    refused(again, "INVALID_REQUEST", "proof")
    assert.include(again.body.message, "getVerifiedPhoneNumber")
    // The same app repeats its own request, as after a lost answer.
    assert.isTrue((await prove(mine.app, first, token)).body.verified)
    // A session of the other merchant, and one that no backend started for Firebase.
    refused(await prove(theirs.app, first, tokenFor(identity)), "TRANSACTION_NOT_FOUND")
    refused(await prove(mine.app, await mine.client.started(), tokenFor(identity)), "TRANSACTION_NOT_FOUND")
    assert.strictEqual((await theirs.client.status({ requestId: second })).body.authStatus, "PENDING")
  })

  it("refuse tokens of other projects and forged ones, and stay open", async () => {
    const { app, client } = await merchant()
    const identity = phone()
    const sessionId = await started(client, identity)
    const other = "https://fpnv.googleapis.com/projects/999999999999"
    for (const changes of [
      { claims: { iss: other, aud: [other] } },
      { header: { alg: "none" } },
      { strangeKey: true },
      { issuedAt: Math.floor(Date.now() / 1000) - 7200 }
    ]) {
      const forged = google.tokenFor(identity.slice(1), changes)
      refused(await prove(app, sessionId, forged), "INVALID_REQUEST", "proof")
    }
    for (const [proof, field] of [
      [{}, "proof.token"],
      [{ token: 7 }, "proof.token"],
      [{ token: "" }, "proof.token"],
      [{ token: "x".repeat(8193) }, "proof.token"]
    ] as const) {
      const answer = await service.send({
        path: "/v1/sdk/auth/verify-number/FIREBASE",
        body: { sessionId, proof },
        headers: { "x-public-key": app.publicKey }
      })
      refused(answer, "INVALID_REQUEST", field)
    }
    assert.isTrue((await prove(app, sessionId, tokenFor(identity))).body.verified)
  })

  it("never log a token or a number", () => {
    for (const secret of [...tokens, ...people]) assert.isFalse(lines.some((line) => line.includes(secret)))
  })
})
