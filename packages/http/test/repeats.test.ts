import { randomUUID } from "node:crypto"
import { Core, WebhookSender } from "@countersign/core"
import { MemoryStorage } from "@countersign/core/memory"
import { IdempotencyStore } from "@countersign/core/storage"
import { Context, Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Dispatcher, WebHandler } from "../src/index.ts"
import { contract } from "../src/Routes.ts"

const origin = "https://verify.example.com"
const adminToken = "admin-0123456789abcdef0123456789abcdef"
const code = "123456"

type Headers = { readonly [name: string]: string }

interface Answer {
  readonly status: number
  readonly text: string
  readonly body: any
  readonly replayed: boolean
}

/**
 * A service on memory storage. While `dies` is true, a process dies after each commit: its answer is never stored, and
 * its lease ends immediately, as another process would end it.
 */
const openWorld = async () => {
  let dies = false
  const storage = Layer.effectContext(
    Effect.map(Layer.build(MemoryStorage.layer), (context) => {
      const store = Context.get(context, IdempotencyStore)
      return Context.add(context, IdempotencyStore, {
        ...store,
        finish: (scope, holder, answer) => (dies ? store.unlock(scope, holder) : store.finish(scope, holder, answer))
      })
    })
  )
  const runtime = ManagedRuntime.make(
    Dispatcher.layer({ publicUrl: origin, adminToken: Redacted.make(adminToken) }).pipe(
      Layer.provideMerge(
        Core.layer({
          secret: Redacted.make("0d".repeat(32)),
          publicUrl: origin,
          linkUrl: origin,
          channels: [],
          webhooks: Layer.succeed(
            WebhookSender,
            WebhookSender.of({
              check: () => Effect.void,
              send: () => Effect.succeed({ status: 200, body: "", retryAfterSeconds: null })
            })
          )
        })
      ),
      Layer.provideMerge(storage)
    )
  )
  const handler = await runtime.runPromise(WebHandler.make())
  const send = async (method: string, path: string, headers: Headers, body?: unknown): Promise<Answer> => {
    const answer = await handler(
      new Request(`${origin}${path}`, {
        method,
        headers: { ...(body === undefined ? {} : { "content-type": "application/json" }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) })
      })
    )
    const text = await answer.text()
    const replayed = answer.headers.has("idempotency-replayed")
    return { status: answer.status, text, body: text === "" ? undefined : JSON.parse(text), replayed }
  }
  const must = async (...request: Parameters<typeof send>): Promise<any> => {
    const { body, status, text } = await send(...request)
    if (status >= 400) throw new Error(`${request[0]} ${request[1]}: ${text}`)
    return body
  }
  const asOperator = { authorization: `Bearer ${adminToken}` }
  const merchant = async () => {
    const made = await must("POST", "/v1/admin/merchants", asOperator, { name: "Shop" })
    const headersOf = (keys: any) => ({ "x-client-id": keys.clientId, "x-client-secret": keys.clientSecret })
    const [live, test] = [headersOf(made.live), headersOf(made.test)]
    const app = { "x-public-key": made.test.publicKey as string }
    const post = (path: string, body?: unknown) => must("POST", path, test, body)
    const get = (path: string) => must("GET", path, test)
    const set = (settings: unknown) => must("PATCH", "/v1/dashboard/settings", test, settings)
    /** Billing terms, which a key cannot change. */
    const bill = (terms: object) =>
      must("PATCH", `/v1/admin/merchants/${made.id}/billing`, asOperator, { environment: "test", ...terms })
    return { id: made.id as string, live, test, app, post, get, set, bill }
  }
  return {
    send,
    must,
    asOperator,
    merchant,
    dying: async <A>(run: () => Promise<A>): Promise<A> => {
      dies = true
      try {
        return await run()
      } finally {
        dies = false
      }
    },
    close: () => runtime.dispose()
  }
}

type World = Awaited<ReturnType<typeof openWorld>>
type Shop = Awaited<ReturnType<World["merchant"]>>

