import type { Channel, LineInfo } from "@countersign/core/channel"
import { MemoryStorage } from "@countersign/core/memory"
import { CamaraSimulator, TwilioLookupSimulator } from "@countersign/testkit/simulators"
import { Effect, Exit, Redacted, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Configuration from "../src/Configuration.ts"
import { checkProviders } from "../src/check/checkProviders.ts"
import * as Providers from "../src/providers/Providers.ts"
import { type Client, phone, refused } from "./fixture/Client.ts"
import { inProcess, secret, type Service, token } from "./fixture/Service.ts"

const codes = new Map<string, string>()
const sms: Channel = {
  name: "SMS",
  provider: "recording",
  supports: { identityTypes: ["MOBILE"], receipts: false, kinds: ["Code"] },
  send: (message) =>
    Effect.sync(() => {
      const [code] = /\d{6}/.exec(Redacted.value(message.text)) ?? []
      codes.set(message.to, code ?? "")
      return { providerId: null }
    })
}

const lookups = ["type", "carrier"]

describe("facts about lines over HTTP, from both providers over sockets", () => {
  const scope = Effect.runSync(Scope.make())
  const lines: Array<string> = []
  let operator: CamaraSimulator.CamaraSimulator
  let twilio: TwilioLookupSimulator.TwilioLookupSimulator
  let variables: { readonly [name: string]: string }
  let service: Service
  let shop: Client
  let sandbox: Client

  const configured = (environment: { readonly [name: string]: string }): Promise<ReadonlyArray<LineInfo>> =>
    Effect.gen(function* () {
      const { providers, publicUrl } = yield* Configuration.read(environment)
      return (yield* Providers.means(providers, publicUrl)).lineInfo
    }).pipe(Scope.provide(scope), Effect.runPromise)

  beforeAll(async () => {
    const start = <A>(effect: Effect.Effect<A, never, Scope.Scope>) => Effect.runPromise(Scope.provide(effect, scope))
    operator = await start(CamaraSimulator.make())
    twilio = await start(TwilioLookupSimulator.make())
    variables = {
      CAMARA_API_URL: operator.apiUrl,
      CAMARA_TOKEN_URL: operator.tokenUrl,
      CAMARA_CLIENT_ID: operator.clientId,
      CAMARA_PRIVATE_KEY: operator.privateKey,
      CAMARA_FACTS: "simSwapped, recycled",
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_API_URL: twilio.url,
      TWILIO_LOOKUP_URL: twilio.url,
      TWILIO_LOOKUP_FACTS: lookups.join(", "),
      LINE_INFO: "91: camara, twilio; *: twilio"
    }
    const { providers } = await Effect.runPromise(Configuration.read(variables))
    service = await inProcess({
      mode: "memory",
      storage: MemoryStorage.layer,
      channels: [sms],
      adminToken: token(),
      secret: secret(),
      core: { lineInfo: await configured(variables), lineTable: providers.lines?.table },
      log: (line) => void lines.push(line)
    })
    const merchant = await service.merchant()
    shop = merchant.live
    sandbox = merchant.test
  })
  afterAll(async () => {
    await service.close()
    await Effect.runPromise(Scope.close(scope, Exit.void))
  })

  const codeFor = async (identity: string): Promise<string> => {
    for (;;) {
      const code = codes.get(identity)
      if (code !== undefined) return code
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
  }
  const verified = async (identity: string, line: object, headers: { readonly [name: string]: string } = {}) => {
    const requestId = await shop.started({ identity })
    const body = { requestId, otp: await codeFor(identity), line }
    return { body, answer: await shop.send({ path: "/v1/auth/verify", body, headers }) }
  }

  it("come with the answer to a right code, each from the provider that the table names for it", async () => {
    const identity = phone()
    await Effect.runPromise(
      Effect.all([
        operator.know({ number: identity, simSwappedAt: Date.now() - 3_600_000, ownerSince: "2025-06-01" }),
        twilio.know({ number: identity, type: "mobile", carrier: "Acme Mobile" })
      ])
    )
    const line = { facts: [...lookups, "simSwapped", "recycled"], simSwapHours: 24, recycledSince: "2025-01-31" }
    const { answer } = await verified(identity, line)
    assert.strictEqual(answer.status, 200, answer.text)
    assert.deepStrictEqual(answer.body.line, {
      type: "mobile",
      carrier: "Acme Mobile",
      simSwapped: true,
      recycled: true,
      missing: null
    })
  })

  it("are the same for a repeat with the key, and no part of the answer without `line`", async () => {
    const identity = phone()
    await Effect.runPromise(twilio.know({ number: identity, type: "nonFixedVoip" }))
    const key = { "idempotency-key": "a-key-of-a-repeat-1" }
    const { answer, body } = await verified(identity, { facts: ["type"] }, key)
    await Effect.runPromise(twilio.know({ number: identity, type: "landline" }))
    const repeat = await shop.send({ path: "/v1/auth/verify", body, headers: key })
    assert.deepStrictEqual(repeat.body, answer.body)
    const without = await shop.verify({ requestId: body.requestId, otp: body.otp })
    assert.notProperty(without.body, "line")
  })

  it("name a wrong field, and never fail a sign-in while both providers are down", async () => {
    const identity = phone()
    const requestId = await shop.started({ identity })
    refused(await shop.verify({ requestId, otp: "000000", line: { facts: ["age"] } }), "INVALID_REQUEST", "line.facts")
    refused(
      await shop.verify({ requestId, otp: "000000", line: { facts: ["recycled"] } }),
      "INVALID_REQUEST",
      "line.recycledSince"
    )
    await Effect.runPromise(Effect.all([operator.play("unavailable"), twilio.play("garbled")]))
    const { answer } = await verified(phone(), { facts: ["type", "simSwapped"] })
    assert.strictEqual(answer.body.verified, true, answer.text)
    assert.deepStrictEqual(answer.body.line, { type: null, simSwapped: null, missing: "UNAVAILABLE" })
    await Effect.runPromise(Effect.all([operator.play("accepted"), twilio.play("accepted")]))
  })

  it("refuse a code where the merchant enforces a reason, and say which in the refusal and the dashboard", async () => {
    const identity = phone()
    await Effect.runPromise(operator.know({ number: identity, simSwappedAt: Date.now() - 3_600_000 }))
    await shop.settings({ guardSimSwapHours: 24 })
    const shadow = await shop.started({ identity })
    const seen = await shop.get(`/v1/dashboard/verifications/${shadow}`)
    assert.deepStrictEqual(seen.body.guard, { verdict: "block", reasons: [{ reason: "SIM_SWAPPED", score: 9.3 }] })
    await shop.settings({ guardEnforces: ["SIM_SWAPPED"] })
    const answer = await shop.initiate({ identity })
    refused(answer, "FORBIDDEN")
    assert.strictEqual(answer.status, 403)
    assert.include(answer.body.message, "SIM_SWAPPED")
    await shop.settings({ guardEnforces: [], guardSimSwapHours: 0 })
  })

  it("leave neither numbers, keys nor tokens in the log", () => {
    const text = lines.join("\n")
    for (const identity of codes.keys()) assert.notInclude(text, identity.slice(1))
    for (const word of [twilio.authToken, "simulated.", "BEGIN PRIVATE KEY"]) assert.notInclude(text, word)
  })

  it("in the test environment ask no provider", async () => {
    const before = (await Effect.runPromise(twilio.seen)).length
    const requestId = await sandbox.started({ identity: "+919876540004" })
    const { body } = await sandbox.verify({ requestId, otp: "123456", line: { facts: ["type"] } })
    assert.deepStrictEqual(body.line, { type: "nonFixedVoip", missing: null })
    assert.lengthOf(await Effect.runPromise(twilio.seen), before)
  })

  it("are checked by `countersign check` without a lookup", async () => {
    const charged = await Effect.runPromise(twilio.charged)
    const findings = await Effect.runPromise(
      Effect.flatMap(Configuration.read(variables), (configuration) => checkProviders(configuration))
    )
    const text = JSON.stringify(findings)
    assert.include(text, "line facts through camara")
    assert.include(text, "line facts through twilio")
    assert.notInclude(text, "problem", text)
    assert.deepStrictEqual(await Effect.runPromise(twilio.charged), charged)
  })

  it("need a table for two providers, which names only configured ones, and every wrong variable is named", async () => {
    const problemsOf = (environment: { readonly [name: string]: string }) =>
      Effect.gen(function* () {
        const { providers, publicUrl } = yield* Configuration.read(environment)
        return yield* Effect.scoped(Providers.means(providers, publicUrl))
      }).pipe(
        Effect.flip,
        Effect.map(({ problems }) => problems.map((problem) => problem.slice(0, problem.indexOf(":")))),
        Effect.runPromise
      )
    const { LINE_INFO: _, ...without } = variables
    assert.deepStrictEqual(await problemsOf(without), ["LINE_INFO"])
    assert.deepStrictEqual(await problemsOf({ ...variables, LINE_INFO: "*: acme" }), ["LINE_INFO"])
    assert.deepStrictEqual(await problemsOf({ ...variables, LINE_INFO: "India: twilio" }), ["LINE_INFO"])
    assert.deepStrictEqual(await problemsOf({ ...variables, LINE_INFO_LOOKUPS_PER_HOUR: "0" }), [
      "LINE_INFO_LOOKUPS_PER_HOUR"
    ])
    const rows: ReadonlyArray<readonly [string, string]> = [
      ["CAMARA_API_URL", "http://api.example.com"],
      ["CAMARA_TOKEN_URL", "ftp://x"],
      ["CAMARA_CLIENT_ID", "two words"],
      ["CAMARA_PRIVATE_KEY", "nonsense"],
      ["CAMARA_PURPOSE", "fraud"],
      ["CAMARA_FACTS", "weather"],
      ["TWILIO_LOOKUP_FACTS", "weather"],
      ["TWILIO_LOOKUP_URL", "ftp://x"]
    ]
    for (const [variable, value] of rows) {
      assert.deepStrictEqual(await problemsOf({ ...variables, [variable]: value }), [variable], variable)
    }
  })
})
