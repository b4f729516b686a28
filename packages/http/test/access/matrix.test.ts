import { randomUUID } from "node:crypto"
import { atLeast, Role } from "@countersign/core"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { contract, type Route } from "../../src/Routes.ts"
import { type Who, whoMay } from "./expected.ts"
import { adminToken, type Answer, type Headers, minute, openWorld, origin, type World } from "./World.ts"

/** A credential and its kind. */
interface Credential {
  readonly name: string
  readonly headers: () => Headers | Promise<Headers>
  readonly is:
    | { readonly kind: "none" | "suspended key" | "suspended person" | "public key" | "session token" | "operator" }
    | {
        readonly kind: "key"
        readonly scopes: ReadonlyArray<string>
        readonly test?: true
        readonly otherEnvironment?: true
      }
    | {
        readonly kind: "person"
        readonly role: Role
        readonly fresh: boolean
        readonly environment: "named" | "unnamed" | "misnamed"
      }
}

/** `in`, or the error code and a word of the message. */
type Outcome = "in" | readonly [code: string, says: string]

const unknown: Outcome = ["INVALID_CLIENT_CREDENTIALS", ""]
const forbidden = (says: string): Outcome => ["FORBIDDEN", says]

const ofPerson = (who: Who, { environment, fresh, role }: Extract<Credential["is"], { kind: "person" }>): Outcome => {
  if (typeof who === "string") return who === "public" ? "in" : who === "page" ? "in" : unknown
  if ("role" in who && !atLeast(role, who.role)) return forbidden(`the role ${who.role}`)
  const needsFresh = "role" in who ? who.fresh : who.person === "signed in just now"
  if (needsFresh && !fresh) return forbidden("sign in again")
  const needsEnvironment = "role" in who && who.of === "environment"
  return environment === "misnamed" || (environment === "unnamed" && needsEnvironment)
    ? ["INVALID_REQUEST", "X-Environment"]
    : "in"
}

const outcome = (who: Who, { is }: Credential, method: string): Outcome => {
  if (who === "public") return "in"
  if (is.kind === "person") return ofPerson(who, is)
  // The request does not come from a dashboard page.
  if (who === "page") return forbidden("dashboard")
  if (is.kind === "key") {
    if (typeof who !== "string" && ("person" in who || !who.keys)) return forbidden("Keys may not call this")
    const scope = who === "auth key" ? "auth" : typeof who === "string" ? null : who.scope
    if (scope === null) return unknown
    if (!is.scopes.includes(scope)) return forbidden(`the scope ${scope}`)
    // Team members work in both environments, so a test key must never make an owner of live data.
    if (is.test && typeof who !== "string" && who.of === "merchant" && method !== "GET")
      return forbidden("changes the live environment")
    return is.otherEnvironment && who !== "auth key" ? ["INVALID_REQUEST", "X-Environment"] : "in"
  }
  if (is.kind === "suspended key" || is.kind === "suspended person")
    return typeof who !== "string" || (who === "auth key" && is.kind === "suspended key")
      ? ["CLIENT_INACTIVE", ""]
      : unknown
  return is.kind === who ? "in" : unknown
}

const isAs = (expected: Outcome, { body, headers, status }: Answer): boolean => {
  if (expected === "in")
    return status < 500 && status !== 401 && status !== 403 && !`${body?.message}`.includes("X-Environment")
  const [code, says] = expected
  return (
    body?.errorCode === code &&
    `${body?.message}`.includes(says) &&
    headers.get("x-sign-in") === (says === "sign in again" ? "fresh" : null)
  )
}

const all = ["auth", "leads", "dashboard"]

