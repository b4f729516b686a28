import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { HookKind } from "@countersign/core"
import { hookRecipes } from "@countersign/core/hookRecipes"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import { Client, phone } from "./fixture/Client.ts"
import { type ServerProcess, simulate } from "./fixture/ServerProcess.ts"
import { Service } from "./fixture/Service.ts"
import * as Auth0 from "./fixture/signIn/Auth0.ts"
import { type Between, between } from "./fixture/signIn/Between.ts"
import { engine } from "./fixture/signIn/Jsonnet.ts"
import * as Kratos from "./fixture/signIn/Kratos.ts"
import * as SupabaseAuth from "./fixture/signIn/SupabaseAuth.ts"
import * as Zitadel from "./fixture/signIn/Zitadel.ts"
import { until } from "./fixture/Until.ts"
import * as Wire from "./fixture/Wire.ts"

interface Reply {
  readonly status: number
  readonly body: any
}

/** A sign-in system as its users see it. */
interface System {
  /** Asks for a code. */
  readonly login: (phone: string) => Promise<Reply>
  /** Enters a code. */
  readonly enter: (phone: string, code: string) => Promise<Reply>
}

interface Message {
  readonly channel: string
  readonly to: string
  readonly code: string
  readonly status: string
}

let server: ServerProcess
let directory: string
let live: Client
const opened: Array<{ readonly close: () => void }> = []

const opening = <A extends { readonly close: () => void }>(one: A): A => {
  opened.push(one)
  return one
}

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "countersign-sign-in-"))
  server = await simulate(directory)
  const [, clientId] = /X-Client-Id +(cs_live_\w+)/.exec(server.output()) ?? []
  const [, clientSecret] = /X-Client-Secret +(sk_\w+)/.exec(server.output()) ?? []
  const service = new Service({ mode: "simulated", urls: [server.url], adminToken: "", close: async () => {} })
  live = new Client(service, { clientId: clientId!, clientSecret: clientSecret!, publicKey: "" })
  const settings = { primaryChannel: "WHATSAPP", fallbackChannel: "SMS", fallbackAfterSeconds: 30 }
  assert.strictEqual((await live.settings(settings)).status, 200)
})
afterEach(() => {
  for (const { close } of opened.splice(0)) close()
})
afterAll(async () => {
  await server?.kill("SIGTERM")
  await rm(directory, { recursive: true, force: true })
})

/** A hook, and a network on the way to it. */
const hookOf = async (kind: HookKind) => {
  const { body, status, text } = await live.post("/v1/dashboard/hooks", { kind, name: "Sign-in" })
  assert.strictEqual(status, 201, text)
  const network = opening(await between(server.url))
  const url = `${network.url}${new URL(body.url).pathname}`
  return { id: body.id as string, url, secret: body.secret as string, network }
}

