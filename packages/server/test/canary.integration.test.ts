import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Identifier } from "@countersign/core"
import { type Channel, ChannelError, OutcomeUnknown } from "@countersign/core/channel"
import { PgStorage } from "@countersign/postgres"
import { Effect, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { appOf } from "./fixture/App.ts"
import { Client, code as testCode, email, phone, uuid } from "./fixture/Client.ts"
import { Dashboard, invited } from "./fixture/Dashboard.ts"
import { dump } from "./fixture/dump.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { linkOf, open, press, returnTo } from "./fixture/Link.ts"
import { Secrets } from "./fixture/Secrets.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { inProcess, secret, Service, token } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"
import type { Answer } from "./fixture/Wire.ts"

const logins = 6

/** The codes of a run by recipient. */
type Codes = (identity: string) => Promise<string>

/** The secrets of a run, and the errors it received. */
interface Run {
  readonly secrets: Secrets
  readonly identities: ReadonlyArray<string>
  readonly errors: ReadonlyArray<string>
}

const withKey = () => ({ "idempotency-key": uuid() })

/** Runs logins with every failure on the way, and collects all their secrets. */
const run = async (
  service: Service,
  live: boolean,
  codes: Codes,
  upset: () => Promise<() => Promise<void>>
): Promise<Run> => {
  const secrets = new Secrets().add("the operator's token", service.adminToken)
  const errors: Array<string> = []
  const identities: Array<string> = []
  const keep = (answer: Answer): Answer => {
    if (answer.status >= 400) errors.push(answer.text)
    return answer
  }
  const body = { name: `Canary ${Identifier.randomText(6)}` }
  const made = withKey()
  const created = await service.admin({ path: "/v1/admin/merchants", body, headers: made })
  await service.admin({ path: "/v1/admin/merchants", body, headers: made })
  secrets.add("a kept answer", created.text)
  for (const kind of ["live", "test"]) secrets.add(`a ${kind} client secret`, created.body[kind].clientSecret)
  const client = new Client(service, live ? created.body.live : created.body.test)
  assert.strictEqual((await client.settings({ codeLength: 8, oneTap: true })).status, 200)
  const app = await appOf(client)
  secrets.add("a session token", app.token).add("the signature of a session token", app.token.split(".")[2]!)
  /** The secret of a device token is its last part; the rest is its id. */
  const addDevice = (what: string, deviceToken: string) => secrets.add(what, deviceToken.split(".")[2]!)

  /** Runs a login in an app, with its possible failures. */
  const inApp = async (i: number) => {
    const [person, header] = [phone(), withKey()]
    identities.push(person)
    const begun = await app.initiate({ phone: person }, header)
    assert.strictEqual(begun.status, 200, begun.text)
    await app.initiate({ phone: person }, header)
    const { deviceToken, sessionId } = begun.body
    addDevice(`the token of app ${i}`, deviceToken)
    const entered = live ? await codes(person) : testCode.concat("78")
    if (live) secrets.addCode(`the code of app ${i}`, entered)
    keep(await app.initiate({ phone: `${entered}@` }))
    keep(await app.initiate({ phone: person, channel: entered }))
    keep(await app.initiate({ phone: person, template: entered }))
    keep(await app.initiate({ phone: person, sessionId: deviceToken }))
    keep(await app.initiate({ phone: person }, { "x-public-key": app.token }))
    keep(await app.verify({ sessionId, code: [entered] }))
    keep(await app.verify({ sessionId: entered, code: entered }))
    keep(await app.verify({ sessionId, code: entered }, { authorization: `Bearer ${app.token}x` }))
    keep(await app.verify({ sessionId, code: entered }, { "idempotency-key": entered }))
    const verifying = withKey()
    for (let time = 0; time < 2; time++) {
      const { body, text } = await app.verify({ sessionId, code: entered, deviceToken }, verifying)
      assert.strictEqual(body.verified, true, text)
    }
    const approved = await app.initiate({ phone: person, deviceToken })
    assert.strictEqual(approved.body.oneTapApplied, true, approved.text)
    addDevice(`the next token of app ${i}`, approved.body.deviceToken)
  }

  /** Signs in to the dashboard, with its possible failures. */
  const signIn = async () => {
    const agent = await invited({ live: new Client(service, created.body.live) })
    identities.push(agent.email)
    secrets.add("an invitation", agent.token)
    const browser = new Dashboard(service)
    for (const wrong of [`${agent.token}x`, agent.token.toUpperCase(), [agent.token]]) {
      keep(await browser.post("/sessions/redeem", { token: wrong }))
    }
    keep(await browser.get(`/sessions/${agent.token}`))
    keep(await browser.send({ method: "POST", path: `/v1/dashboard/sessions/redeem?token=${agent.token}` }))
    assert.strictEqual((await browser.post("/sessions/redeem", { token: agent.token })).status, 200)
    keep(await browser.post("/sessions/redeem", { token: agent.token }))
    secrets.add("a session", browser.token)
    keep(await browser.delete(`/sessions/${browser.token}`))
    keep(await service.send({ path: "/v1/dashboard/me", headers: { cookie: `${browser.cookie}x` } }))
    if (!live) return
    assert.strictEqual((await browser.post("/sessions", { email: agent.email })).status, 202)
    const entered = await codes(agent.email)
    secrets.addCode("a code to sign in with", entered)
    keep(await browser.post("/sessions/confirm", { email: agent.email, code: [entered] }))
    keep(await browser.post("/sessions/confirm", { email: entered, code: entered }))
    keep(await browser.post("/sessions/confirm", { email: email(), code: entered }))
    assert.strictEqual((await browser.post("/sessions/confirm", { email: agent.email, code: entered })).status, 200)
    keep(await browser.post("/sessions/confirm", { email: agent.email, code: entered }))
    secrets.add("a session after a code", browser.token)
    assert.strictEqual((await browser.get("/sessions")).status, 200)
    assert.strictEqual((await browser.delete("/sessions/current")).status, 204)
  }

  const tester = new Client(service, created.body.test)
  await tester.settings({ redirectUris: [returnTo], oneTap: true })

  /**
   * Runs a login by link, with its possible failures. `upset` makes storage fail, and returns a function that repairs
   * it.
   */
  const byLink = async (i: number) => {
    const person = phone()
    identities.push(person)
    const codeVerifier = `${uuid()}${uuid()}`
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(codeVerifier))
    const codeChallenge = Buffer.from(digest).toString("base64url")
    const link = await linkOf(tester, { identity: person, codeChallenge, state: "s" })
    const proof = link.token.split(".")[2]!
    secrets.add(`link ${i}`, proof).add(`the verifier of link ${i}`, codeVerifier)
    const { token } = link
    const wrong = [token.slice(0, -1), `${token}x`, `${token}/${token}`, `${token}%00`]
    for (const one of wrong) keep(await open(service, `/l/${one}`))
    keep(await open(service, `/l/${token}`, { "content-type": proof }, "DELETE"))
    keep(await press(service, { token: `${token}x` }))
    keep(await press(service, { token }, { "content-type": "application/json" }))
    keep(await press(service, { token, padding: "x".repeat(2048) }))
    keep(await press(service, { token }, { "sec-fetch-site": "cross-site" }))
    keep(await service.send({ path: `/v1/auth/status?requestId=${token}`, headers: tester.credentials }))
    keep(await tester.token({ code: token }))
    const heal = await upset()
    if (keep(await link.open()).status === 500) keep(await link.press())
    await heal()
    assert.strictEqual((await link.open()).status, 200)
    const code = (await link.approved()).searchParams.get("code")!
    secrets.add(`authorisation code ${i}`, code.slice(26))
    keep(await link.open())
    keep(await link.press())
    keep(await tester.token({ code: `${code}x` }))
    keep(await tester.token({ code: [code] }))
    keep(await tester.token({ code, codeVerifier: `${codeVerifier}!` }))
    keep(await tester.token({ code, codeVerifier: "x".repeat(43) }))
    keep(await tester.verify({ requestId: link.requestId, otp: code.slice(0, 60) }))
    const header = withKey()
    for (let time = 0; time < 2; time++) {
      const { body, status, text } = await tester.token({ code, codeVerifier }, header)
      assert.strictEqual(status, 200, text)
      if (time === 0) secrets.add(`the idToken of link ${i}`, body.idToken)
    }
    keep(await tester.token({ code, codeVerifier }))
  }

  /** Relays a code of another system, with its possible failures. WhatsApp never answers, so its seal stays stored. */
  const relayed = async (i: number, channel: "SMS" | "WHATSAPP") => {
    const other = Identifier.randomText(10).toUpperCase()
    const what = `relayed code ${i} over ${channel}`
    secrets.add(what, other).add(`${what} in reverse`, other.split("").reverse().join(""))
    for (const [how, text] of [
      ["clear", other],
      ["lower case", other.toLowerCase()]
    ] as const) {
      secrets.addCode(`${what}, hashed, in ${how}`, text)
    }
    const identity = phone()
    identities.push(identity)
    const header = withKey()
    const fields = { identity, code: other, channel, purpose: "sign-in", expiresInSeconds: 900 }
    const made = await client.post("/v1/deliveries", fields, header)
    assert.strictEqual(made.status, 201, made.text)
    await client.post("/v1/deliveries", fields, header)
    const { id } = made.body
    keep(await client.post("/v1/deliveries", { ...fields, code: `${other}0` }, header))
    keep(await client.post("/v1/deliveries", { ...fields, code: `${other} ${other}` }))
    keep(await client.post("/v1/deliveries", { ...fields, code: [other] }))
    keep(await client.post("/v1/deliveries", { ...fields, channel: other.toLowerCase() }))
    keep(await client.post("/v1/deliveries", { ...fields, locale: other }))
    keep(await client.post("/v1/deliveries", { ...fields, purpose: other }))
    keep(await client.post("/v1/deliveries", { ...fields, identity: other }))
    keep(await client.post("/v1/deliveries", fields, { "idempotency-key": other }))
    keep(await client.post("/v1/deliveries", `{"code":"${other}`))
    keep(await client.get(`/v1/deliveries/${other}`))
    keep(await client.verify({ requestId: id, otp: other }))
    keep(await client.post("/v1/auth/login", { requestId: id, otp: other }))
    if (channel === "SMS") {
      await until(
        () => client.get(`/v1/deliveries/${id}`),
        ({ body }) => body.deliveryStatus !== "PENDING",
        { what: "a relayed code" }
      )
    }
    const about = `/v1/dashboard/verifications/${id}`
    for (const path of [
      `/v1/deliveries/${id}`,
      about,
      `${about}/timeline`,
      `${about}/messages`,
      "/v1/dashboard/events",
      `/v1/dashboard/export?${new URLSearchParams({ identity }).toString()}`
    ]) {
      const { status, text } = await client.get(path)
      assert.strictEqual(status, 200, `${path}: ${text}`)
      errors.push(text)
    }
  }

  for (let i = 0; i < logins; i++) {
    const identity = i % 3 === 0 ? email() : phone()
    const identityType = i % 3 === 0 ? "EMAIL" : "MOBILE"
    identities.push(identity)
    const header = withKey()
    const fields = { identity, identityType, orderId: `order-${i}` }
    const begun = await client.initiate(fields, header)
    await client.initiate(fields, header)
    await client.initiate({ identity, identityType })
    const { deviceToken, requestId } = begun.body
    assert.strictEqual(begun.status, 200, begun.text)
    const otp = live ? await codes(identity) : testCode.concat("78")
    if (live) secrets.addCode(`code ${i}`, otp)
    keep(await client.verify({ requestId, otp: [otp] }))
    keep(await client.verify({ requestId: otp, otp }))
    keep(await client.verify({ requestId: "ver_00000000000000000000000000", otp }))
    keep(await client.verify({ requestId, otp: otp.repeat(9) }))
    keep(await client.initiate({ identity: otp, identityType: "EMAIL" }))
    keep(await client.initiate({ mode: otp }))
    keep(await client.initiate({ channel: otp }))
    keep(await client.initiate({ deviceToken: otp, otpLength: 99 }))
    keep(await client.post("/v1/auth/verify", `{"otp":"${otp}`))
    keep(await client.post("/v1/auth/verify", { requestId, otp }, { "idempotency-key": otp }))
    keep(await client.get("/v1/dashboard/settings", { "x-client-secret": `${client.keys.clientSecret}x` }))
    keep(
      await service.send({ path: "/v1/admin/merchants", headers: { authorization: `Bearer ${service.adminToken}x` } })
    )
    keep(await service.send({ path: `/${encodeURIComponent(client.keys.clientSecret)}` }))
    if (i % 5 === 0) {
      const heal = await upset()
      keep(await client.initiate({ identity: phone() }))
      keep(await client.verify({ requestId, otp, deviceToken }))
      keep(await client.verify({ requestId, otp, deviceToken }, withKey()))
      keep(await app.initiate({ phone: phone(), deviceToken }, withKey()))
      keep(await app.verify({ sessionId: requestId, code: otp, deviceToken }))
      await heal()
      await inApp(i)
      await byLink(i)
    }
    await relayed(i, "SMS")
    if (i % 5 === 0) await relayed(i, "WHATSAPP")
    addDevice(`device token ${i}`, deviceToken)
    keep(await client.initiate({ identity, identityType, deviceToken: [deviceToken] }))
    keep(await client.devices(deviceToken))
    keep(await client.send({ method: "DELETE", path: `/v1/dashboard/devices/${deviceToken}` }))
    const verifying = withKey()
    const checked = await client.verify({ requestId, otp, deviceToken }, verifying)
    assert.strictEqual(checked.body.verified, true, checked.text)
    await client.verify({ requestId, otp, deviceToken }, verifying)
    const approved = await client.initiate({ identity, identityType, deviceToken }, withKey())
    assert.strictEqual(approved.body.oneTapApplied, true, approved.text)
    if (i % 5 === 0) addDevice(`the token after device token ${i}`, approved.body.deviceToken)
    assert.strictEqual((await client.devices(identity)).body.items.length, 1)
    secrets.add(`idToken ${i}`, checked.body.idToken)
    secrets.add(`the signature of idToken ${i}`, checked.body.idToken.split(".")[2])
    secrets.add(`kept answer ${i}`, checked.text)
    assert.strictEqual((await client.confirm({ idToken: checked.body.idToken })).body.success, true)
    keep(await client.confirm({ idToken: `${checked.body.idToken}x` }))
    keep(await client.confirm({ idToken: [checked.body.idToken] }))
    keep(await client.status({ requestId: checked.body.idToken }))
  }
  await signIn()
  assert.isAtLeast(errors.length, logins * 17)
  return { secrets, identities, errors }
}