const makeCredentials = async (world: World): Promise<ReadonlyArray<Credential>> => {
  const [own, foreign, suspended] = [await world.merchant(), await world.merchant(), await world.merchant()]
  const agents = new Map<Role, number>()
  for (const role of Role) agents.set(role, await own.agent(role))
  const [gone, away, other] = [await own.agent("OWNER"), await own.agent("OWNER"), await own.agent("OWNER")]
  const tokens = { gone: await own.signIn(gone), away: await own.signIn(away), other: await own.signIn(other) }
  const headers = own.live
  const byOwner = world.page(await own.signIn(agents.get("OWNER")!))
  await world.must({ method: "DELETE", path: `/v1/dashboard/agents/${gone}`, headers: byOwner })
  await world.must({
    method: "PATCH",
    path: `/v1/dashboard/agents/${away}`,
    headers: byOwner,
    body: { status: "SUSPENDED" }
  })
  await world.must({
    method: "PATCH",
    path: `/v1/dashboard/agents/${other}`,
    headers: byOwner,
    body: { role: "VIEWER" }
  })
  const theirs = await suspended.signIn(await suspended.agent("OWNER"))
  const scoped = new Map<string, Headers>()
  for (const scope of all) scoped.set(scope, await own.key(scope))
  const { sessionToken } = (await world.must({ method: "POST", path: "/v1/sdk/session", headers, body: {} })).body
  await world.admin("POST", `/v1/admin/merchants/${suspended.id}/suspend`)

  const owner = agents.get("OWNER")!
  const { page } = world
  /** The headers that a dashboard page sends beside its session; these are not credentials. */
  const beside = (more: Headers): Headers => ({ origin, "x-environment": "live", ...more })
  const none = { kind: "none" } as const
  const person = (role: Role, more: Partial<Extract<Credential["is"], { kind: "person" }>> = {}) =>
    ({ kind: "person", role, fresh: true, environment: "named", ...more }) as const
  const key = (scopes: ReadonlyArray<string>) => ({ kind: "key", scopes }) as const
  const ended = { ...person("OWNER"), kind: "none" } as const

  const people = Role.flatMap((role): ReadonlyArray<Credential> => {
    const of = agents.get(role)!
    return [
      { name: `${role}`, headers: async () => page(await own.signIn(of)), is: person(role) },
      {
        name: `${role}, signed in eleven minutes ago`,
        headers: async () => page(await own.signIn(of, { ago: 11 * minute })),
        is: person(role, { fresh: false })
      }
    ]
  })
  return [
    { name: "no credential", headers: () => ({}), is: none },
    ...people,
    {
      name: "OWNER, in the test environment",
      headers: async () => page(await own.signIn(owner), { "x-environment": "test" }),
      is: person("OWNER")
    },
    {
      name: "OWNER, who names no environment",
      headers: async () => {
        const { "x-environment": _, ...rest } = page(await own.signIn(owner)) as { [name: string]: string }
        return rest
      },
      is: person("OWNER", { environment: "unnamed" })
    },
    ...["LIVE", "", "production", "live, test", "constructor"].map(
      (named): Credential => ({
        name: `OWNER, in the environment ${named}`,
        headers: async () => page(await own.signIn(owner), { "x-environment": named }),
        is: person("OWNER", { environment: "misnamed" })
      })
    ),
    ...all.map(
      (scope): Credential => ({ name: `a key for ${scope}`, headers: () => scoped.get(scope)!, is: key([scope]) })
    ),
    { name: "a key for everything", headers: () => own.live, is: key(all) },
    { name: "a key of the test environment", headers: () => own.test, is: { ...key(all), test: true } },
    {
      name: "a test key with X-Environment: test",
      headers: () => ({ ...own.test, "x-environment": "test" }),
      is: { ...key(all), test: true }
    },
    {
      name: "a test key that says live",
      headers: () => ({ ...own.test, "x-environment": "live" }),
      is: { ...key(all), test: true, otherEnvironment: true }
    },
    { name: "a key of another merchant", headers: () => foreign.live, is: key(all) },
    { name: "a key of a suspended merchant", headers: () => suspended.live, is: { kind: "suspended key" } },
    { name: "a public key", headers: () => ({ "x-public-key": own.publicKey }), is: { kind: "public key" } },
    {
      name: "an app's session token",
      headers: () => ({ authorization: `Bearer ${sessionToken}` }),
      is: { kind: "session token" }
    },
    {
      name: "the operator's token",
      headers: () => ({ authorization: `Bearer ${adminToken}` }),
      is: { kind: "operator" }
    },
    // Invalid and ended sessions. The sign-in endpoints need none.
    ...(
      [
        ["signed in eight days ago", async () => page(await own.signIn(owner, { ago: 8 * 24 * 60 * minute }))],
        ["unused for thirteen hours", async () => page(await own.signIn(owner, { idle: 13 * 60 * minute }))],
        ["a removed agent's session", () => page(tokens.gone)],
        ["a suspended agent's session", () => page(tokens.away)],
        ["a session of before another role", () => page(tokens.other)],
        ["a session that never was", () => page("0".repeat(52))],
        ["an app's session token for a cookie", () => page(sessionToken)],
        ["a client secret for a cookie", () => page(own.live["x-client-secret"])],
        ["a session as bearer", async () => beside({ authorization: `Bearer ${await own.signIn(owner)}` })],
        ["a session as client secret", async () => beside({ ...own.live, "x-client-secret": await own.signIn(owner) })],
        [
          "a session in the cookie of development",
          async () => beside({ cookie: `countersign-dev=${await own.signIn(owner)}` })
        ],
        ["a session beside an empty client id", async () => page(await own.signIn(owner), { "x-client-id": "" })],
        [
          "a session beside a wrong key",
          async () => page(await own.signIn(owner), { "x-client-id": "x", "x-client-secret": "y" })
        ],
        ["a session beside a secret alone", async () => page(await own.signIn(owner), { "x-client-secret": "y" })],
        [
          "a session beside another",
          async () =>
            page(await own.signIn(owner), {
              cookie: `__Host-countersign=${await own.signIn(owner)}; __Host-countersign=${await own.signIn(owner)}`
            })
        ]
      ] as const
    ).map(([name, headers]): Credential => ({ name, headers, is: ended })),
    { name: "a suspended merchant's session", headers: () => page(theirs), is: { kind: "suspended person" } }
  ]
}

const call = async (world: World, { method, path, payload }: Route, headers: Headers): Promise<Answer> =>
  world.send({
    method,
    path: path.replaceAll(/:\w+/g, () => randomUUID()),
    headers,
    // Callers that may start an example day get the error for an invalid seed, so no day is played.
    body: payload === undefined ? undefined : path.endsWith("/example-day") ? { seed: "none" } : {}
  })

/** Every kind of credential at every endpoint. */
describe("each credential", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  it("may call exactly the endpoints that were promised", async () => {
    const credentials = await makeCredentials(world)
    const wrong: Array<string> = []
    let cells = 0
    for (const route of contract) {
      const name = `${route.method} ${route.path}`
      const who = whoMay(name)
      for (const credential of credentials) {
        cells++
        const headers = await credential.headers()
        const fromPage = who === "page" && headers["origin"] === origin
        const expected = fromPage ? "in" : outcome(who, credential, route.method)
        const answer = await call(world, route, headers)
        if (fromPage ? answer.status === 403 || answer.status >= 500 : !isAs(expected, answer))
          wrong.push(`${name} with ${credential.name}: ${answer.status} ${answer.text}, and not ${String(expected)}`)
      }
    }
    assert.deepStrictEqual(wrong.slice(0, 20), [], `${wrong.length} of ${cells} are wrong`)
    assert.isAbove(cells, 3_000)
  })
})
