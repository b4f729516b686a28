import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { TestClock } from "effect/testing"
import { Audit, type Caller, type Hook, HookReceiver, Hooks } from "../../src/index.ts"
import { HookStore, VerificationStore } from "../../src/index.storage.ts"
import { accepted, recordingChannel, unavailable } from "../fixtures/RecordingChannel.ts"
import { HookLog } from "../../src/auth/hook/HookLog.ts"
import { build, makeProcess, makeStorage, makeWorld, secrets, start, until } from "../fixtures/World.ts"
import { requestOf, standardHeaders, zitadelHeaders } from "./vectors.ts"

const day = 86_400_000
const phone = "919876543210"
const code = "739164"
const address = "198.51.100.7"

const sms = (more: { readonly uuid?: string; readonly phone?: string; readonly otp?: string } = {}) =>
  JSON.stringify({
    metadata: { uuid: more.uuid ?? "0a1b", name: "send-sms", ip_address: "203.0.113.7" },
    user: { phone, user_metadata: { name: "Zoë" } },
    sms: { otp: more.otp ?? code, phone: more.phone ?? phone }
  })

const describeFailure = (failure: { readonly _tag: string }) => ({
  status: failure._tag === "RateLimited" ? 429 : failure._tag === "StoreError" ? 500 : 400,
  errorCode: failure._tag,
  message: `refused: ${failure._tag}`,
  retryAfterSeconds: null
})

/** Both services of a process. */
const hooksOf = ({ services }: { readonly services: Context.Context<Hooks | HookReceiver> }) => ({
  ...Context.get(services, Hooks),
  ...Context.get(services, HookReceiver)
})

/** A world with channels that record, and a hook of its live environment. */
const makeHooked = Effect.fnUntraced(function* (kind = "supabase-sms", idle = false) {
  const channel = recordingChannel("SMS")
  const mail = recordingChannel("EMAIL")
  const world = yield* makeWorld({ channels: [channel.channel, mail.channel], idle })
  const hooks = hooksOf(world)
  const made = yield* hooks.create(world.live, { kind, name: "Sign-in" })
  return {
    ...world,
    hooks,
    hook: made.hook,
    secret: Redacted.value(made.secret),
    sent: channel.received,
    mails: mail.received
  }
})

type Hooked = Effect.Success<ReturnType<typeof makeHooked>>

const seconds = Effect.map(
  Effect.clockWith((clock) => clock.currentTimeMillis),
  (now) => Math.floor(now / 1000)
)

/** Sends a request to the address of a hook, as its sign-in system does. */
const call = Effect.fnUntraced(function* (
  { hooks }: Pick<Hooked, "hooks">,
  { id, kind }: { readonly id: string; readonly kind: string },
  headers: { readonly [name: string]: string },
  body: string
) {
  const found = yield* hooks.find(kind, id)
  return yield* hooks.receive(found, requestOf({ headers, body }), {
    address: () => address,
    describe: describeFailure
  })
})

let tries = 0
const callSigned = Effect.fnUntraced(function* (hooked: Hooked, body = sms(), secret = hooked.secret) {
  return yield* call(hooked, hooked.hook, standardHeaders(secret, body, `try-${tries++}`, yield* seconds), body)
})

const requestsOf = ({ hook, hooks }: Hooked, caller: Pick<Caller, "environment"> = hook) =>
  hooks.requests(caller, hook.id, { after: null, limit: 100 })

const tagOf = <A, E extends { readonly _tag: string }>(effect: Effect.Effect<A, E>) =>
  Effect.map(Effect.flip(effect), (error) => error._tag)

