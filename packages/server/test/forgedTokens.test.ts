import { Keyring } from "@countersign/core"
import { Effect, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { decode, forge, type Json, partsOf, signed, signingKeyOf } from "../../core/test/fixtures/Forgery.ts"
import { appOf } from "./fixture/App.ts"
import { type Client, code, refused } from "./fixture/Client.ts"
import { memory, secret, type Service } from "./fixture/Service.ts"

const keyOf = (master: string) =>
  Effect.runPromise(
    Effect.map(Effect.provide(Keyring, Keyring.layer({ secret: Redacted.make(master), previous: [] })), signingKeyOf)
  )

const seconds = () => Math.floor(Date.now() / 1000)

/** Tokens do not depend on storage, so one service is enough. */
describe("a forged or invalid token", () => {
  const master = secret()
  let service: Service
  beforeAll(async () => {
    service = await memory({ secret: master })
  })
  afterAll(() => service?.close())

  const forged = async (client: Client) => {
    const [app, again] = [await appOf(client), await appOf(client)]
    const [verified, second] = [await client.verified(), await client.verified()]
    const other = await service.merchant()
    const [key] = (await service.send({ path: "/.well-known/jwks.json" })).body.keys
    const { key: ours, kid } = await keyOf(master)
    assert.strictEqual(kid, key.kid, "we sign like the service")
    const typOf = (token: string) => String(decode(partsOf(token)[0])["typ"])
    const claimsOf = async (one: Client): Promise<Json> => decode(partsOf((await appOf(one)).token)[1])
    const [foreign, live] = [await claimsOf(other.test), await claimsOf(other.live)]
    const theirs = await other.test.verified()
    const session = forge({
      genuine: app.token,
      second: again.token,
      otherKind: verified.idToken,
      otherTyp: typOf(verified.idToken),
      jwk: key,
      ours,
      now: seconds(),
      strangers: {
        "the environment of another merchant": { environment: foreign["environment"] },
        "the live environment of another merchant": { environment: live["environment"] },
        "no environment": { environment: undefined },
        "the key of another merchant": { sub: foreign["sub"] },
        "a public key for a subject": { sub: client.keys.publicKey },
        "an unknown subject": { sub: "cs_test_nobody" },
        "an empty subject": { sub: "" },
        "any audience": { aud: "*" },
        "several other audiences": { aud: ["countersign", ""] },
        "the audience in upper case": { aud: "COUNTERSIGN:SDK" },
        "another scope": { scope: "admin" },
        "no scope": { scope: undefined },
        "a list of scopes": { scope: ["sdk"] },
        "the audience of an idToken": { aud: client.keys.clientId },
        "what only an idToken says": { aud: client.keys.clientId, sub: verified.requestId }
      }
    })
    const id = forge({
      genuine: verified.idToken,
      second: second.idToken,
      otherKind: app.token,
      otherTyp: typOf(app.token),
      jwk: key,
      ours,
      now: seconds(),
      strangers: {
        "a verification of another merchant": { sub: theirs.requestId },
        "the audience and the verification of another merchant": {
          aud: other.test.keys.clientId,
          sub: theirs.requestId
        },
        "an unknown verification": { sub: "ver_00000000000000000000000000" },
        "a client id for a subject": { sub: client.keys.clientId },
        "an empty subject": { sub: "" },
        "a subject that is no text": { sub: 1 },
        "a list of subjects": { sub: [verified.requestId] }
      }
    })
    return { app, id, session, verified }
  }

  it("cannot check a code, however it was forged", async () => {
    const client = await service.client()
    const { app, session } = await forged(client)
    const sessionId = await app.started()
    const tokens = Object.entries(session)
    assert.isAtLeast(tokens.length, 60)
    const accepted: Array<string> = []
    const texts = new Set<string>()
    for (const [name, token] of [...tokens, ["8 KB", "x".repeat(8000)] as const]) {
      // An HTTP client never sends a value that is invalid in a header.
      if (/[^\x20-\x7e]/.test(token)) throw new Error(name)
      const answer = await app.verify({ sessionId, code }, { authorization: `Bearer ${token}` })
      if (answer.body?.errorCode !== "INVALID_CLIENT_CREDENTIALS") accepted.push(`${name}: ${answer.text}`)
      texts.add(answer.text)
    }
    assert.deepStrictEqual(accepted, [])
    assert.strictEqual(texts.size, 1)
    assert.strictEqual((await client.status({ requestId: sessionId })).body.authStatus, "PENDING")
    assert.strictEqual((await app.verify({ sessionId, code })).body.verified, true)
    console.log(`${tokens.length} forged session tokens, none accepted`)
  })

  it("cannot confirm an identity, however it was forged", async () => {
    const client = await service.client()
    const { id, verified } = await forged(client)
    const tokens = Object.entries(id)
    assert.isAtLeast(tokens.length, 60)
    const accepted: Array<string> = []
    const texts = new Set<string>()
    for (const [name, token] of [...tokens, ["60 KB", `${verified.idToken}${"x".repeat(60_000)}`] as const]) {
      const answer = await client.confirm({ idToken: token })
      if (answer.body?.errorCode !== "INVALID_REQUEST") accepted.push(`${name}: ${answer.text}`)
      texts.add(answer.text)
    }
    assert.deepStrictEqual(accepted, [])
    assert.strictEqual(texts.size, 1)
    assert.strictEqual((await client.confirm({ idToken: verified.idToken })).body.success, true)
    console.log(`${tokens.length} forged idTokens, none accepted`)
  })

  it("is refused by its size before it is parsed", async () => {
    const client = await service.client()
    const huge = "x".repeat(1_048_576)
    refused(await client.confirm({ idToken: huge }), "PAYLOAD_TOO_LARGE")
    // A header of a megabyte is not a valid HTTP request; Node closes the connection.
    const answer = await service
      .send({ path: "/v1/sdk/auth/verify", body: {}, headers: { authorization: `Bearer ${huge}` } })
      .then(
        ({ status }) => status,
        () => 0
      )
    assert.include([0, 400, 401, 431], answer)
    assert.strictEqual((await service.send({ path: "/healthz" })).status, 200)
  })

  it("differs from a valid token, which is accepted", async () => {
    const client = await service.client()
    const app = await appOf(client)
    const { key } = await keyOf(master)
    const sessionId = await app.started()
    const [header, payload] = partsOf(app.token)
    // Signed with the service's key and valid, so each of the others is refused only for the fault in its name.
    const fine = signed(decode(header), { ...decode(payload), jti: "another" }, key)
    const checked = await app.verify({ sessionId, code }, { authorization: `Bearer ${fine}` })
    assert.strictEqual(checked.body.verified, true, checked.text)
  })
})
