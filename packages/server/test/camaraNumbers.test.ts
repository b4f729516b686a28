import { NumberVerificationSimulator } from "@countersign/testkit/simulators"
import { Effect, Exit, Scope } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Configuration from "../src/Configuration.ts"
import * as Providers from "../src/providers/Providers.ts"
import { appOf } from "./fixture/App.ts"
import { refused } from "./fixture/Client.ts"
import { returnTo } from "./fixture/Link.ts"
import { memory } from "./fixture/Service.ts"

type Variables = { readonly [name: string]: string }

describe("mobile operators in variables", () => {
  const scope = Scope.makeUnsafe()
  let first: NumberVerificationSimulator.NumberVerificationSimulator
  let second: typeof first
  let variables: Variables
  const start = () => Effect.runPromise(Scope.provide(NumberVerificationSimulator.make(), scope))

  beforeAll(async () => {
    first = await start()
    second = await start()
    variables = {
      CAMARA_API_URL: first.apiUrl,
      CAMARA_TOKEN_URL: first.tokenUrl,
      CAMARA_CLIENT_ID: first.clientId,
      CAMARA_PRIVATE_KEY: first.privateKey,
      CAMARA_AUTHORIZE_URL: first.authorizeUrl,
      CAMARA_REDIRECT_URI: first.redirectUri,
      CAMARA_PREFIXES: "9198",
      CAMARA_OPERATORS: JSON.stringify([other()])
    }
  })
  afterAll(() => Effect.runPromise(Scope.close(scope, Exit.void)))

  const other = () => ({
    name: "other",
    prefixes: ["9197"],
    apiUrl: second.apiUrl,
    tokenUrl: second.tokenUrl,
    authorizeUrl: second.authorizeUrl,
    privateKey: second.privateKey
  })

  const means = (environment: Variables) =>
    Effect.gen(function* () {
      const { providers, publicUrl } = yield* Configuration.read(environment)
      return yield* Providers.means(providers, publicUrl)
    }).pipe(Scope.provide(scope))

  it("verify each number at the operator of its prefix, and say that other numbers need a code", async () => {
    const { lineInfo, verifiers } = await Effect.runPromise(means(variables))
    assert.deepStrictEqual(lineInfo, [])
    const service = await memory({ verifiers })
    const { live } = await service.merchant()
    await live.settings({ redirectUris: [returnTo], sdkInitiatesPerIpPerHour: 1000 })
    const { publicKey } = await appOf(live)
    const post = (path: string, body: object) =>
      service.send({ path: `/v1/sdk/auth/verify-number/${path}`, body, headers: { "x-public-key": publicKey } })
    const begin = async (number: string) => {
      const fields = { mode: "OAUTH", channel: "CAMARA", redirectUri: returnTo }
      const sessionId = await live.started({ ...fields, identity: `+${number}` })
      return { sessionId, started: await post("CAMARA/start", { sessionId }) }
    }
    for (const [operator, number] of [
      [first, "919812345678"],
      [second, "919712345678"]
    ] as const) {
      const { sessionId, started } = await begin(number)
      assert.isTrue(started.body.url.startsWith(`${operator.authorizeUrl}?`), started.text)
      const proof = { answer: operator.open(started.body.url, number) }
      const proved = await post("CAMARA", { sessionId, start: started.body.start, proof })
      assert.deepStrictEqual(proved.body, { verified: true, requestId: sessionId })
    }
    refused((await begin("919612345678")).started, "NETWORK_NOT_SUPPORTED")
    await service.close()
  })

  it("name every wrong variable and field, and no value", async () => {
    const problemsOf = async (environment: Variables) => {
      const { problems } = await Effect.runPromise(Effect.flip(means(environment)))
      for (const problem of problems) assert.notMatch(problem, /PRIVATE KEY-|hunter2/)
      return problems
    }
    const operators = (...list: ReadonlyArray<object>) => ({ ...variables, CAMARA_OPERATORS: JSON.stringify(list) })
    const rows: ReadonlyArray<readonly [Variables, string]> = [
      [{ ...variables, CAMARA_AUTHORIZE_URL: "http://auth.example.com" }, "CAMARA_AUTHORIZE_URL: "],
      [{ ...variables, CAMARA_REDIRECT_URI: "hunter2" }, "CAMARA_REDIRECT_URI: "],
      [{ ...variables, CAMARA_PREFIXES: "India" }, "CAMARA_PREFIXES: "],
      [{ ...variables, CAMARA_OPERATORS: "hunter2" }, "CAMARA_OPERATORS: must be a JSON array"],
      [operators({ ...other(), apiKey: "hunter2" }), "CAMARA_OPERATORS: must be a JSON array"],
      [operators({ ...other(), privateKey: "hunter2" }), 'CAMARA_OPERATORS: privateKey of "other": '],
      [operators({ ...other(), apiUrl: "hunter2" }), 'CAMARA_OPERATORS: apiUrl of "other": '],
      [operators({ ...other(), prefixes: ["9198"] }), "CAMARA_OPERATORS: must be different"],
      [operators(other(), { ...other(), prefixes: ["9170"] }), "CAMARA_OPERATORS: must be different"]
    ]
    for (const [environment, expected] of rows) {
      const [problem = "", ...others] = await problemsOf(environment)
      assert.deepStrictEqual([problem.slice(0, expected.length), others], [expected, []])
    }
    const { CAMARA_REDIRECT_URI: _, ...without } = variables
    assert.include((await problemsOf(without)).join(), "CAMARA_REDIRECT_URI: is required together with")
  })
})