describe("a hook", () => {
  it.effect("sends the code of a signed request once, however often its system repeats it", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked()
      for (let i = 0; i < 5; i++) {
        const answer = yield* callSigned(hooked)
        assert.deepStrictEqual([answer.status, answer.body], [200, "{}"])
      }
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(
        hooked.sent.map(({ code, to }) => [to, code]),
        [[`+${phone}`, code]]
      )
      const outcomes = (yield* requestsOf(hooked)).map(({ outcome }) => outcome)
      assert.deepStrictEqual(outcomes.toSorted(), ["REPEATED", "REPEATED", "REPEATED", "REPEATED", "SENT"])
    })
  )

  it.effect("sends once when all tries of a request arrive together", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked()
      yield* Effect.forEach(Array.from({ length: 20 }), () => callSigned(hooked), { concurrency: "unbounded" })
      yield* TestClock.adjust(1)
      assert.strictEqual(hooked.sent.length, 1)
    })
  )

  it.effect("sends a second code of the same person, because its request has another id", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked()
      yield* callSigned(hooked, sms({ uuid: "first" }))
      yield* TestClock.adjust("2 minutes")
      yield* callSigned(hooked, sms({ uuid: "second", otp: "550011" }))
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(
        hooked.sent.map((message) => message.code),
        [code, "550011"]
      )
    })
  )

  it.effect("sends both mails of a change of address, and neither again in a repeat", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked("supabase-email")
      const body = JSON.stringify({
        metadata: { uuid: "u-1" },
        user: { email: "old@example.com", new_email: "new@example.com" },
        email_data: { token: "111111", token_new: "222222", email_action_type: "email_change" }
      })
      yield* callSigned(hooked, body)
      yield* callSigned(hooked, body)
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(hooked.mails.map(({ code, to }) => `${to} ${code}`).toSorted(), [
        "new@example.com 222222",
        "old@example.com 111111"
      ])
    })
  )

  it.effect("of Zitadel knows a repeat by its code, because a repeat has a new time and signature", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked("zitadel-sms")
      const body = JSON.stringify({
        contextInfo: { eventType: "session.otp.sms.challenged", recipientPhoneNumber: `+${phone}` },
        args: { oTP: "48291377" }
      })
      for (let i = 0; i < 3; i++) {
        yield* call(hooked, hooked.hook, zitadelHeaders(hooked.secret, body, yield* seconds), body)
        yield* TestClock.adjust("10 seconds")
      }
      assert.strictEqual(hooked.sent.length, 1)
    })
  )

  it.effect("of Kratos survives five tries of its courier", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked("kratos")
      const body = JSON.stringify({ to: `+${phone}`, type: "login_code_valid", code })
      for (let i = 0; i < 5; i++) {
        yield* call(hooked, hooked.hook, { authorization: `Bearer ${hooked.secret}` }, body)
        yield* TestClock.adjust("20 seconds")
      }
      assert.strictEqual(hooked.sent.length, 1)
    })
  )

  it.effect("answers a limit in the form of its system, and names it in its list", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked()
      let last = yield* callSigned(hooked, sms({ uuid: "0" }))
      for (let i = 1; i < 30 && last.body === "{}"; i++) {
        yield* TestClock.adjust("1 minute")
        last = yield* callSigned(hooked, sms({ uuid: String(i), otp: String(100_000 + i) }))
      }
      assert.deepStrictEqual(
        [last.status, JSON.parse(last.body)],
        [200, { error: { http_code: 429, message: "refused: RateLimited" } }]
      )
      const [newest] = yield* requestsOf(hooked)
      assert.deepInclude(newest, {
        outcome: "REFUSED",
        errorCode: "RateLimited",
        recipients: ["+91******3210"],
        deliveryIds: []
      })
    })
  )

  it.effect("refuses a body that it cannot read in the words of its system", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked()
      for (const body of ["", "{", "[]", "null", '"x"', '{"sms":{}}', '{"sms":{"otp":"739164"}}', "\ufeff{}"]) {
        const answer = yield* callSigned(hooked, body)
        assert.strictEqual(JSON.parse(answer.body).error.http_code, 400, body)
      }
      const broken = new Uint8Array([0x7b, 0xff, 0x7d])
      const found = yield* hooked.hooks.find("supabase-sms", hooked.hook.id)
      const request = { header: () => undefined, body: broken }
      assert.strictEqual(
        yield* tagOf(hooked.hooks.receive(found, request, { address: () => address, describe: describeFailure })),
        "HookUnsigned"
      )
    })
  )

  it.effect("of a system without a form of its own fails with the refusal itself", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked("generic")
      const body = JSON.stringify({ identity: phone, code: "not a code" })
      assert.strictEqual(yield* tagOf(callSigned(hooked, body)), "InvalidField")
    })
  )
})

