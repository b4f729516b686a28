import { SilentNetworkSimulator } from "@countersign/testkit/simulators"
import { SilentNetworkAuth } from "@countersign/twilio"
import { Effect, Exit, Redacted, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type App, appOf } from "./fixture/App.ts"
import { type Client, phone, refused } from "./fixture/Client.ts"
import { returnTo } from "./fixture/Link.ts"
import { memory, type Merchant, type Service } from "./fixture/Service.ts"

describe("live logins over mobile data", () => {
  const scope = Scope.makeUnsafe()
  const lines: Array<string> = []
  const secrets: Array<string> = []
  let twilio: SilentNetworkSimulator.SilentNetworkSimulator
  let service: Service
  let shop: Merchant
  let app: App

  beforeAll(async () => {
    twilio = await Effect.runPromise(Scope.provide(SilentNetworkSimulator.make(), scope))
    const { accountSid, authToken, url, verifyService } = twilio
    const verifier = await Effect.runPromise(
      SilentNetworkAuth.make({ accountSid, authToken: Redacted.make(authToken), verifyService, verifyUrl: url })
    )
    service = await memory({ verifiers: [verifier], log: (line) => lines.push(line) })
    shop = await service.merchant()
    for (const client of [shop.live, shop.test]) {
      await client.settings({ redirectUris: [returnTo], sdkInitiatesPerIpPerHour: 1000 })
    }
    app = await appOf(shop.live)
  })
  afterAll(async () => {
    await service.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const begun = (client: Client, identity: string) =>
    client.started({ identity, mode: "OAUTH", channel: "TWILIO_SNA", redirectUri: returnTo })

  const post = (path: string, body: object, { publicKey } = app) =>
    service.send({ path: `/v1/sdk/auth/verify-number/${path}`, body, headers: { "x-public-key": publicKey } })

  const start = (sessionId: string, by = app) => post("TWILIO_SNA/start", { sessionId }, by)
  const prove = (body: object, by = app) => post("TWILIO_SNA", body, by)

  /** A phone opens the address, as over the network. */
  const open = async (url: string, number?: string) => {
    const headers: Record<string, string> = number === undefined ? {} : { "x-simulated-number": number }
    const answer = await fetch(url, { headers }).then((response) => response.text())
    secrets.push(answer)
    return answer
  }

  const login = async () => {
    const identity = phone()
    const sessionId = await begun(shop.live, identity)
    const { body, status } = await start(sessionId)
    assert.strictEqual(status, 200)
    secrets.push(identity.slice(1), body.start)
    return { identity, number: identity.slice(1), sessionId, url: body.url as string, start: body.start as string }
  }

  it("verify the number of the SIM, and the backend exchanges the code", async () => {
    const { identity, number, sessionId, start, url } = await login()
    const proof = { answer: await open(url, number) }
    const { body } = await prove({ sessionId, start, proof })
    assert.deepStrictEqual(body, { verified: true, requestId: sessionId })
    const { code } = (await shop.live.status({ requestId: sessionId })).body
    assert.deepInclude((await shop.live.token({ code })).body, { requestId: sessionId, identity })
    assert.isTrue((await prove({ sessionId, start, proof })).body.verified)
  })

  it("say that the network cannot verify the number, and stay open", async () => {
    const wifi = await login()
    const answer = await prove({
      sessionId: wifi.sessionId,
      start: wifi.start,
      proof: { answer: await open(wifi.url) }
    })
    refused(answer, "NETWORK_NOT_SUPPORTED")
    assert.strictEqual((await shop.live.status({ requestId: wifi.sessionId })).body.authStatus, "PENDING")
    const identity = phone()
    twilio.withoutCarrier([identity.slice(1)])
    refused(await start(await begun(shop.live, identity)), "NETWORK_NOT_SUPPORTED")
  })

  it("verify nobody by another SIM, by an address that was not opened, or without the client token", async () => {
    const other = await login()
    const elsewhere = { answer: await open(other.url, phone().slice(1)) }
    assert.notInclude(
      (await prove({ sessionId: other.sessionId, start: other.start, proof: elsewhere })).text,
      '"verified":true'
    )
    const unopened = await login()
    for (const answer of ["ErrorCode=0&SnaClientToken=guess", "ErrorCode=0&Carrier=SIM"]) {
      const refusal = await prove({ sessionId: unopened.sessionId, start: unopened.start, proof: { answer } })
      assert.include(["PROVIDER_ERROR", "INVALID_REQUEST"], refusal.body.errorCode)
    }
    for (const { sessionId } of [other, unopened]) {
      assert.strictEqual((await shop.live.status({ requestId: sessionId })).body.authStatus, "PENDING")
    }
  })

  it("are not completed by whoever started them when the victim's phone opens the address", async () => {
    const attack = await login()
    // The victim's phone opens the address from a page or a message. The answer stays on that phone.
    await open(attack.url, attack.number)
    for (const answer of ["ErrorCode=0&ErrorDescription=Success&Carrier=SIM", "ErrorCode=0&SnaClientToken=guess"]) {
      const { body } = await prove({ sessionId: attack.sessionId, start: attack.start, proof: { answer } })
      assert.strictEqual(body.errorCode, "INVALID_REQUEST")
    }
    refused(
      await prove({ sessionId: attack.sessionId, start: attack.start, proof: { answer: await open(attack.url) } }),
      "NETWORK_NOT_SUPPORTED"
    )
    assert.strictEqual((await shop.live.status({ requestId: attack.sessionId })).body.authStatus, "PENDING")
  })

  it("accept only the start of the same login, unchanged", async () => {
    const [mine, other] = [await login(), await login()]
    const proof = { answer: await open(mine.url, mine.number) }
    const [keyId, iv, text] = mine.start.split(".")
    for (const wrong of [
      undefined,
      "",
      "nonsense",
      "a.b.c",
      other.start,
      `${mine.start}A`,
      `${keyId}.${iv}.${text!.slice(0, -6)}`,
      "x".repeat(5000)
    ]) {
      refused(await prove({ sessionId: mine.sessionId, start: wrong, proof }), "INVALID_REQUEST", "start")
    }
    const stranger = await appOf((await service.merchant()).live)
    refused(await start(mine.sessionId, stranger), "TRANSACTION_NOT_FOUND")
    refused(await prove({ sessionId: mine.sessionId, start: mine.start, proof }, stranger), "TRANSACTION_NOT_FOUND")
    assert.isTrue((await prove({ sessionId: mine.sessionId, start: mine.start, proof })).body.verified)
    refused(await start(mine.sessionId), "INVALID_REQUEST", "sessionId")
  })

  it("start five times an hour at most, and only logins for this verifier", async () => {
    const { sessionId } = await login()
    for (let n = 0; n < 4; n++) assert.strictEqual((await start(sessionId)).status, 200)
    const over = await start(sessionId)
    refused(over, "RATE_LIMIT_EXCEEDED")
    assert.isAbove(Number(over.headers["retry-after"]), 3000)
    refused(await start(await shop.live.started()), "TRANSACTION_NOT_FOUND")
    refused(await start("nonsense"), "TRANSACTION_NOT_FOUND")
    refused(await post("TRUECALLER/start", { sessionId }), "INVALID_REQUEST", "verifier")
    refused(await post("NOBODY/start", { sessionId }), "INVALID_REQUEST", "verifier")
  })

  it("stay open while Twilio is down, and do not count as starts", async () => {
    const identity = phone()
    const sessionId = await begun(shop.live, identity)
    await Effect.runPromise(twilio.play("unavailable"))
    for (let n = 0; n < 7; n++) {
      const answer = await start(sessionId)
      refused(answer, "PROVIDER_ERROR")
      assert.isAbove(Number(answer.headers["retry-after"]), 0)
    }
    await Effect.runPromise(twilio.play("accepted"))
    assert.strictEqual((await start(sessionId)).status, 200)
  })

  it("open nothing in a test environment, where the answer is the number", async () => {
    const before = (await Effect.runPromise(twilio.seen)).length
    const test = await appOf(shop.test)
    const identity = phone()
    const sessionId = await begun(shop.test, identity)
    const started = (await start(sessionId, test)).body
    assert.isNull(started.url)
    const answer = identity.slice(1)
    assert.isTrue((await prove({ sessionId, start: started.start, proof: { answer } }, test)).body.verified)
    const away = await begun(shop.test, `${phone().slice(0, -4)}0000`)
    refused(await start(away, test), "PROVIDER_ERROR")
    assert.lengthOf(await Effect.runPromise(twilio.seen), before)
  })

  it("never log a number, an answer or a start", () => {
    for (const secret of secrets) assert.isFalse(lines.some((line) => line.includes(secret)))
  })
})
