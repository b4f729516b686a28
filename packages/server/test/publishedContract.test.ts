import { Validator } from "@seriousme/openapi-schema-validator"
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { appOf } from "./fixture/App.ts"
import { code, phone } from "./fixture/Client.ts"
import { Inbox } from "./fixture/Inbox.ts"
import { Random } from "./fixture/Random.ts"
import * as Requests from "./fixture/Requests.ts"
import { memory, type Service } from "./fixture/Service.ts"
import { type Answer, type Call, checkEnvelope, pool, send } from "./fixture/Wire.ts"

const count = Number(process.env["FUZZ_REQUESTS"] ?? 1_000)
const seed = Number(process.env["FUZZ_SEED"] ?? 20_260_131)
const width = 32

type Json = { readonly [key: string]: any }

let service: Service
let spec: Json
beforeAll(async () => {
  service = await memory()
  spec = (await service.send({ path: "/openapi.json" })).body
})
afterAll(() => service?.close())

/** Every schema in the contract. */
const schemasIn = (value: unknown, found: Array<Json> = []): ReadonlyArray<Json> => {
  if (typeof value !== "object" || value === null) return found
  if ("type" in value || "enum" in value || "$ref" in value) found.push(value)
  for (const one of Object.values(value)) schemasIn(one, found)
  return found
}