const post = async (url: string, body: unknown, method = "POST"): Promise<Reply> => {
  const answer = await fetch(url, {
    method,
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  return { status: answer.status, body: await answer.json() }
}

const messagesTo = async (to: string): Promise<ReadonlyArray<Message>> => {
  const { body } = await Wire.send(server.url, { path: "/dev/outbox" })
  return body.items.filter((message: Message) => message.to === to)
}

let others = 1000
/** A new number that the simulated WhatsApp cannot deliver to. */
const unreachable = () => `+9197${others++}0000`

/** The code that a person reads on this channel. */
const codeTo = async (to: string, channel: string, status = "DELIVERED"): Promise<string> => {
  const messages = await until(
    () => messagesTo(to),
    (messages) => messages.some((message) => message.channel === channel && message.status === status),
    { what: `a message over ${channel}` }
  )
  return messages.find((message) => message.channel === channel)!.code
}

const supabase = async (place: { readonly url: string; readonly secret: string }): Promise<System> => {
  const config = `[auth.sms]\nenable_signup = true\n\n${hookRecipes["supabase-sms"](place)}`
  const pace = { backoffMillis: 1, timeoutMillis: 60_000, betweenCodesMillis: 0 }
  const { url } = opening(await SupabaseAuth.start(config, pace))
  return {
    login: (phone) => post(`${url}/otp`, { phone }),
    enter: (phone, token) => post(`${url}/verify`, { type: "sms", phone, token })
  }
}

const zitadelPace = { waitMillis: () => 1 }

/** Sets Zitadel up as the guide says: it makes the key, which the hook then gets. */
const zitadel = async ({ id, url: endpoint }: { readonly id: string; readonly url: string }) => {
  const double = opening(await Zitadel.start(zitadelPace))
  const admin = async (path: string, body: object) => {
    const headers = { "content-type": "application/json", authorization: "Bearer a service user" }
    const answer = await fetch(`${double.url}/admin/v1/sms/${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body)
    })
    return (await answer.json()) as any
  }
  const provider = await admin("http", { endpoint, description: "Countersign" })
  const given = { secret: provider.signingKey, endOthers: true }
  assert.strictEqual((await live.post(`/v1/dashboard/hooks/${id}/rotate-secret`, given)).status, 200)
  await admin(`${provider.id}/_activate`, {})
  const sessions = new Map<string, string>()
  const system: System = {
    login: async (phone) => {
      const made = await post(`${double.url}/v2/sessions`, {
        checks: { user: { loginName: phone } },
        challenges: { otpSms: {} }
      })
      sessions.set(phone, made.body.sessionId)
      return made
    },
    enter: (phone, code) =>
      post(`${double.url}/v2/sessions/${sessions.get(phone)}`, { checks: { otpSms: { code } } }, "PATCH")
  }
  return { ...system, double }
}

const kratos = async (place: { readonly url: string; readonly secret: string }) => {
  const double = opening(await Kratos.start(hookRecipes.kratos(place), { pullMillis: 1 }))
  const flows = new Map<string, string>()
  const begin = async (flow: string, identifier: string) => {
    const { id } = (await (await fetch(`${double.url}/self-service/${flow}/api`)).json()) as { readonly id: string }
    flows.set(identifier, `${double.url}/self-service/${flow}?flow=${id}`)
    return post(flows.get(identifier)!, { method: "code", identifier })
  }
  const enter: System["enter"] = (identifier, code) =>
    post(flows.get(identifier)!, { method: "code", identifier, code })
  const system: System = { login: (identifier) => begin("login", identifier), enter }
  return { ...system, begin, double }
}

const auth0 = async (place: { readonly url: string; readonly secret: string }) => {
  const secrets = { COUNTERSIGN_SECRET: place.secret }
  const double = opening(await Auth0.start(hookRecipes.auth0(place), secrets, { waitMillis: 1 }))
  const system: System = {
    login: (phone_number) =>
      post(`${double.url}/passwordless/start`, { connection: "sms", phone_number, send: "code" }),
    enter: (username, otp) => post(`${double.url}/oauth/token`, { realm: "sms", username, otp })
  }
  return { ...system, double }
}

type Place = Awaited<ReturnType<typeof hookOf>>

const systems: ReadonlyArray<readonly [name: string, kind: HookKind, start: (place: Place) => Promise<System>]> = [
  ["Supabase Auth", "supabase-sms", supabase],
  ["Zitadel", "zitadel-sms", zitadel],
  ["Auth0", "auth0", auth0],
  ...(engine === null ? [] : [["Kratos", "kratos", kratos] as const])
]

const wrongFor = (code: string) => String((Number(code) + 1) % 10 ** code.length).padStart(code.length, "0")

describe.each(systems)("the codes of %s", (_name, kind, start) => {
  it("arrive over WhatsApp, and the system accepts each once and no other", async () => {
    const system = await start(await hookOf(kind))
    const person = phone()
    await system.login(person)
    const code = await codeTo(person, "WHATSAPP", "READ")
    assert.isAtLeast((await system.enter(person, wrongFor(code))).status, 400)
    assert.isBelow((await system.enter(person, code)).status, 300)
    assert.isAtLeast((await system.enter(person, code)).status, 400)
  })

  it("arrive by SMS when WhatsApp does not reach the person", async () => {
    const system = await start(await hookOf(kind))
    const person = unreachable()
    await system.login(person)
    const code = await codeTo(person, "SMS")
    assert.sameDeepMembers(
      (await messagesTo(person)).map(({ channel, code, status }) => [channel, code, status]),
      [
        ["SMS", code, "DELIVERED"],
        ["WHATSAPP", code, "FAILED"]
      ]
    )
    assert.isBelow((await system.enter(person, code)).status, 300)
  })

  it("are sent once when the answers of two tries are lost", async () => {
    const place = await hookOf(kind)
    const system = await start(place)
    const person = phone()
    place.network.plan.push("LOST", "LOST")
    await system.login(person)
    const seen = await until(
      () => Promise.resolve(place.network.seen),
      ({ length }) => length === 3,
      { what: "three tries" }
    )
    assert.deepStrictEqual(
      seen.map(({ status }) => status),
      [200, 200, 200]
    )
    const code = await codeTo(person, "WHATSAPP", "READ")
    assert.strictEqual((await messagesTo(person)).length, 1)
    assert.isBelow((await system.enter(person, code)).status, 300)
    const { body } = await live.get(`/v1/dashboard/hooks/${place.id}/requests`)
    assert.isTrue(body.items.every(({ outcome }: { readonly outcome: string }) => /^(SENT|REPEATED)$/.test(outcome)))
  })

  it("arrive after a network that was down comes back", async () => {
    const place = await hookOf(kind)
    const system = await start(place)
    const person = phone()
    place.network.plan.push("CUT", "CUT")
    await system.login(person)
    const code = await codeTo(person, "WHATSAPP", "READ")
    assert.strictEqual((await messagesTo(person)).length, 1)
    assert.isBelow((await system.enter(person, code)).status, 300)
  })

  it("are not sent when somebody on the way changed them", async () => {
    // Kratos signs nothing: only https protects its requests.
    if (kind === "kratos") return
    const place = await hookOf(kind)
    const system = await start(place)
    const person = phone()
    place.network.plan.push("CHANGED", "CHANGED", "CHANGED", "CHANGED")
    await system.login(person)
    await until(
      () => Promise.resolve(place.network.seen),
      ({ length }) => length >= 1,
      { what: "a try" }
    )
    assert.isTrue(place.network.seen.every(({ status }) => status === 401))
    assert.deepStrictEqual(await messagesTo(person), [])
  })
})

describe("a code over hourlyLimit", () => {
  beforeAll(async () => assert.strictEqual((await live.settings({ hourlyLimit: 1 })).status, 200))
  afterAll(async () => assert.strictEqual((await live.settings({ hourlyLimit: 10 })).status, 200))

  const secondLogin = async (system: System) => {
    const person = phone()
    await system.login(person)
    await codeTo(person, "WHATSAPP", "READ")
    const second = await system.login(person)
    return { person, second }
  }

  it("is refused in words that a user of Supabase reads, and leaves the first code valid", async () => {
    const system = await supabase(await hookOf("supabase-sms"))
    const { person, second } = await secondLogin(system)
    assert.strictEqual(second.status, 429)
    assert.isNotEmpty(second.body.msg)
    assert.notMatch(second.body.msg, /hook|Countersign/)
    const code = await codeTo(person, "WHATSAPP", "READ")
    assert.strictEqual((await system.enter(person, code)).status, 200)
  })

  it("fails in Zitadel after three tries, and its user sees nothing of it", async () => {
    const system = await zitadel(await hookOf("zitadel-sms"))
    const { person, second } = await secondLogin(system)
    assert.strictEqual(second.status, 201)
    const last = () => Promise.resolve(system.double.notifications.at(-1)!)
    const { error, tries } = await until(last, ({ status }) => status === "FAILED", { what: "the end of the tries" })
    assert.strictEqual(tries, 3)
    assert.include(error, "returned 429")
    assert.strictEqual((await messagesTo(person)).length, 1)
  })

  it("is dropped by the Action of Auth0, with the status as its reason", async () => {
    const system = await auth0(await hookOf("auth0"))
    const { person } = await secondLogin(system)
    const last = () => Promise.resolve(system.double.messages.at(-1)!)
    const { decision, runs } = await until(last, ({ decision }) => decision !== null, { what: "the Action" })
    assert.deepStrictEqual([decision, runs], [{ is: "dropped", reason: "Countersign answered 429" }, 1])
    assert.strictEqual((await messagesTo(person)).length, 1)
  })

  it.skipIf(engine === null)("is abandoned by Kratos' courier after six tries", async () => {
    const system = await kratos(await hookOf("kratos"))
    const { person, second } = await secondLogin(system)
    assert.strictEqual(second.body.ui.messages[0].id, 1010014)
    const last = () => Promise.resolve(system.double.messages.at(-1)!)
    const { sendCount } = await until(last, ({ status }) => status === "abandoned", { what: "the end of the tries" })
    assert.strictEqual(sendCount, 6)
    assert.strictEqual((await messagesTo(person)).length, 1)
  })
})

describe("the Action for Auth0", () => {
  const code = "482913"
  const runOnce = async (
    fields: Partial<Auth0.Notification> = {},
    plan: Between["plan"] = [],
    longestMillis?: number
  ) => {
    const place = await hookOf("auth0")
    place.network.plan.push(...plan)
    const handler = Auth0.compile(hookRecipes.auth0(place), longestMillis)
    const person = phone()
    const notification = { ...Auth0.notificationTo(person, code), ...fields }
    return {
      decision: await Auth0.run(handler, notification, { COUNTERSIGN_SECRET: place.secret }),
      person,
      place,
      handler
    }
  }

  it.each([
    ["an unreachable service", "CUT"],
    ["a service that does not answer", "SLOW"],
    ["a fault of the service", 503],
    ["a fault of a proxy", 502]
  ] as const)("lets Auth0 try again after %s", async (_what, accident) => {
    const { decision } = await runOnce({}, [accident], accident === "SLOW" ? 50 : undefined)
    assert.strictEqual(decision.is, "retry")
  })

  it("drops a message that is spoken, that has no code, or that goes to no number", async () => {
    for (const fields of [{ delivery_method: "voice" }, { code: "" }, { recipient: "+000" }] as const) {
      const { decision } = await runOnce(fields)
      assert.deepStrictEqual(decision, { is: "dropped", reason: "Countersign answered 400" })
    }
  })

  it("drops a message after a secret that is not the hook's", async () => {
    const { handler, person } = await runOnce()
    for (const secret of [`whsec_${Buffer.alloc(32).toString("base64")}`, "", "whsec_"]) {
      const decision = await Auth0.run(handler, Auth0.notificationTo(person, code), { COUNTERSIGN_SECRET: secret })
      assert.deepStrictEqual(decision, { is: "dropped", reason: "Countersign answered 401" })
    }
    const none = await Auth0.run(handler, Auth0.notificationTo(person, code), {})
    assert.strictEqual(none.is, "dropped")
  })

  it("sends one message, however often Auth0 runs it", async () => {
    const { handler, person, place } = await runOnce({}, ["LOST"])
    const again = () => Auth0.run(handler, Auth0.notificationTo(person, code), { COUNTERSIGN_SECRET: place.secret })
    for (let n = 0; n < 5; n++) assert.deepStrictEqual(await again(), { is: "sent" })
    await codeTo(person, "WHATSAPP", "READ")
    assert.strictEqual((await messagesTo(person)).length, 1)
  })
})

describe("Zitadel", () => {
  it("sends codes with letters, which arrive unchanged", async () => {
    const { double } = await zitadel(await hookOf("zitadel-sms"))
    const person = phone()
    await post(`${double.url}/v2/users/${person}/phone/resend`, {})
    const verificationCode = await codeTo(person, "WHATSAPP", "READ")
    assert.match(verificationCode, /^[A-Z0-9]{6}$/)
    assert.strictEqual((await post(`${double.url}/v2/users/${person}/phone/verify`, { verificationCode })).status, 200)
  })
})

describe("Supabase Auth", () => {
  it("accepts the environment variables that its recipe lists", async () => {
    const place = await hookOf("supabase-sms")
    const variables = [...hookRecipes["supabase-sms"](place).matchAll(/^# (GOTRUE_\S+)$/gm)].map(([, line]) => line)
    assert.strictEqual(variables.length, 3)
    const config = [...variables, "GOTRUE_EXTERNAL_PHONE_ENABLED=true"].join("\n")
    const { url } = opening(await SupabaseAuth.start(config, { betweenCodesMillis: 0 }))
    const person = phone()
    assert.strictEqual((await post(`${url}/otp`, { phone: person })).status, 200)
    const token = await codeTo(person, "WHATSAPP", "READ")
    assert.strictEqual((await post(`${url}/verify`, { type: "sms", phone: person, token })).status, 200)
  })

  it("sends codes by e-mail", async () => {
    const place = await hookOf("supabase-email")
    const { url } = opening(await SupabaseAuth.start(hookRecipes["supabase-email"](place)))
    const email = `p${phone().slice(1)}@example.com`
    assert.strictEqual((await post(`${url}/otp`, { email })).status, 200)
    const token = await codeTo(email, "EMAIL")
    assert.strictEqual((await post(`${url}/verify`, { type: "email", email, token })).status, 200)
  })
})

describe.skipIf(engine === null)("the Jsonnet for Kratos", () => {
  it.each(["login", "registration", "verification", "recovery"])("finds the code of a %s", async (flow) => {
    const system = await kratos(await hookOf("kratos"))
    const person = phone()
    await system.begin(flow, person)
    assert.strictEqual((await system.enter(person, await codeTo(person, "WHATSAPP", "READ"))).status, 200)
  })

  it("makes a request that is refused of a message without a code, and later codes are still sent", async () => {
    const system = await kratos(await hookOf("kratos"))
    const [stranger, person] = [phone(), phone()]
    for (const type of ["verifiable_address_changed", "authenticator_key_added"]) {
      system.double.notify(type, stranger, { to: stranger, identity: {}, transient_payload: {} })
    }
    await system.login(person)
    assert.strictEqual((await system.enter(person, await codeTo(person, "WHATSAPP", "READ"))).status, 200)
    await until(
      () => Promise.resolve(system.double.messages),
      (messages) => messages.every(({ status }) => status !== "queued"),
      { what: "an empty queue" }
    )
    assert.deepStrictEqual(await messagesTo(stranger), [])
  })

  it("keeps a code as it is, whatever it and the recipient consist of", async () => {
    const system = await kratos(await hookOf("kratos"))
    const person = phone()
    const message = system.double.notify("login_code_valid", person, { to: person, login_code: "004200" })
    await until(
      () => Promise.resolve(message),
      ({ status }) => status === "sent",
      { what: "the message" }
    )
    assert.strictEqual(await codeTo(person, "WHATSAPP", "READ"), "004200")
  })
})
