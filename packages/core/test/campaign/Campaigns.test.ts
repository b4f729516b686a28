import { assert, describe, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { TestClock } from "effect/testing"
import { type Caller, Campaigns, OptOuts, type Settings, Templates } from "../../src/index.ts"
import type { Channel } from "../../src/index.channel.ts"
import { AuditStore, type Campaign, CampaignStore, type Storage, StoreError } from "../../src/index.storage.ts"
import { checkRoom, mostUnfinished, mostUnwritten, mostWaiting } from "../../src/engagement/campaign/checkRoom.ts"
import { RequestKey } from "../../src/foundation/outbox/RequestKey.ts"
import { makeProcess, makeStorage, makeWorld, start, withSettings, type World } from "../fixtures/World.ts"
import type { CampaignRequest } from "../../src/engagement/campaign/checkCampaign.ts"
import type { TemplateFields } from "../../src/message/template/templateFields.ts"

const campaignsOf = (w: Pick<World, "services">) => Context.get(w.services, Campaigns)

const body = "Hi {{name}}, {{brand}} has an offer for you."
const sms: TemplateFields = { name: "offer", channel: "SMS", purpose: "MESSAGE", body }

const numberOf = (n: number) => `+9198${String(10_000_000 + n)}`
const listOf = (count: number) =>
  `phone,name\n${Array.from({ length: count }, (_, n) => `${numberOf(n)},Person ${n}`).join("\n")}\n`

const request = (more: Partial<CampaignRequest> = {}): CampaignRequest => ({
  name: "Diwali",
  channel: "SMS",
  template: "offer",
  csv: listOf(3),
  ...more
})

const failure = <A, E extends { readonly _tag: string }, R>(effect: Effect.Effect<A, E, R>) => Effect.flip(effect)

/** A process without background work, so that campaigns keep their initial state, and a template. */
const world = Effect.fnUntraced(function* (
  options: { readonly channels?: ReadonlyArray<Channel>; readonly storage?: Context.Context<Storage> } = {}
) {
  const w = yield* makeWorld({ idle: true, ...options })
  yield* Context.get(w.services, Templates).create(w.test, sms)
  return w
})

const recipientsOf = (w: World, caller: Caller, id: string) =>
  campaignsOf(w).recipients(caller, id, { status: null, after: 0, limit: 10_000 })

const person = (caller: Caller, role: "VIEWER" | "AGENT" | "ADMIN", agentId = 1): Caller => ({
  ...caller,
  person: {
    agentId,
    email: "a@example.com",
    role,
    sessionId: "ses",
    era: 1,
    emailProven: true,
    needsPasskey: false,
    freshUntil: start
  }
})

const uuid = "9b2f5c1e-6f0a-4d0b-9a53-0d5c3f1e7a11"

describe("the limits on campaigns", () => {
  it("allow a million waiting recipients", () => {
    const room = (waiting: number, total: number) => checkRoom({ campaigns: 1, waiting, unwritten: waiting }, total)
    assert.isNull(room(mostWaiting - 3, 3))
    assert.include(room(mostWaiting - 3, 4)?.problem, "other campaigns have 999997 waiting recipients")
  })

  it("allow five million unsent recipients, so that cancelled lists cannot fill the disk", () => {
    const room = (unwritten: number, total: number) => checkRoom({ campaigns: 0, waiting: 0, unwritten }, total)
    assert.isNull(room(mostUnwritten - 3, 3))
    assert.include(room(mostUnwritten - 3, 4)?.problem, "hold 4999997 recipients without a message")
  })

  it.effect("count the recipients of cancelled campaigns", () =>
    Effect.gen(function* () {
      const w = yield* world()
      const campaigns = campaignsOf(w)
      const { room } = Context.get(w.storage, CampaignStore)
      const { campaign } = yield* campaigns.create(w.test, request({ startAt: "2030-01-08T10:00:00Z" }), null)
      yield* campaigns.cancel(w.test, campaign.id)
      assert.deepStrictEqual(yield* room(w.test.environment), { campaigns: 0, waiting: 0, unwritten: campaign.total })
    })
  )

  it.effect("allow 200 unfinished campaigns: the next is refused until one is cancelled", () =>
    Effect.gen(function* () {
      const w = yield* world()
      const campaigns = campaignsOf(w)
      const create = campaigns.create(w.test, request({ startAt: "2030-01-08T10:00:00Z" }), null)
      const [first] = yield* Effect.replicateEffect(create, mostUnfinished)
      const refused = yield* failure(create)
      assert.deepInclude(refused, { _tag: "InvalidField", field: "startAt" })
      yield* campaigns.cancel(w.test, first!.campaign.id)
      yield* create
    })
  )
})

describe("campaigns", () => {
  it.effect("have each recipient of the list once, with their values, and the actor who created them", () =>
    Effect.gen(function* () {
      const w = yield* world()
      const caller = withSettings(w.test, { brand: "Acme" })
      const csv = `phone,name,city\n+919810000001,Asha,Pune\n98100 00001,Twice,Pune\n${numberOf(2)},"Ravi, Jr",Goa\n`
      const { campaign, progress } = yield* campaignsOf(w).create(caller, request({ csv }), null)
      assert.deepInclude(campaign, {
        name: "Diwali",
        channel: "SMS",
        status: "RUNNING",
        total: 2,
        run: 1,
        createdAt: start
      })
      assert.deepInclude(progress, { PENDING: 2, SENT: 0 })
      const found = yield* recipientsOf(w, caller, campaign.id)
      assert.deepStrictEqual(
        found.map(({ number, phone, values }) => [number, phone, values]),
        [
          [2, "+919810000001", ["Asha", "Acme"]],
          [4, numberOf(2), ["Ravi, Jr", "Acme"]]
        ]
      )
      const entries = yield* Context.get(w.storage, AuditStore).list(
        { merchantId: caller.merchantId },
        { after: null, limit: 10 }
      )
      assert.deepInclude(
        entries.find(({ action }) => action === "campaign.created"),
        { actor: caller.actor, target: { kind: "campaign", id: campaign.id } }
      )
      assert.deepStrictEqual(yield* campaignsOf(w).get(caller, campaign.id), { campaign, progress })
      assert.deepStrictEqual(yield* campaignsOf(w).list(caller, { before: null, limit: 10 }), [{ campaign, progress }])
    })
  )

  it.effect("are stored in pages of recipients, and stay invisible until the last page is stored", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const store = Context.get(storage, CampaignStore)
      let pages = 0
      let most = 0
      let stopAt = 2
      const broken = CampaignStore.of({
        ...store,
        addRecipients: (rows) => {
          most = Math.max(most, rows.length)
          return ++pages === stopAt
            ? Effect.fail(new StoreError({ operation: "addRecipients", cause: null }))
            : store.addRecipients(rows)
        }
      })
      const w = yield* world({ storage: Context.add(storage, CampaignStore, broken) })
      const many = request({ csv: listOf(5_000) })
      assert.strictEqual((yield* failure(campaignsOf(w).create(w.test, many, uuid)))._tag, "StoreError")
      assert.deepStrictEqual(yield* campaignsOf(w).list(w.test, { before: null, limit: 10 }), [])
      stopAt = 0
      const { campaign } = yield* campaignsOf(w).create(w.test, many, uuid)
      const found = yield* recipientsOf(w, w.test, campaign.id)
      assert.deepStrictEqual(
        found.map(({ number, phone }) => [number, phone]),
        Array.from({ length: 5_000 }, (_, n) => [n + 2, numberOf(n)])
      )
      assert.isAtMost(most, 2_000)
      assert.strictEqual((yield* campaignsOf(w).list(w.test, { before: null, limit: 10 })).length, 1)
    })
  )

  it.effect("are created once for an idempotency key of one person, across concurrent requests and processes", () =>
    Effect.gen(function* () {
      const w = yield* world()
      const other = yield* makeProcess(w.storage, { idle: true })
      const ask = (process: Pick<World, "services">, caller: Caller, key: string | null) =>
        Effect.map(campaignsOf(process).create(caller, request(), key), ({ campaign }) => campaign.id)
      const asked = Array.from({ length: 10 }, (_, n) => ask(n % 2 === 0 ? w : other, w.test, uuid))
      const ids = yield* Effect.all(asked, { concurrency: "unbounded" })
      assert.strictEqual(new Set(ids).size, 1)
      // The repeat after a crash does not depend on the template.
      yield* TestClock.adjust("30 hours")
      const templates = Context.get(w.services, Templates)
      for (const { head } of yield* templates.list(w.test, { after: null, limit: 10 })) {
        yield* templates.remove(w.test, head.id)
      }
      assert.strictEqual(yield* ask(w, w.test, uuid), ids[0])
      yield* templates.create(w.test, sms)
      const others = [yield* ask(w, person(w.test, "ADMIN", 1), uuid), yield* ask(w, person(w.test, "ADMIN", 2), uuid)]
      assert.strictEqual(new Set([...ids, ...others, yield* ask(w, w.test, null)]).size, 4)
    })
  )

  it.effect("are checked before anything is stored, in a fixed order", () =>
    Effect.gen(function* () {
      const w = yield* world()
      const templates = Context.get(w.services, Templates)
      yield* templates.create(w.test, { name: "code", channel: "SMS", body: "{{code}}" })
      yield* templates.create(w.test, { ...sms, name: "plain", body: "Hi {{name}}" })
      const nameless = withSettings(w.test, { brand: "" })
      // In the order of the checks: each request also has all the faults below it.
      const faults: ReadonlyArray<[Partial<CampaignRequest>, string]> = [
        [{ name: "" }, "InvalidField"],
        [{ channel: "EMAIL" }, "InvalidChannel"],
        [{ template: "none" }, "NOT_FOUND"],
        [{ template: "code" }, "INVALID"],
        [{ template: "offer" }, "INCOMPLETE"],
        [{ template: "plain", csv: "phone,name\n1,\n" }, "InvalidCsv"]
      ]
      for (const [place, [, expected]] of faults.entries()) {
        const all = faults.slice(place).reduceRight((sum, [more]) => ({ ...sum, ...more }), {})
        const error = yield* failure(campaignsOf(w).create(nameless, request(all), uuid))
        assert.strictEqual(error._tag === "TemplateUnusable" ? error.fault : error._tag, expected)
      }
      const error = yield* failure(
        campaignsOf(w).create(w.test, request({ csv: "phone,name\n+919810000001,A\n1,B\n2,C" }), null)
      )
      assert.deepInclude(error, { _tag: "InvalidCsv", more: 1 })
      assert.match(error._tag === "InvalidCsv" ? error.problem : "", /^line 3, column phone: /)
      assert.deepStrictEqual(yield* campaignsOf(w).list(w.test, { before: null, limit: 10 }), [])
    })
  )

  it.effect("in live need a channel that carries them, and a price where they are paid for", () =>
    Effect.gen(function* () {
      const channel: Channel = {
        name: "SMS",
        provider: "wires",
        supports: { identityTypes: ["MOBILE"], receipts: true, kinds: ["Code", "Text"] },
        send: () => Effect.succeed({ providerId: null })
      }
      const w = yield* makeWorld({ idle: true, channels: [channel, { ...channel, name: "WHATSAPP" }] })
      const templates = Context.get(w.services, Templates)
      yield* templates.create(w.live, sms)
      const create = (settings: Partial<Settings>, more: Partial<CampaignRequest> = {}) =>
        campaignsOf(w).create(withSettings(w.live, settings), request(more), null)
      assert.strictEqual((yield* failure(create({}, { channel: "WHATSAPP" })))._tag, "InvalidChannel")
      const unpaid = yield* failure(create({ billing: "PREPAID" }))
      assert.deepInclude(unpaid, { _tag: "PaymentRequired", why: "NO_PRICE" })
      // Faults in the list are reported first.
      assert.strictEqual((yield* failure(create({ billing: "PREPAID" }, { csv: "x" })))._tag, "InvalidCsv")
      assert.strictEqual((yield* create({ billing: "PREPAID", prices: { SMS: 20 } })).campaign.status, "RUNNING")
    })
  )

  it.effect(
    "can be checked in a dry run, which reports problems, skipped recipients and cost and creates nothing",
    () =>
      Effect.gen(function* () {
        const w = yield* world()
        yield* Context.get(w.services, OptOuts).add(w.test, numberOf(1))
        const csv = `${listOf(3)}${numberOf(0)},Again\n+91981,Wrong\n+919810000009,\n`
        const tried = yield* campaignsOf(w).dryRun(
          w.test,
          request({ csv: csv.replace("phone,", "phone,other,").replaceAll(/(\d),/g, "$1,x,") })
        )
        assert.deepInclude(tried, {
          total: 3,
          duplicates: 1,
          invalidTotal: 2,
          unused: ["other"],
          optedOut: 1,
          cost: null,
          currency: "INR"
        })
        assert.deepStrictEqual(
          tried.invalid.map(({ column, line }) => [line, column]),
          [
            [6, "phone"],
            [7, "name"]
          ]
        )
        const priced = withSettings(w.test, {
          prices: { SMS: { default: 20, prefixes: { [numberOf(2).slice(1)]: 35 } } }
        })
        const { cost, segments } = yield* campaignsOf(w).dryRun(priced, request({ csv }))
        assert.deepStrictEqual([cost, segments], [55, { total: 3, most: 1 }])
        assert.deepStrictEqual(yield* campaignsOf(w).list(w.test, { before: null, limit: 10 }), [])
      })
  )

  it.effect("leave out invalid lines when asked to, number the others by the file's lines, and remember how many", () =>
    Effect.gen(function* () {
      const w = yield* world()
      const csv = `phone,name\n98123,Asha\n${numberOf(1)},\n${numberOf(2)},Ravi\n${numberOf(1)},Kiran\nx,\n`
      assert.strictEqual((yield* failure(campaignsOf(w).create(w.test, request({ csv }), null)))._tag, "InvalidCsv")
      const { campaign } = yield* campaignsOf(w).create(w.test, request({ csv, skipInvalid: true }), null)
      assert.deepInclude(campaign, { total: 1, skippedLines: 3 })
      assert.deepStrictEqual((yield* campaignsOf(w).get(w.test, campaign.id)).campaign.skippedLines, 3)
      assert.deepStrictEqual(
        (yield* recipientsOf(w, w.test, campaign.id)).map(({ number, phone }) => [number, phone]),
        [[4, numberOf(2)]]
      )
      // A list without a valid line, and one whose header is wrong, are refused all the same.
      for (const wrong of ["phone,name\n98123,Asha\n", `phone,city\n${numberOf(1)},Pune\n`]) {
        const refused = failure(campaignsOf(w).create(w.test, request({ csv: wrong, skipInvalid: true }), null))
        assert.strictEqual((yield* refused)._tag, "InvalidCsv")
      }
    })
  )

  it.effect("are shown to a repeat with the result of its first try, even if that finished during the repeat", () =>
    Effect.gen(function* () {
      const storage = yield* makeStorage
      const store = Context.get(storage, CampaignStore)
      let before: Campaign | null = null
      const late = CampaignStore.of({
        ...store,
        get: (environment, id) => {
          const stale = before
          before = null
          return stale === null ? store.get(environment, id) : Effect.succeed(stale)
        }
      })
      const w = yield* world({ storage: Context.add(storage, CampaignStore, late) })
      const campaigns = campaignsOf(w)
      const { campaign } = yield* campaigns.create(w.test, request({ startAt: "2030-01-08T10:00:00Z" }), null)
      const cancel = (isRepeat: boolean) =>
        Effect.provideService(campaigns.cancel(w.test, campaign.id), RequestKey, {
          firstAt: start,
          isRepeat,
          derive: () => new Uint8Array(32)
        })
      yield* cancel(false)
      before = campaign
      assert.strictEqual((yield* cancel(true)).campaign.status, "CANCELLED")
    })
  )

  it.effect("are paused, resumed and cancelled once each, with the actor audited", () =>
    Effect.gen(function* () {
      const w = yield* world()
      const campaigns = campaignsOf(w)
      const { id } = (yield* campaigns.create(w.test, request({ startAt: "2030-01-08T10:00:00Z" }), null)).campaign
      const statusOf = (step: "pause" | "resume" | "cancel") =>
        Effect.map(
          Effect.andThen(TestClock.adjust("1 millis"), campaigns[step](w.test, id)),
          ({ campaign }) => campaign.status
        )
      assert.strictEqual(yield* statusOf("pause"), "PAUSED")
      assert.strictEqual(yield* statusOf("pause"), "PAUSED")
      assert.strictEqual(yield* statusOf("resume"), "SCHEDULED")
      assert.strictEqual(yield* statusOf("cancel"), "CANCELLED")
      assert.strictEqual(yield* statusOf("cancel"), "CANCELLED")
      assert.deepInclude(yield* failure(statusOf("resume")), {
        _tag: "CampaignOver",
        status: "CANCELLED",
        wish: "resumed"
      })
      const entries = yield* Context.get(w.storage, AuditStore).list(
        { merchantId: w.test.merchantId },
        { after: null, limit: 100 }
      )
      assert.deepStrictEqual(
        entries.flatMap(({ action, to }) => (action.startsWith("campaign.") ? [[action, to?.["status"] ?? null]] : [])),
        [
          ["campaign.cancelled", "CANCELLED"],
          ["campaign.resumed", "SCHEDULED"],
          ["campaign.paused", "PAUSED"],
          ["campaign.created", null]
        ]
      )
      // All of 20 concurrent requests get an answer, and one of them makes the change.
      const again = (yield* campaigns.create(w.test, request(), null)).campaign.id
      const all = yield* Effect.all(
        Array.from({ length: 20 }, () => campaigns.pause(w.test, again)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual([...new Set(all.map(({ campaign }) => campaign.version))], [2])
    })
  )

  it.effect("belong to one environment, and show a VIEWER masked numbers", () =>
    Effect.gen(function* () {
      const w = yield* world()
      const campaigns = campaignsOf(w)
      const csv = "phone,name\n+919876543210,Call 98765 43210\n"
      const { id } = (yield* campaigns.create(w.test, request({ csv }), null)).campaign
      for (const caller of [w.live, { ...w.test, environment: "other" }]) {
        for (const call of [campaigns.get(caller, id), campaigns.pause(caller, id), recipientsOf(w, caller, id)]) {
          assert.strictEqual((yield* failure<unknown, { readonly _tag: string }, never>(call))._tag, "UnknownCampaign")
        }
      }
      const seen = (caller: Caller) => Effect.map(recipientsOf(w, caller, id), ([one]) => [one?.phone, one?.values[0]])
      assert.deepStrictEqual(yield* seen(person(w.test, "AGENT")), ["+919876543210", "Call 98765 43210"])
      assert.deepStrictEqual(yield* seen(person(w.test, "VIEWER")), ["+91******3210", "Call 98****3210"])
    })
  )
})