interface Case {
  readonly path: string
  /** Default: the headers of the test key. */
  readonly headers?: Headers
  readonly body?: unknown
  /** The effect of the request beyond events and audit entries. It is read after each try. */
  readonly effect?: () => Promise<unknown>
  /** The part of the answer that must be equal for every try. Default: all of it. */
  readonly same?: (answer: any) => unknown
  /** The request's jobs continue in the background and add events of the same types. */
  readonly goesOn?: boolean
}

type Row = ((shop: Shop, world: World) => Promise<Case>) | { readonly because: string }

const phone = () => `+9198${String(Math.floor(Math.random() * 1e8)).padStart(8, "0")}`
const d = "/v1/dashboard"
const initiating = (identity = phone(), more = {}) => ({
  identity,
  identityType: "MOBILE",
  mode: "OTP",
  channel: "SMS",
  ...more
})
const begun = async (shop: Shop): Promise<string> => (await shop.post("/v1/auth/initiate", initiating())).requestId
const appBegun = (shop: Shop, world: World): Promise<any> =>
  world.must("POST", "/v1/sdk/auth/initiate", shop.app, { phone: phone(), channel: "sms" })
/** A login that waits for Truecaller, and a proof for the test environment. */
const provable = async (shop: Shop, channel = "TRUECALLER") => {
  const redirectUri = "https://shop.example/back"
  await shop.set({ redirectUris: [redirectUri] })
  const identity = phone()
  const asked = initiating(identity, { mode: "OAUTH", channel, redirectUri })
  const { requestId: sessionId } = await shop.post("/v1/auth/initiate", asked)
  return { sessionId, proof: { sessionId, state: sessionId, code: identity.slice(1), codeVerifier: "v".repeat(43) } }
}
const lead = async (shop: Shop): Promise<number> => (await shop.post(`${d}/leads`, { phone: phone() })).id
const leadCase =
  (end: string, before: ReadonlyArray<string> = [], body?: unknown): Row =>
  async (shop) => {
    const id = await lead(shop)
    for (const step of before) await shop.post(`${d}/leads/${id}/${step}`)
    return {
      path: `${d}/leads/${id}/${end}`,
      body,
      effect: async () => [
        (await shop.get(`${d}/leads/${id}/history`)).items,
        (await shop.get(`${d}/leads/${id}/messages`)).items.map(({ id, text }: any) => [id, text]),
        (await shop.get(`${d}/ledger`)).items
      ],
      same: ({ status: _, ...rest }) => rest
    }
  }
const hook = (shop: Shop) => shop.post(`${d}/hooks`, { kind: "kratos", name: "Own" })
const webhook = (shop: Shop) => shop.post(`${d}/webhooks`, { url: "https://127.0.0.1:9/hook" })
const offer = { name: "offer", channel: "SMS", purpose: "MESSAGE", body: "Hi" }
const later = new Date(Date.now() + 3_600_000).toISOString()
const campaign = { name: "Sale", channel: "SMS", template: "offer", csv: "phone\n+919876543210\n", startAt: later }
const campaignCase =
  (end: string, before: ReadonlyArray<string> = []): Row =>
  async (shop) => {
    await shop.post(`${d}/templates`, offer)
    const { id } = await shop.post(`${d}/campaigns`, campaign)
    for (const step of before) await shop.post(`${d}/campaigns/${id}/${step}`)
    return { path: `${d}/campaigns/${id}/${end}` }
  }
const ofPage = { because: "it signs a browser in: it works once, and its answer is a cookie that is never kept" }
const reads = { because: "it changes nothing, so a repeat reads again" }