describe("the secret of a hook", () => {
  it.effect("is one that the sign-in system made, or a new one, and is shown only once", () =>
    Effect.gen(function* () {
      const { hooks, live, storage } = yield* makeHooked()
      const own = "v1,whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
      const { hook, secret } = yield* hooks.create(live, { kind: "supabase-sms", name: "Own", secret: own })
      assert.strictEqual(Redacted.value(secret), own)
      for (const listed of yield* hooks.list(live)) assert.notInclude(JSON.stringify(listed), own.slice(9, 30))
      assert.notInclude(JSON.stringify(yield* Context.get(storage, HookStore).get(hook.id)), own.slice(9, 30))
    })
  )

  it.effect("is valid for a day beside the next one, and then no longer", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked("supabase-sms", true)
      const { hooks, live } = hooked
      const { secret } = yield* hooks.rotateSecret(live, hooked.hook.id)
      const next = Redacted.value(secret)
      assert.notStrictEqual(next, hooked.secret)
      for (const valid of [hooked.secret, next]) {
        assert.strictEqual((yield* callSigned(hooked, sms({ uuid: valid }), valid)).status, 200)
      }
      yield* TestClock.adjust(day)
      assert.strictEqual(yield* tagOf(callSigned(hooked, sms({ uuid: "late" }), hooked.secret)), "HookUnsigned")
      assert.strictEqual((yield* callSigned(hooked, sms({ uuid: "next" }), next)).status, 200)
    })
  )

  it.effect("ends at once when it leaked", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked()
      assert.strictEqual((yield* callSigned(hooked)).status, 200)
      yield* hooked.hooks.rotateSecret(hooked.live, hooked.hook.id, { endOthers: true })
      assert.strictEqual(yield* tagOf(callSigned(hooked)), "HookUnsigned")
    })
  )

  it.effect("of Zitadel is replaced by the key that Zitadel returns when it learns the address", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked("zitadel-sms")
      const key = "zitadel_signing_key_0123"
      yield* hooked.hooks.rotateSecret(hooked.live, hooked.hook.id, { secret: key, endOthers: true })
      const body = JSON.stringify({
        contextInfo: { eventType: "user.human.phone.code.added", recipientPhoneNumber: `+${phone}` },
        args: { code: "A1B2C3" }
      })
      yield* call(hooked, hooked.hook, zitadelHeaders(key, body, yield* seconds), body)
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(
        hooked.sent.map((message) => message.code),
        ["A1B2C3"]
      )
    })
  )

  it.effect("is sealed under the current master secret again, so that the previous one can be removed", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const storage = yield* makeStorage
      const world = yield* makeWorld({ storage })
      const hooks = hooksOf(world)
      const { hook, secret } = yield* hooks.create(world.live, { kind: "generic", name: "Own" })
      yield* hooks.rotateSecret(world.live, hook.id)
      const store = Context.get(storage, HookStore)
      const before = yield* store.get(hook.id)
      yield* makeProcess(storage, { secret: secrets.second, previousSecrets: [secrets.first] })
      yield* until(Effect.map(Effect.orDie(store.get(hook.id)), (after) => after!.sealed !== before!.sealed))
      const later = yield* makeProcess(storage, { secret: secrets.second })
      const body = JSON.stringify({ identity: phone, code })
      const next = { hooks: hooksOf(later) }
      const headers = standardHeaders(Redacted.value(secret), body, "m", yield* seconds)
      assert.strictEqual((yield* call(next, hook, headers, body)).status, 200)
    })
  )
})