const nothingToUpset = async () => async () => {}

/** Renames a table and restores it, as a careless operator might. */
const withoutTable = (database: FreshDatabase.FreshDatabase) => async () => {
  await database.query("alter table verification rename to verification_gone")
  return async () => void (await database.query("alter table verification_gone rename to verification"))
}

/** Whether the search would find each secret in any place. */
const assertFindable = (secrets: Secrets, planted: string, what: string) => {
  assert.isNotEmpty(secrets.in(`{"a":"x ${planted} y"}`), what)
  assert.isNotEmpty(secrets.in(`{"a":"${Buffer.from(planted).toString("base64")}"}`), what)
  assert.isNotEmpty(secrets.in(`{"a":"\\\\x${Buffer.from(planted).toString("hex")}"}`), what)
}

const nowhere = (secrets: Secrets, what: string, haystacks: ReadonlyArray<string>) => {
  const found = haystacks.flatMap((haystack) =>
    secrets.in(haystack).map((name) => `${name}: ${haystack.slice(0, 300)}`)
  )
  assert.deepStrictEqual(found.slice(0, 5), [], `${what}: ${found.length} times`)
}

/** Identities may be stored and returned. Logs contain them masked. */
const masked = (identities: ReadonlyArray<string>, log: string) => {
  for (const identity of identities) assert.notInclude(log, identity.includes("@") ? identity : identity.slice(-10))
}