/** One row per POST of the contract: what a repeat must find unchanged. */
const rows: { readonly [endpoint: string]: Row } = {
  "/v1/auth/initiate": async () => ({ path: "/v1/auth/initiate", body: initiating() }),
  "/v1/deliveries": async (shop) => {
    const identity = phone()
    const listed = () => shop.get(`${d}/verifications?identity=${encodeURIComponent(identity)}`)
    return {
      path: "/v1/deliveries",
      body: { identity, code: "K7M2Q9" },
      effect: async () =>
        (await listed()).items.map(({ deliveries, requestId }: any) => [requestId, deliveries.length]),
      same: ({ id }) => id,
      goesOn: true
    }
  },
  "/v1/auth/verify": async (shop) => {
    const requestId = await begun(shop)
    return {
      path: "/v1/auth/verify",
      body: { requestId, otp: "000000" },
      effect: async () => (await shop.get(`${d}/verifications/${requestId}`)).attemptsLeft
    }
  },
  "/v1/auth/login": async (shop) => {
    const requestId = await begun(shop)
    return { path: "/v1/auth/login", body: { requestId, otp: code }, same: ({ identity }) => identity }
  },
  "/v1/auth/token": async (shop, world) => {
    const { proof, sessionId } = await provable(shop)
    await world.must("POST", "/v1/sdk/auth/truecaller", shop.app, proof)
    const { code } = await shop.get(`/v1/auth/status?requestId=${sessionId}`)
    return { path: "/v1/auth/token", body: { code }, same: ({ idToken: _, ...rest }) => rest }
  },
  "/v1/auth/verify-code": async (shop) => ({ path: "/v1/auth/verify-code", body: { requestId: await begun(shop) } }),
  "/v1/sdk/session": async () => ({
    path: "/v1/sdk/session",
    body: {},
    same: ({ scope }) => scope
  }),
  "/v1/sdk/auth/initiate": async (shop) => ({
    path: "/v1/sdk/auth/initiate",
    headers: shop.app,
    body: { phone: phone(), channel: "sms" }
  }),
  "/v1/sdk/auth/verify": async (shop, world) => {
    const { sessionId } = await appBegun(shop, world)
    const { sessionToken } = await shop.post("/v1/sdk/session", {})
    return {
      path: "/v1/sdk/auth/verify",
      headers: { authorization: `Bearer ${sessionToken}` },
      body: { sessionId, code: "000000" },
      effect: async () => (await shop.get(`${d}/verifications/${sessionId}`)).attemptsLeft
    }
  },
  "/v1/sdk/auth/verify-number/:verifier": async (shop) => {
    const { code, codeVerifier, sessionId } = (await provable(shop)).proof
    return {
      path: "/v1/sdk/auth/verify-number/TRUECALLER",
      headers: shop.app,
      body: { sessionId, proof: { code, codeVerifier } }
    }
  },
  "/v1/sdk/auth/verify-number/:verifier/start": async (shop) => {
    const { sessionId } = await provable(shop, "TWILIO_SNA")
    return {
      path: "/v1/sdk/auth/verify-number/TWILIO_SNA/start",
      headers: shop.app,
      body: { sessionId },
      same: ({ url }) => url
    }
  },
  "/v1/sdk/auth/truecaller": async (shop) => ({
    path: "/v1/sdk/auth/truecaller",
    headers: shop.app,
    body: (await provable(shop)).proof
  }),
  "/v1/sdk/attribution/launch": async (shop) => ({
    path: "/v1/sdk/attribution/launch",
    headers: shop.app,
    body: { consent: true, utm: { source: "newsletter" } },
    effect: () => shop.get(`${d}/attribution`)
  }),
  "/v1/sdk/attribution/conversion": async (shop) => ({
    path: "/v1/sdk/attribution/conversion",
    headers: shop.app,
    body: { event: "order_paid", value: 5, currency: "INR" },
    effect: () => shop.get(`${d}/attribution`)
  }),
  "/v1/admin/merchants": async (_shop, world) => ({
    path: "/v1/admin/merchants",
    headers: world.asOperator,
    body: { name: "Another", ownerEmail: "asha@example.com" },
    effect: async () => (await world.must("GET", "/v1/admin/merchants", world.asOperator)).items
  }),
  ...Object.fromEntries(
    (["top-ups", "corrections"] as const).map((kind) => [
      `/v1/admin/merchants/:id/${kind}`,
      async (shop, world) => ({
        path: `/v1/admin/merchants/${shop.id}/${kind}`,
        headers: world.asOperator,
        body: { environment: "test", amount: 500, ...(kind === "corrections" ? { reason: "Goodwill" } : {}) },
        effect: async () => (await shop.get(`${d}/ledger`)).items
      })
    ])
  ),
  ...Object.fromEntries(
    (["suspend", "resume"] as const).map((end) => [
      `/v1/admin/merchants/:id/${end}`,
      async (_shop, world) => {
        const { id } = await world.merchant()
        if (end === "resume") await world.must("POST", `/v1/admin/merchants/${id}/suspend`, world.asOperator)
        const audit = () => world.must("GET", `/v1/admin/merchants/${id}/audit`, world.asOperator)
        return { path: `/v1/admin/merchants/${id}/${end}`, headers: world.asOperator, effect: audit }
      }
    ])
  ),
  [`${d}/erase`]: async () => ({ path: `${d}/erase`, body: { identity: phone() } }),
  [`${d}/agents`]: async (shop, world) => ({
    path: `${d}/agents`,
    headers: shop.live,
    body: { email: "ravi@example.com" },
    effect: () => world.must("GET", `${d}/agents`, shop.live)
  }),
  [`${d}/agents/:id/invite`]: async (shop, world) => {
    const agent = { email: "ravi@example.com", status: "INVITED" }
    const { id } = await world.must("POST", `${d}/agents`, shop.live, agent)
    return { path: `${d}/agents/${id}/invite`, headers: shop.live }
  },
  [`${d}/teams`]: async (shop, world) => ({
    path: `${d}/teams`,
    headers: shop.live,
    body: { name: "Sales" },
    effect: () => world.must("GET", `${d}/teams`, shop.live)
  }),
  [`${d}/verifications/:requestId/unmask`]: {
    because: "each look at an identity is an audit entry of its own, and its answer is never kept"
  },
  [`${d}/me/devices`]: { because: "a browser that is added again is the same device" },
  [`${d}/passkeys/options`]: ofPage,
  [`${d}/passkeys`]: { because: "a passkey has the id that its authenticator gave it: a second one is refused" },
  [`${d}/sessions/passkey/options`]: ofPage,
  [`${d}/sessions/passkey`]: ofPage,
  [`${d}/sessions`]: ofPage,
  [`${d}/sessions/confirm`]: ofPage,
  [`${d}/sessions/redeem`]: ofPage,
  [`${d}/templates`]: async (shop) => ({
    path: `${d}/templates`,
    body: offer,
    effect: async () => (await shop.get(`${d}/templates`)).items
  }),
  [`${d}/templates/preview`]: reads,
  [`${d}/templates/:id/preview`]: reads,
  [`${d}/templates/:id/submit`]: {
    because: "Meta knows a template by its name and takes a second submission of it as the same"
  },
  [`${d}/sender-ids`]: async (shop) => ({
    path: `${d}/sender-ids`,
    body: { header: "ACMEIN" },
    effect: () => shop.get(`${d}/sender-ids`)
  }),
  "/v1/whatsapp/leads/:leadId/assign": async (shop) => ({
    path: `/v1/whatsapp/leads/${await lead(shop)}/assign`,
    body: {}
  }),
  "/v1/whatsapp/leads/assign": async (shop) => {
    const known = phone()
    await shop.post(`${d}/leads`, { phone: known })
    return { path: "/v1/whatsapp/leads/assign", body: { phone: known } }
  },
  "/v1/whatsapp/leads/:leadId/team": async (shop) => ({
    path: `/v1/whatsapp/leads/${await lead(shop)}/team`,
    body: {}
  }),
  "/v1/whatsapp/leads/team": async (shop) => {
    const known = phone()
    await shop.post(`${d}/leads`, { phone: known })
    return { path: "/v1/whatsapp/leads/team", body: { phone: known } }
  },
  [`${d}/balance/top-ups`]: async (shop) => ({
    path: `${d}/balance/top-ups`,
    body: { amount: 700 },
    effect: async () => (await shop.get(`${d}/ledger`)).items
  }),
  [`${d}/example-day`]: async () => ({ path: `${d}/example-day`, body: { seed: 7 }, goesOn: true }),
  [`${d}/opt-outs`]: async (shop) => ({
    path: `${d}/opt-outs`,
    body: { phone: phone() },
    effect: () => shop.get(`${d}/opt-outs`)
  }),
  [`${d}/protection/reasons/:reason/enforce`]: async (shop) => ({
    path: `${d}/protection/reasons/PREFIX_UNVERIFIED/enforce`,
    effect: () => shop.get(`${d}/settings`)
  }),
  [`${d}/protection/reasons/:reason/undo`]: async (shop) => ({
    path: `${d}/protection/reasons/PREFIX_UNVERIFIED/undo`,
    effect: () => shop.get(`${d}/settings`)
  }),
  [`${d}/protection/trips/:reason/:place/let-through`]: async (shop) => ({
    path: `${d}/protection/trips/PREFIX_UNVERIFIED/99891234/let-through`,
    body: { safe: true },
    effect: () => shop.get(`${d}/settings`)
  }),
  [`${d}/try`]: async () => ({ path: `${d}/try`, body: { identity: phone(), channel: "SMS" } }),
  [`${d}/try/:requestId/verify`]: async (shop) => {
    const { requestId } = await shop.post(`${d}/try`, { identity: phone(), channel: "SMS" })
    return { path: `${d}/try/${requestId}/verify`, body: { otp: "000000" } }
  },
  [`${d}/hooks`]: async (shop) => ({
    path: `${d}/hooks`,
    body: { kind: "supabase-sms", name: "Sign-in" },
    effect: () => shop.get(`${d}/hooks`)
  }),
  [`${d}/hooks/:id/rotate-secret`]: async (shop) => ({ path: `${d}/hooks/${(await hook(shop)).id}/rotate-secret` }),
  [`${d}/webhooks`]: async (shop) => ({
    path: `${d}/webhooks`,
    body: { url: "https://127.0.0.1:9/hook" },
    effect: () => shop.get(`${d}/webhooks`)
  }),
  [`${d}/webhooks/:id/rotate-secret`]: async (shop) => ({
    path: `${d}/webhooks/${(await webhook(shop)).id}/rotate-secret`
  }),
  [`${d}/webhooks/:id/test`]: async (shop) => {
    const { id } = await webhook(shop)
    return { path: `${d}/webhooks/${id}/test`, effect: () => shop.get(`${d}/webhooks/${id}/deliveries`) }
  },
  [`${d}/webhooks/:id/deliveries/:deliveryId/redeliver`]: async (shop) => {
    const { id } = await webhook(shop)
    const delivery = await shop.post(`${d}/webhooks/${id}/test`)
    return {
      path: `${d}/webhooks/${id}/deliveries/${delivery.id}/redeliver`,
      effect: () => shop.get(`${d}/webhooks/${id}/deliveries`)
    }
  },
  [`${d}/webhooks/:id/events/:eventId/retry`]: async (shop) => {
    const { id } = await webhook(shop)
    const { eventId } = await shop.post(`${d}/webhooks/${id}/test`)
    return {
      path: `${d}/webhooks/${id}/events/${eventId}/retry`,
      effect: () => shop.get(`${d}/webhooks/${id}/events`)
    }
  },
  [`${d}/webhooks/:id/retry`]: async (shop) => ({ path: `${d}/webhooks/${(await webhook(shop)).id}/retry` }),
  [`${d}/webhooks/:id/replay`]: async (shop) => ({
    path: `${d}/webhooks/${(await webhook(shop)).id}/replay`,
    body: { since: later, until: later }
  }),
  [`${d}/leads`]: async (shop) => ({
    path: `${d}/leads`,
    body: { phone: phone(), name: "Asha" },
    effect: () => shop.get(`${d}/leads`)
  }),
  [`${d}/leads/bulk`]: async (shop) => {
    const ids = [await lead(shop), 77]
    return {
      path: `${d}/leads/bulk`,
      body: { ids, action: "SNOOZE", until: later },
      effect: async () => (await shop.get(`${d}/leads/${ids[0]}/history`)).items
    }
  },
  [`${d}/leads/:id/close`]: leadCase("close"),
  [`${d}/leads/:id/reopen`]: leadCase("reopen", ["close"]),
  [`${d}/leads/:id/read`]: leadCase("read"),
  [`${d}/leads/:id/unread`]: leadCase("unread"),
  [`${d}/leads/:id/answered`]: leadCase("answered"),
  [`${d}/leads/:id/unanswered`]: leadCase("unanswered"),
  [`${d}/leads/:id/snooze`]: leadCase("snooze", [], { until: later }),
  [`${d}/leads/:id/unsnooze`]: leadCase("unsnooze"),
  [`${d}/leads/:id/reply`]: leadCase("reply", [], { template: "order_update/en", values: ["A1"] }),
  [`${d}/leads/:id/media`]: {
    because: "it stores nothing: a second upload is another file at WhatsApp, which no reply names"
  },
  [`${d}/leads/:id/looking`]: {
    because: "it reports that an agent is viewing now: the last call counts, and nothing is stored"
  },
  [`${d}/leads/:id/notes`]: leadCase("notes", [], { text: "Call back" }),
  [`${d}/labels`]: async (shop) => ({
    path: `${d}/labels`,
    body: { name: "VIP", colour: "PURPLE" },
    effect: () => shop.get(`${d}/labels`)
  }),
  [`${d}/leads/:id/labels`]: async (shop) => {
    const id = await lead(shop)
    const body = await shop.post(`${d}/labels`, { name: `Label of ${id}` })
    return {
      path: `${d}/leads/${id}/labels`,
      body: { add: [body.id] },
      effect: async () => (await shop.get(`${d}/leads/${id}/history`)).items
    }
  },
  [`${d}/saved-replies`]: async (shop) => ({
    path: `${d}/saved-replies`,
    body: { name: "Hours", text: "We are open." },
    effect: () => shop.get(`${d}/saved-replies`)
  }),
  [`${d}/keys`]: async (shop) => ({
    path: `${d}/keys`,
    body: { type: "SERVER", name: "backend" },
    effect: async () => (await shop.get(`${d}/keys`)).items.map(({ id }: any) => id)
  }),
  [`${d}/keys/:id/roll`]: async (shop) => {
    const { id } = await shop.post(`${d}/keys`, { type: "SERVER" })
    return { path: `${d}/keys/${id}/roll`, body: {} }
  },
  [`${d}/unlock`]: async (shop) => {
    const identity = phone()
    const { requestId } = await shop.post("/v1/auth/initiate", initiating(identity))
    await shop.post("/v1/auth/verify", { requestId, otp: "000000" })
    return { path: `${d}/unlock`, body: { identity } }
  },
  [`${d}/verifications/:requestId/unlock`]: async (shop) => {
    const { requestId } = await shop.post("/v1/auth/initiate", initiating(phone()))
    await shop.post("/v1/auth/verify", { requestId, otp: "000000" })
    return { path: `${d}/verifications/${requestId}/unlock`, body: {} }
  },
  [`${d}/people/:person/unlock`]: async (shop) => {
    const { requestId } = await shop.post("/v1/auth/initiate", initiating(phone()))
    await shop.post("/v1/auth/verify", { requestId, otp: "000000" })
    const { person } = await shop.get(`${d}/verifications/${requestId}`)
    return { path: `${d}/people/${person}/unlock`, body: {} }
  },
  [`${d}/whatsapp/connect`]: {
    because: "a number has the id that Meta gave it: connecting it again sets the same row again"
  },
  [`${d}/campaigns`]: async (shop) => {
    await shop.post(`${d}/templates`, offer)
    return { path: `${d}/campaigns`, body: campaign, effect: () => shop.get(`${d}/campaigns`) }
  },
  [`${d}/campaigns/:id/pause`]: campaignCase("pause"),
  [`${d}/campaigns/:id/resume`]: campaignCase("resume", ["pause"]),
  [`${d}/campaigns/:id/cancel`]: campaignCase("cancel")
}