describe("the bounds of a hook", () => {
  it.effect("its address is unknown under another kind or id, and after it was deleted", () =>
    Effect.gen(function* () {
      const { hook, hooks, live } = yield* makeHooked()
      for (const [kind, id] of [
        ["supabase-email", hook.id],
        ["kratos", hook.id],
        ["constructor", hook.id],
        ["supabase-sms", `${hook.id.slice(0, -1)}x`],
        ["supabase-sms", ""],
        ["supabase-sms", "hok_"]
      ] as const) {
        assert.strictEqual(yield* tagOf(hooks.find(kind, id)), "UnknownHook", `${kind}/${id}`)
      }
      yield* hooks.remove(live, hook.id)
      assert.strictEqual(yield* tagOf(hooks.find("supabase-sms", hook.id)), "UnknownHook")
    })
  )

  it.effect("another environment can neither see, change nor delete it", () =>
    Effect.gen(function* () {
      const { hook, hooks, test } = yield* makeHooked()
      assert.deepStrictEqual(yield* hooks.list(test), [])
      for (const attempt of [
        hooks.rotateSecret(test, hook.id),
        hooks.remove(test, hook.id),
        hooks.requests(test, hook.id, { after: null, limit: 10 })
      ]) {
        assert.strictEqual(yield* tagOf<unknown, { readonly _tag: string }>(attempt), "UnknownHook")
      }
    })
  )

  it.effect("it sends for its own environment alone", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked()
      const other = yield* hooked.hooks.create(hooked.test, { kind: "supabase-sms", name: "Test" })
      const body = sms()
      const headers = standardHeaders(hooked.secret, body, "m", yield* seconds)
      assert.strictEqual(yield* tagOf(call(hooked, other.hook, headers, body)), "HookUnsigned")
      yield* callSigned(hooked)
      const [request] = yield* requestsOf(hooked)
      const store = Context.get(hooked.storage, VerificationStore)
      const [id] = request!.deliveryIds
      assert.isNotNull(yield* store.find(hooked.live.environment, id!))
      assert.isNull(yield* store.find(hooked.test.environment, id!))
    })
  )

  it.effect("a suspended merchant's hook sends nothing", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked()
      yield* hooked.merchants.setStatus(hooked.live.merchantId, "SUSPENDED")
      const answer = yield* callSigned(hooked)
      yield* TestClock.adjust(1)
      assert.strictEqual(JSON.parse(answer.body).error.http_code, 400)
      assert.deepStrictEqual(hooked.sent, [])
    })
  )

  it.effect("an environment has at most 50, and a name and a kind are checked", () =>
    Effect.gen(function* () {
      const { hooks, live } = yield* makeHooked()
      for (const fields of [
        { kind: "saml", name: "x" },
        { kind: "toString", name: "x" },
        { kind: "generic", name: " " },
        { kind: "generic", name: "x".repeat(81) },
        { kind: "generic", name: "a\nb" },
        { kind: "generic", name: "x", secret: "short" }
      ]) {
        assert.strictEqual(yield* tagOf(hooks.create(live, fields)), "InvalidField", JSON.stringify(fields))
      }
      for (let i = 1; i < 50; i++) yield* hooks.create(live, { kind: "generic", name: `n${i}` })
      assert.strictEqual(yield* tagOf(hooks.create(live, { kind: "generic", name: "one more" })), "InvalidField")
    })
  )
})