describe("secrets", () => {
  it("of live logins are in no table, log or error", async () => {
    const database = await FreshDatabase.make()
    const sent = new Map<string, { readonly code: string; readonly text: string }>()
    const channels = (["SMS", "EMAIL"] as const).map(
      (name): Channel => ({
        name,
        provider: `recording ${name}`,
        supports: { identityTypes: name === "EMAIL" ? ["EMAIL"] : ["MOBILE"], receipts: true },
        send: (message) =>
          Effect.sync(() => {
            const code = message._tag === "Code" ? Redacted.value(message.code) : ""
            sent.set(message.to, { code, text: Redacted.value(message.text) })
            return { providerId: message.deliveryId, delivered: true }
          })
      })
    )
    const silent = new ChannelError({ channel: "WHATSAPP", reason: new OutcomeUnknown({ providerCode: "timeout" }) })
    channels.push({
      name: "WHATSAPP",
      provider: "silent WHATSAPP",
      supports: { identityTypes: ["MOBILE"], receipts: true },
      send: () => Effect.fail(silent)
    })
    const log: Array<string> = []
    const master = secret()
    const service = await inProcess({
      mode: "recording",
      storage: PgStorage.layer({ url: Redacted.make(database.url) }),
      channels,
      adminToken: token(),
      secret: master,
      log: (line) => log.push(line)
    })
    const codes: Codes = async (identity) => {
      for (;;) {
        const message = sent.get(identity)
        if (message !== undefined) return message.code
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }
    const { errors, identities, secrets } = await run(service, true, codes, withoutTable(database))
    secrets.add("the master secret", master)
    secrets.add("the master secret's bytes in hex", Buffer.from(master, "base64url").toString("hex"))
    for (const [to, { text }] of sent) secrets.add(`the message to ${to}`, text)
    const rows = await dump(database)
    assert.isAtLeast(rows.filter((row) => /sealedCode.{4,5}\w{12}\./.test(row)).length, 2)
    assert.isAtLeast(rows.length, logins * 3)
    assert.isNotEmpty(log)
    assert.isNotEmpty(errors.filter((text) => text.includes("INTERNAL_ERROR")))
    nowhere(secrets, "in the tables", rows)
    nowhere(secrets, "in the log", log)
    nowhere(secrets, "in failures", errors)
    masked(identities, log.join("\n"))

    // Proves that the search would have found all of these.
    const [{ code, text }] = sent.values() as unknown as [{ readonly code: string; readonly text: string }]
    for (const planted of [code, text, master, service.adminToken]) assertFindable(secrets, planted, planted)
    await database.query(
      `create table planted as select 1 as id, '{"otp":"${code}"}'::jsonb as body, decode('${Buffer.from(master).toString("hex")}', 'hex') as key`
    )
    const planted = (await dump(database)).filter((row) => row.startsWith("planted "))
    assert.deepStrictEqual(
      secrets.in(planted.join()).filter((name) => /^code \d+ in clear|^the master secret in hex/.test(name)).length,
      2
    )
    await service.close()
    await database.drop()
  })

  it("of the embedded start are only in the secret file, and in its output only where intended", async () => {
    const directory = await mkdtemp(join(tmpdir(), "countersign-canary-"))
    const adminToken = token()
    const server = await ServerProcess.serve({ COUNTERSIGN_ADMIN_TOKEN: adminToken }, directory)
    const service = new Service({ mode: "embedded", urls: [server.url], adminToken, close: async () => {} })
    const codes: Codes = (identity) =>
      until(
        async () =>
          (await service.send({ path: "/dev/outbox" })).body.items.find(({ to }: any) => to === identity)?.code,
        (code) => code !== undefined,
        { what: "the message" }
      )
    const { errors, identities, secrets } = await run(service, true, codes, nothingToUpset)
    const banner = server.output()
    const [firstSecret = ""] = /sk_live_\w+/.exec(banner) ?? []
    secrets.add("the first client secret", firstSecret)
    const [, ownersToken = ""] = /#redeem=(\w{52})$/m.exec(banner) ?? []
    secrets.add("the first owner's link", ownersToken)
    const master = await readFile(join(directory, ".countersign", "secret"), "utf8")
    secrets.add("the master secret", master.trim())
    await server.kill("SIGTERM")

    const lines = server.output().split("\n")
    const end = lines.findIndex((line) => line.startsWith("Countersign is ready"))
    const isMessage = (line: string) => /^(SMS|EMAIL|WHATSAPP|RCS) to \S+: /.test(line)
    const messages = lines.filter(isMessage)
    assert.isAtLeast(messages.length, logins)
    const rest = lines.slice(end).filter((line) => !isMessage(line))
    nowhere(secrets, "in the output", rest)
    nowhere(secrets, "in failures", errors)
    masked(identities, rest.join("\n"))
    assert.isNotEmpty(secrets.in(lines.slice(0, end).join("\n")), "the banner shows the first secret")
    assert.isNotEmpty(secrets.in(messages.join("\n")), "the messages show codes")

    const files = (await readdir(join(directory, ".countersign"), { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && entry.name !== "secret")
      .map((entry) => join(entry.parentPath, entry.name))
    assert.isAtLeast(files.length, 10)
    let written = 0
    for (const file of files) {
      // Database files are mostly empty, so search only the readable text in them.
      const content = (await readFile(file, "latin1")).replaceAll(/\0{2,}/g, "\0")
      if (content.includes(identities[0]!)) written++
      const found = secrets.in(content)
      assert.deepStrictEqual(found, [], file)
    }
    assert.isAbove(written, 0, "the files hold what was stored")
    await rm(directory, { recursive: true, force: true })
  })

  it("and database passwords of a server on Postgres are not in its output", async () => {
    const database = await FreshDatabase.make()
    const password = `pw${Identifier.randomText(20)}`
    const role = `canary_${Identifier.randomText(8)}`
    await database.query(`create role ${role} login superuser password '${password}'`)
    const url = new URL(database.url)
    url.username = role
    url.password = password
    const [adminToken, master, older, clientSecret] = [token(), secret(), secret(), secret()]
    const variables = {
      DATABASE_URL: url.href,
      COUNTERSIGN_SECRET: master,
      COUNTERSIGN_SECRET_PREVIOUS: older,
      COUNTERSIGN_ADMIN_TOKEN: adminToken,
      COUNTERSIGN_CLIENT_ID: "cs_live_canary",
      COUNTERSIGN_CLIENT_SECRET: clientSecret,
      COUNTERSIGN_PUBLIC_KEY: "pk_live_canary"
    }
    const servers = [await ServerProcess.serve(variables), await ServerProcess.serve(variables)]
    const service = new Service({
      mode: "processes",
      urls: servers.map(({ url }) => url),
      adminToken,
      close: async () => {}
    })
    const { errors, identities, secrets } = await run(service, false, async () => "", withoutTable(database))
    secrets.add("the database's password", password).add("the master secret", master).add("the older secret", older)
    secrets.add("the chosen client secret", clientSecret)
    await database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()"
    )
    for (let i = 0; i < 4; i++) await service.send({ path: "/readyz" })
    const rows = await dump(database)
    const ends = await Promise.all(servers.map((server) => server.kill("SIGTERM")))
    const output = ends.flatMap(({ stderr, stdout }) => [stdout, stderr])
    assert.isAbove(output.join("").length, 500, "there is something to search")
    nowhere(secrets, "in the output", output)
    nowhere(secrets, "in failures", errors)
    nowhere(secrets, "in the tables", rows)
    masked(identities, output.join("\n"))
    for (const planted of [password, master, clientSecret]) assertFindable(secrets, planted, planted)
    await database.drop()
    const leftOver = await FreshDatabase.make()
    await leftOver.query(`drop role ${role}`)
    await leftOver.drop()
  })
})