describe("the published contract", () => {
  it("is valid OpenAPI", async () => {
    const { errors, valid } = await new Validator().validate(structuredClone(spec))
    assert.isTrue(valid, JSON.stringify(errors))
    assert.strictEqual(spec["openapi"], "3.1.0")
    assert.strictEqual(spec["info"].version, "0.0.0")
    assert.deepStrictEqual(spec["servers"], [{ url: "/" }])
  })

  it("has an introduction, and describes every credential", () => {
    assert.match(spec["info"].description, /^A verification service\./)
    for (const [name, scheme] of Object.entries<Json>(spec["components"].securitySchemes))
      assert.isString(scheme["description"], name)
    const paths = [...String(spec["info"].description).matchAll(/`(?:POST|GET) (\/\S+)`/g)].map(([, path = ""]) => path)
    assert.isAbove(paths.length, 3)
    for (const path of paths) assert.property(spec["paths"], path)
  })

  it("declares ranges and enums, and no number that JSON cannot represent", () => {
    assert.notInclude(JSON.stringify(spec), "NaN")
    const { properties } = spec["components"].schemas.InitiateRequest
    assert.deepInclude(properties.otpLength.anyOf[0], { type: "integer", minimum: 4, maximum: 8 })
    const enumOf = (schema: Json) => schemasIn(schema).find((one) => one["enum"] !== undefined)?.["enum"]
    assert.deepStrictEqual(enumOf(properties.mode), ["OTP", "OAUTH", "MAGIC_LINK"])
    assert.deepStrictEqual(enumOf(properties.identityType), ["MOBILE", "EMAIL"])
    const [channel] = schemasIn(properties.channel).filter(({ pattern }) => pattern !== undefined)
    assert.deepInclude(channel, { type: "string", pattern: "^[A-Z][A-Z0-9_]{1,31}$", examples: ["SMS"] })
    for (const name of ["SMS", "WHATSAPP", "RCS", "EMAIL", "another channel"])
      assert.include(channel?.["description"], name)
    const patch = spec["paths"]["/v1/dashboard/settings"].patch.requestBody.content["application/json"].schema
    assert.deepInclude(JSON.stringify(patch.properties.codeLength), '"minimum":4')
    assert.isUndefined(patch.required)
    const [limit] = spec["paths"]["/v1/dashboard/events"].get.parameters.filter(({ name }: Json) => name === "limit")
    assert.deepInclude(limit, { required: false, schema: { type: "integer", minimum: 1, maximum: 200 } })
  })

  it("declares which bodies are optional", () => {
    const isRequired = (path: string) => spec["paths"][path].post.requestBody.required
    assert.isFalse(isRequired("/v1/sdk/session"))
    assert.isTrue(isRequired("/v1/auth/verify-code"))
  })

  it("allows unknown fields in requests, as the service does", () => {
    const bodies = Object.values<Json>(spec["paths"]).flatMap((path) =>
      Object.values<Json>(path).flatMap(({ operationId, requestBody }) =>
        requestBody === undefined || operationId === "settings.update" ? [] : [requestBody]
      )
    )
    assert.isAtLeast(bodies.length, 10)
    const names = bodies.flatMap((body) => schemasIn(body).flatMap(({ $ref }) => ($ref === undefined ? [] : [$ref])))
    for (const name of names) {
      assert.isUndefined(spec["components"].schemas[name.slice(name.lastIndexOf("/") + 1)].additionalProperties, name)
    }
    for (const body of bodies) assert.notInclude(JSON.stringify(body), '"additionalProperties":false')
  })

  // credentials.ts tests over HTTP which credentials each operation needs.
  it("declares 500 for every operation, 401 with credentials, and 400 and 409 for POST", () => {
    for (const [path, operations] of Object.entries<Json>(spec["paths"])) {
      for (const [method, { responses, security }] of Object.entries<Json>(operations)) {
        if (path.startsWith("/v1/")) assert.containsAllKeys(responses, ["500"], `${method} ${path}`)
        if (security?.length > 0) assert.containsAllKeys(responses, ["401"], `${method} ${path}`)
        if (method === "post") assert.containsAllKeys(responses, ["400", "409"], path)
      }
    }
  })

  it(
    `declares every answer to ${count} valid and invalid calls`,
    async () => {
      const random = new Random(seed)
      const merchant = await service.merchant({
        maxConsecutiveFailures: 0,
        canonicalHourlyLimit: 0,
        sdkInitiatesPerIpPerHour: 100_000,
        oneTap: true,
        linkNumberMatch: true
      })
      const client = merchant.test
      const app = await appOf(client)
      const identities = Array.from({ length: 20 }, () => phone())
      const requestIds = await Promise.all(identities.slice(1, 5).map((identity) => client.started({ identity })))
      const sessions = await Promise.all(identities.slice(5, 9).map((one) => app.started({ phone: one })))
      const inbox = new Inbox(client)
      const [asha, team] = [await inbox.agent(), await inbox.team()]
      const leads = [await inbox.entered({ phone: identities[0] }), await inbox.entered({ phone: identities[1] })]
      for (const { id } of leads) await inbox.active(id)
      const webhook = await client.webhook({ url: "https://example.com/hook", events: ["campaign.delivered"] })
      const known: Requests.Known = {
        identity: identities,
        identityType: ["MOBILE"],
        mode: ["OTP", "OTP", "MAGIC_LINK", "OAUTH"],
        channel: ["SMS", "WHATSAPP", "EMAIL", "sms", "auto", null],
        otpLength: [4, 5, 6, 7, 8, null],
        orderId: ["order", "o-1", null],
        requestId: requestIds,
        otp: [code, "000000"],
        phone: identities,
        sessionId: [...sessions, null],
        code: [code, "000000"],
        codeVerifier: ["v".repeat(43), "v".repeat(128)],
        scope: ["sdk", null],
        templateId: [null],
        header: [null],
        wabaId: [null],
        redirectUri: [null],
        codeChallenge: [null],
        launchId: [null],
        deviceInfo: [{ model: "x" }, null],
        id: [merchant.id, webhook.id, client.keys.clientId, ...leads.map(({ id }) => String(id)), String(asha.id)],
        leadId: leads.map(({ id }) => String(id)),
        agentEmail: [asha.email, "", null],
        assignedTo: [asha.email],
        teamName: [team.name, null],
        team: [team.name],
        members: [[asha.id], null],
        page: ["0", "1"],
        size: ["1", "50"],
        template: ["hello", null],
        values: [["x"], null],
        text: ["Hello"],
        type: ["otp.verified", "SERVER", "PUBLIC"],
        limit: ["1", "200"],
        name: ["Acme"],
        settings: ["codeLength", "oneTap", "brand"]
      }
      const operations = Requests.operationsOf(spec).filter(
        // A suspended merchant gets no more answers, and a test event is sent to a real host.
        ({ method, path }) =>
          !(method === "POST" && /suspend$|\/test$|redeliver$|\/roll$/.test(path)) && method !== "DELETE"
      )
      const patterns = Object.keys(spec["paths"]).map((path) => ({
        path,
        pattern: new RegExp(`^${path.replaceAll(".", "\\.").replace(/\{\w+\}/g, "[^/]+")}$`)
      }))
      const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(spec, "contract")
      const validators = new Map<string, ValidateFunction>()
      const validator = (pointer: string) => {
        let found = validators.get(pointer)
        if (found === undefined) validators.set(pointer, (found = ajv.compile({ $ref: `contract#${pointer}` })))
        return found
      }
      const escape = (name: string) => encodeURIComponent(name.replaceAll("~", "~0").replaceAll("/", "~1"))

      const bad: Array<string> = []
      const tally = new Map<number, number>()
      const judge = (call: Call, { body, status, text }: Answer, what: string) => {
        // Requests that Node's parser refuses never reached an endpoint.
        if (text.includes("The request is not valid HTTP")) return
        tally.set(status, (tally.get(status) ?? 0) + 1)
        const at = call.path.split("?")[0]!
        const path = patterns.find(({ pattern }) => pattern.test(at))?.path
        const method = (call.method ?? "GET").toLowerCase()
        const operation = path === undefined ? undefined : spec["paths"][path][method]
        if (operation === undefined) {
          if (status >= 400 && method !== "head") checkEnvelope({ body }, what)
          return
        }
        const declared = operation.responses[status]
        if (declared === undefined) return void bad.push(`${what} → ${status} ${text.slice(0, 200)}: not declared`)
        if (declared.content === undefined) return void (text === "" || bad.push(`${what} → ${status} has a body`))
        // A file or a stream has no schema to violate.
        if (declared.content["application/json"] === undefined) return
        const pointer = ["paths", path!, method, "responses", String(status), "content", "application/json", "schema"]
        const validate = validator(`/${pointer.map(escape).join("/")}`)
        if (!validate(body)) bad.push(`${what} → ${status} ${text.slice(0, 300)}: ${ajv.errorsText(validate.errors)}`)
      }

      const credentialsFor = (path: string): { readonly [name: string]: string } => {
        if (random.chance(0.03)) return {}
        if (/^\/v1\/sdk\/auth\/(initiate|truecaller|verify-number)/.test(path)) return { "x-public-key": app.publicKey }
        if (path.startsWith("/v1/sdk/auth")) return { authorization: `Bearer ${app.token}` }
        if (path.startsWith("/v1/admin")) return { authorization: `Bearer ${service.adminToken}` }
        return client.credentials
      }
      const agent = pool(width)
      let next = 0
      const worker = async () => {
        while (next < count) {
          const index = next++
          const made = Requests.make(random, operations, known)
          const call: Call = { ...made, headers: { ...credentialsFor(made.path), ...made.headers } }
          const what = `seed ${seed}, request ${index}: ${JSON.stringify({ ...made, headers: undefined }).slice(0, 300)}`
          // A HEAD that cannot be parsed is answered with a body, which Node's client reports as an error.
          const answer = await send(service.urls[0]!, call, agent).catch(() => null)
          if (answer !== null) judge(call, answer, what)
        }
      }
      await Promise.all(Array.from({ length: width }, worker))
      agent.destroy()
      assert.deepStrictEqual(bad.slice(0, 10), [], `${bad.length} of ${count}`)
      assert.isAbove(tally.get(200) ?? 0, count / 20)
      assert.isAbove(tally.get(400) ?? 0, count / 10)
    },
    180_000 + 20 * count
  )
})