describe("the list of a hook", () => {
  it.effect("has the status of each delivery, and neither code nor number", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked()
      yield* callSigned(hooked)
      yield* TestClock.adjust(1)
      const [request] = yield* requestsOf(hooked)
      assert.deepInclude(request, {
        outcome: "SENT",
        signed: true,
        recipients: ["+91******3210"],
        deliveries: [{ id: request!.deliveryIds[0]!, deliveryStatus: "SENT" }]
      })
      const text = JSON.stringify(yield* requestsOf(hooked))
      for (const secret of [code, phone, "9876543210", hooked.secret]) assert.notInclude(text, secret)
    })
  )

  it.effect("names why a request was not signed, a few times an hour for each network", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked("supabase-sms", true)
      const body = sms()
      for (let i = 0; i < 100; i++) {
        yield* Effect.flip(call(hooked, hooked.hook, standardHeaders(hooked.secret, body, "m", 1_700_000_000), body))
      }
      yield* callSigned(hooked)
      const requests = yield* requestsOf(hooked)
      assert.strictEqual(requests.length, 6)
      const stranger = requests.find(({ signed }) => !signed)
      assert.include(stranger!.problem, "five minutes")
      assert.deepInclude(stranger, { outcome: "UNSIGNED", recipients: [], deliveries: [], errorCode: null })
      yield* TestClock.adjust("61 minutes")
      yield* Effect.flip(call(hooked, hooked.hook, {}, body))
      assert.strictEqual((yield* requestsOf(hooked)).length, 7)
    })
  )

  it.effect("keeps the newest of a flood, and is written without the request waiting for it", () =>
    Effect.gen(function* () {
      const hooked = yield* makeHooked("generic")
      const store = Context.get(hooked.storage, HookStore)
      const page = { environment: hooked.live.environment, hookId: hooked.hook.id, after: null, limit: 1_000 }
      const body = JSON.stringify({ identity: "x", code })
      for (let i = 0; i < 300; i++) yield* Effect.flip(callSigned(hooked, body))
      assert.strictEqual((yield* store.requests(page)).length, 0)
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* store.requests(page)).length, 100)
    })
  )

  it.effect("loses a request after 30 days", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const storage = yield* makeStorage
      const log = Context.get(yield* build(HookLog.layer.pipe(Layer.provide(Layer.succeedContext(storage)))), HookLog)
      const hook: Hook = {
        id: "hok_1",
        environment: "env_1",
        version: 1,
        kind: "generic",
        name: "Own",
        sealed: "",
        previous: [],
        createdAt: start
      }
      const page = { environment: "env_1", hookId: hook.id, after: null, limit: 10 }
      const noted = { recipients: [], deliveryIds: [], purpose: null, errorCode: null, problem: null }
      yield* log.signed(hook, { ...noted, outcome: "SENT" })
      yield* TestClock.adjust("29 days")
      assert.strictEqual((yield* log.list(page)).length, 1)
      yield* TestClock.adjust("3 days")
      assert.strictEqual((yield* log.list(page)).length, 0)
    })
  )
})

describe("the history of a hook", () => {
  it.effect("has who created, rotated and deleted it, and no secret", () =>
    Effect.gen(function* () {
      const { hook, hooks, live, secret, services } = yield* makeHooked()
      const { secret: next } = yield* hooks.rotateSecret(live, hook.id)
      yield* hooks.remove(live, hook.id)
      const entries = yield* Context.get(services, Audit).list(live, {}, { after: null, limit: 50 })
      const text = JSON.stringify(entries)
      for (const action of ["hook.created", "hook.secret_rotated", "hook.deleted"]) assert.include(text, action)
      assert.notInclude(text, secret)
      assert.notInclude(text, Redacted.value(next))
    })
  )
})

describe("trouble of the service", () => {
  it.effect("a provider that is away is no matter of the sign-in system: the code waits for it", () =>
    Effect.gen(function* () {
      const channel = recordingChannel("SMS", [unavailable("SMS", 1), accepted])
      const world = yield* makeWorld({ channels: [channel.channel] })
      const hooks = hooksOf(world)
      const { hook, secret } = yield* hooks.create(world.live, { kind: "supabase-sms", name: "Sign-in" })
      const body = sms()
      const headers = standardHeaders(Redacted.value(secret), body, "m", yield* seconds)
      assert.strictEqual((yield* call({ hooks }, hook, headers, body)).status, 200)
      yield* TestClock.adjust("1 minute")
      assert.isAtLeast(channel.received.length, 2)
    })
  )
})
