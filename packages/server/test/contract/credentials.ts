import { assert, describe, it } from "vitest"
import { sessionToken } from "../fixture/App.ts"
import { code, phone } from "../fixture/Client.ts"
import * as Load from "../fixture/Load.ts"
import type { Merchant, Service } from "../fixture/Service.ts"
import type { Answer, Call } from "../fixture/Wire.ts"

/**
 * Who may call an operation. "launch" requires the public key and the launch's own token. "staff" is a server key or a
 * signed-in person, "person" only a signed-in person, "signIn" a dashboard page.
 */
type Access = "server" | "staff" | "person" | "signIn" | "public" | "launch" | "session" | "admin" | "open"

/**
 * Who may call what. An operation without a row here fails the test: add who may call it. Operations for apps are
 * listed one by one, because an app's key is public.
 */
const documented: ReadonlyArray<[operation: RegExp, access: Access]> = [
  [/^\w+ \/v1\/auth\//, "server"],
  [/^(POST \/v1\/deliveries|GET \/v1\/deliveries\/\{id\})$/, "server"],
  [/^GET \/v1\/dashboard\/sign-in$/, "open"],
  [/^POST \/v1\/dashboard\/sessions(\/(confirm|redeem|passkey|passkey\/options))?$/, "signIn"],
  [/^\w+ \/v1\/dashboard\/(me|sessions|passkeys)(\/|$)/, "person"],
  [/^\w+ \/v1\/dashboard\/agents\/\{id\}\/credentials(\/|$)/, "person"],
  [/^POST \/v1\/dashboard\/leads\/\{id\}\/(looking|media)$/, "person"],
  [/^\w+ \/v1\/dashboard\//, "staff"],
  [/^\w+ \/v1\/whatsapp\//, "staff"],
  [/^\w+ \/v1\/admin\//, "admin"],
  [/^POST \/v1\/sdk\/session$/, "server"],
  [/^POST \/v1\/sdk\/auth\/initiate$/, "public"],
  [/^POST \/v1\/sdk\/auth\/(truecaller$|verify-number\/)/, "public"],
  [/^POST \/v1\/sdk\/attribution\/(launch|conversion)$/, "public"],
  [/^DELETE \/v1\/sdk\/attribution\/launch\/\{id\}$/, "launch"],
  [/^POST \/v1\/sdk\/auth\/verify$/, "session"],
  [/^GET \/v1\/sdk\/auth\/status$/, "session"],
  [/^GET \/(healthz|readyz|\.well-known\/jwks\.json)$/, "open"]
]

const serverKey = ["clientId", "clientSecret"]

/** The OpenAPI names of the credentials for each access. */
const schemes: { readonly [access in Access]: ReadonlyArray<ReadonlyArray<string>> } = {
  server: [serverKey],
  staff: [serverKey, ["signedIn"]],
  person: [["signedIn"]],
  signIn: [],
  public: [["publicKey"]],
  launch: [["publicKey"]],
  session: [["sessionToken"]],
  admin: [["adminToken"]],
  open: []
}

interface Operation {
  readonly name: string
  readonly access: Access
  readonly call: Call
}

const accessOf = (name: string): Access => {
  const [, access] = documented.find(([pattern]) => pattern.test(name)) ?? []
  if (access === undefined) throw new Error(`No row says who may call ${name}: add one to the table of this test`)
  return access
}

/** Valid bodies. Operations without one are called with an empty object. */
const bodies: { readonly [name: string]: () => unknown } = {
  "POST /v1/auth/initiate": () => ({ identity: phone(), identityType: "MOBILE", mode: "OTP" }),
  "POST /v1/sdk/auth/initiate": () => ({ phone: phone() })
}

/** Operations with lasting effects get a body that they refuse after authentication. */
const refused: { readonly [name: string]: unknown } = { "POST /v1/dashboard/example-day": { seed: "none" } }

const operationsOf = (openapi: any): ReadonlyArray<Operation> =>
  Object.entries<any>(openapi.paths).flatMap(([path, methods]) =>
    Object.entries<any>(methods).map(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`
      const access = accessOf(name)
      const alternatives = (operation.security ?? []).map((one: object) => Object.keys(one))
      assert.deepStrictEqual(alternatives, schemes[access], `the security of ${name}`)
      const body = bodies[name]?.() ?? refused[name] ?? (operation.requestBody === undefined ? undefined : {})
      const call = { method: method.toUpperCase(), path: path.replace(/\{\w+\}/g, "x") }
      return { name, access, call: body === undefined ? call : { ...call, body } }
    })
  )

interface Credential {
  readonly name: string
  readonly headers: { readonly [name: string]: string }
  /** The access that it gives. Default: none. */
  readonly opens?: Access
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

/** Every kind of credential, in its own header and in every wrong one. */
const credentialsOf = async (service: Service, one: Merchant, other: Merchant): Promise<ReadonlyArray<Credential>> => {
  const { live, test } = one
  const [session, liveSession] = [await sessionToken(test), await sessionToken(live)]
  const { idToken, requestId } = await test.verified()
  const { clientId, clientSecret, publicKey } = test.keys
  const named = (id: string, secret: string) => ({ "x-client-id": id, "x-client-secret": secret })
  const foreign = other.test.keys
  const [head, payload, signature] = session.split(".") as [string, string, string]
  const [, theirs] = (await sessionToken(other.test)).split(".") as [string, string]
  return [
    { name: "nothing", headers: {} },
    { name: "a test server key", headers: test.credentials, opens: "server" },
    { name: "a live server key", headers: live.credentials, opens: "server" },
    { name: "another merchant's server key", headers: other.test.credentials, opens: "server" },
    { name: "a test public key", headers: { "x-public-key": publicKey }, opens: "public" },
    { name: "another merchant's public key", headers: { "x-public-key": foreign.publicKey }, opens: "public" },
    { name: "a live public key", headers: { "x-public-key": live.keys.publicKey }, opens: "public" },
    { name: "a test session token", headers: bearer(session), opens: "session" },
    { name: "a live session token", headers: bearer(liveSession), opens: "session" },
    { name: "the operator's token", headers: bearer(service.adminToken), opens: "admin" },
    { name: "a wrong secret", headers: named(clientId, `${clientSecret}x`) },
    { name: "the secret of the other environment", headers: named(clientId, live.keys.clientSecret) },
    { name: "another merchant's secret", headers: named(clientId, foreign.clientSecret) },
    { name: "an id without a secret", headers: { "x-client-id": clientId } },
    { name: "a secret without an id", headers: { "x-client-secret": clientSecret } },
    { name: "a public key for an id", headers: named(publicKey, "") },
    { name: "a public key for id and secret", headers: named(publicKey, publicKey) },
    { name: "an id for a public key", headers: { "x-public-key": clientId } },
    { name: "a secret for a public key", headers: { "x-public-key": clientSecret } },
    { name: "no public key", headers: { "x-public-key": "" } },
    { name: "half a public key", headers: { "x-public-key": publicKey.slice(0, -1) } },
    { name: "a public key in upper case", headers: { "x-public-key": publicKey.toUpperCase() } },
    { name: "a session token for a public key", headers: { "x-public-key": session } },
    { name: "a session token for a secret", headers: named(clientId, session) },
    { name: "a secret as bearer", headers: bearer(clientSecret) },
    { name: "a public key as bearer", headers: bearer(publicKey) },
    { name: "an idToken as bearer", headers: bearer(idToken) },
    { name: "an idToken for a public key", headers: { "x-public-key": idToken } },
    { name: "a requestId as bearer", headers: bearer(requestId) },
    { name: "a code as bearer", headers: bearer(code) },
    { name: "a session token whose claims are another's", headers: bearer(`${head}.${theirs}.${signature}`) },
    { name: "a session token without its signature", headers: bearer(`${head}.${payload}.`) },
    { name: "a session token with another scheme", headers: { authorization: `Basic ${session}` } },
    { name: "a session token without a scheme", headers: { authorization: session } },
    { name: "two session tokens", headers: bearer(`${session}, ${session}`) },
    { name: "the operator's token with one more letter", headers: bearer(`${service.adminToken}x`) },
    { name: "the operator's token for a secret", headers: named(clientId, service.adminToken) },
    { name: "an empty bearer", headers: { authorization: "Bearer " } },
    { name: "a bearer of 8 KB", headers: bearer("x".repeat(8000)) }
  ]
}

/** Operations that change a merchant's team, which both environments share. */
const changesBoth = /^(POST|PATCH|DELETE) \/v1\/dashboard\/(agents|teams)/

/** The error code of the answer; null if the caller is admitted. */
const refusalOf = ({ access, name }: Operation, { headers, opens }: Credential) => {
  if (opens === "server" && changesBoth.test(name) && headers["x-client-id"]?.startsWith("cs_test_")) return "FORBIDDEN"
  if (access === "open" || opens === access || (opens === "server" && access === "staff")) return null
  // None of these requests comes from a dashboard page, and no key may call operations for people.
  return access === "signIn" || (access === "person" && opens === "server") ? "FORBIDDEN" : "INVALID_CLIENT_CREDENTIALS"
}

/** Whether the answer shows that the credentials were accepted. */
const admitted = ({ body, status }: Answer) => status !== 401 && body?.errorCode !== "FORBIDDEN"

/** Every credential at every operation. */
export const suite = (service: () => Service) =>
  describe("credentials", () => {
    it("give access to their own endpoints, and to no others", async () => {
      const settings = { sdkInitiatesPerIpPerHour: 100_000 }
      const [one, other] = [await service().merchant(settings), await service().merchant(settings)]
      const operations = operationsOf((await service().send({ path: "/openapi.json" })).body)
      for (const access of ["server", "staff", "public", "launch", "session", "admin", "open"]) {
        assert.isNotEmpty(
          operations.filter((operation) => operation.access === access),
          access
        )
      }
      const credentials = await credentialsOf(service(), one, other)
      const wrong: Array<string> = []
      // Credentials without access take turns; the access matrix of `http` tests each at every operation.
      const every = 4
      const cells = operations.flatMap((operation, i) =>
        credentials
          .filter(({ opens }, j) => opens !== undefined || j === 0 || (i + j) % every === 0)
          .map((credential) => ({ operation, credential }))
      )
      await Load.forAll(cells, 16, async ({ credential, operation }) => {
        const answer = await service().send({ ...operation.call, headers: credential.headers })
        const refusal = refusalOf(operation, credential)
        const asExpected =
          refusal === null ? admitted(answer) && answer.status < 500 : answer.body?.errorCode === refusal
        if (asExpected) return
        wrong.push(`${operation.name} with ${credential.name}: ${answer.status} ${answer.text.slice(0, 200)}`)
      })
      assert.deepStrictEqual(wrong.slice(0, 20), [], `${wrong.length} of ${cells.length}`)
      // The request without credentials already succeeded, so the endpoint is open as declared.
      for (const name of Object.keys(bodies)) {
        const operation = operations.find((one) => one.name === name)
        const credential = credentials.find(({ opens }) => opens === operation?.access)
        assert.isDefined(operation, name)
        const answer = await service().send({ ...operation!.call, headers: { ...credential?.headers } })
        assert.strictEqual(answer.status, 200, answer.text)
      }
    })

    it("of the right kind are sufficient, with any other headers", async () => {
      const { live, test } = await service().merchant()
      const publicKey = { "x-public-key": test.keys.publicKey }
      const token = bearer(await sessionToken(test))
      const junk = { authorization: "Bearer x", "x-public-key": "x", "x-client-id": "x", "x-client-secret": "x" }
      const settings = await service().send({
        path: "/v1/dashboard/settings",
        headers: { ...junk, ...test.credentials }
      })
      assert.strictEqual(settings.status, 200)
      const body = { phone: phone() }
      const begun = await service().send({ path: "/v1/sdk/auth/initiate", body, headers: { ...junk, ...publicKey } })
      assert.strictEqual(begun.status, 200, begun.text)
      const { sessionId } = begun.body
      const checked = await service().send({
        path: "/v1/sdk/auth/verify",
        body: { sessionId, code },
        headers: { ...junk, ...live.credentials, ...token }
      })
      assert.deepStrictEqual(checked.body, { verified: true, requestId: sessionId })
    })
  })