/** Events of the request itself. Jobs may add others later. */
const ownEvents = ["otp.initiated", "otp.verified", "session.created", "webhook.test"]

const posts = contract.filter(({ method }) => method === "POST").map(({ path }) => path)

describe("a repeat with the same Idempotency-Key, after a process died before it stored the answer", () => {
  let world: World
  beforeAll(async () => {
    world = await openWorld()
  })
  afterAll(() => world.close())

  it("is tested for every POST of the contract", () => {
    assert.deepStrictEqual(Object.keys(rows).toSorted(), posts.toSorted())
  })

  const left = async ({ live, test }: Shop, { effect, goesOn = false }: Case) => {
    const audit = async (headers: Headers) => (await world.send("GET", `${d}/audit?limit=200`, headers)).body?.items
    const { items } = await world.must("GET", `${d}/events?limit=200`, test)
    return {
      events: goesOn ? [] : items.filter(({ type }: any) => ownEvents.includes(type)).map(({ id }: any) => id),
      audit: [await audit(live), await audit(test)].map((items) => items?.map(({ id }: any) => id)),
      effect: await effect?.()
    }
  }

  /** Sends a request twice to a dying process, then a third time, then as a replay. */
  const repeated = async (shop: Shop, sent: Case) => {
    const { body, headers = shop.test, path, same = (all) => all } = sent
    const keyed = { ...headers, "idempotency-key": randomUUID() }
    const before = await left(shop, sent)
    const first = await world.dying(() => world.send("POST", path, keyed, body))
    assert.isBelow(first.status, 300, first.text)
    const after = await left(shop, sent)
    const repeat = await world.dying(() => world.send("POST", path, keyed, body))
    const third = await world.send("POST", path, keyed, body)
    const replay = await world.send("POST", path, keyed, body)
    assert.deepStrictEqual(
      [first, repeat, third, replay].map(({ replayed }) => replayed),
      [false, false, false, true]
    )
    for (const { body, status, text } of [repeat, third, replay]) {
      assert.strictEqual(status, first.status, text)
      assert.deepStrictEqual(body && same(body), first.body && same(first.body))
    }
    assert.deepStrictEqual(await left(shop, sent), after)
    return { before, after, first }
  }

  for (const path of posts) {
    const row = rows[path]
    if (typeof row !== "function") continue
    it(`has one effect and the same answer: POST ${path}`, async () => {
      const shop = await world.merchant()
      await shop.bill({ billing: "PREPAID", prices: { WHATSAPP: 50, SMS: 20 } })
      await shop.post(`${d}/balance/top-ups`, { amount: 10_000 })
      await repeated(shop, await row(shop, world))
    })
  }

  it("reports one sign-in of a trusted device, and returns the same token", async () => {
    const shop = await world.merchant()
    await shop.set({ oneTap: true })
    const identity = phone()
    const { deviceToken, requestId } = await shop.post("/v1/auth/initiate", initiating(identity))
    await shop.post("/v1/auth/verify", { requestId, otp: code, deviceToken })
    const { after, before, first } = await repeated(shop, {
      path: "/v1/auth/initiate",
      body: initiating(identity, { deviceToken })
    })
    assert.isTrue(first.body.oneTapApplied)
    assert.lengthOf(after.events, before.events.length + 1)
  })

  it("finds a verification that has ended since, and does not start a second one", async () => {
    const shop = await world.merchant()
    const keyed = { ...shop.test, "idempotency-key": randomUUID() }
    const body = initiating()
    const first = await world.dying(() => world.send("POST", "/v1/auth/initiate", keyed, body))
    const { requestId } = first.body
    await shop.post("/v1/auth/verify", { requestId, otp: code })
    const repeat = await world.send("POST", "/v1/auth/initiate", keyed, body)
    assert.deepStrictEqual([repeat.status, repeat.body], [first.status, first.body])
  })

  it("finds what it resent, though another verification has started since", async () => {
    const shop = await world.merchant()
    await shop.set({ resendCooldownSeconds: 0 })
    const body = initiating()
    const { requestId } = await shop.post("/v1/auth/initiate", body)
    const keyed = { ...shop.test, "idempotency-key": randomUUID() }
    const first = await world.dying(() => world.send("POST", "/v1/auth/initiate", keyed, body))
    assert.strictEqual(first.body.requestId, requestId)
    await shop.post("/v1/auth/verify", { requestId, otp: code })
    const next = await shop.post("/v1/auth/initiate", body)
    const repeat = await world.send("POST", "/v1/auth/initiate", keyed, body)
    assert.deepStrictEqual(repeat.body, first.body)
    assert.lengthOf((await shop.get(`/v1/auth/status?requestId=${requestId}`)).deliveries, 2)
    assert.lengthOf((await shop.get(`/v1/auth/status?requestId=${next.requestId}`)).deliveries, 1)
  })

  it("says that it verified the code first, and another request gets 'Already verified'", async () => {
    const shop = await world.merchant()
    const requestId = await begun(shop)
    const body = { requestId, otp: code }
    const { first } = await repeated(shop, {
      path: "/v1/auth/verify",
      body,
      same: ({ idToken: _, ...rest }) => rest
    })
    assert.strictEqual(first.body.message, "OTP verified successfully")
    assert.strictEqual((await shop.post("/v1/auth/verify", body)).message, "Already verified")
  })

  it("signs in once after OneTap, and another request with the same requestId does not", async () => {
    const shop = await world.merchant()
    await shop.set({ oneTap: true })
    const identity = phone()
    const { deviceToken, requestId } = await shop.post("/v1/auth/initiate", initiating(identity))
    await shop.post("/v1/auth/login", { requestId, otp: code, deviceToken })
    const tapped = await shop.post("/v1/auth/initiate", initiating(identity, { deviceToken }))
    const { first } = await repeated(shop, { path: "/v1/auth/login", body: { requestId: tapped.requestId } })
    assert.strictEqual(first.body.identity, identity)
    assert.isNull(await shop.post("/v1/auth/login", { requestId: tapped.requestId }))
  })

  it("is refused with another body, even if the first answer was never sent", async () => {
    const shop = await world.merchant()
    const keyed = { ...shop.test, "idempotency-key": randomUUID() }
    await world.dying(() => world.send("POST", `${d}/keys`, keyed, { type: "SERVER" }))
    const other = await world.send("POST", `${d}/keys`, keyed, { type: "PUBLIC" })
    assert.deepStrictEqual([other.status, other.body.errorCode], [409, "IDEMPOTENCY_KEY_REUSED"])
  })

  it("creates records with separate ids for each tenant and endpoint, though the key is the same", async () => {
    const [shop, other] = [await world.merchant(), await world.merchant()]
    const key = { "idempotency-key": randomUUID() }
    const made = await Promise.all(
      [shop, other].map(({ test }) => world.must("POST", `${d}/keys`, { ...test, ...key }, { type: "SERVER" }))
    )
    assert.notStrictEqual(made[0].id, made[1].id)
    assert.notStrictEqual(made[0].clientSecret, made[1].clientSecret)
  })
})
