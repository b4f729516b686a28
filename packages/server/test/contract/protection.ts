import { hash } from "node:crypto"
import { assert, describe } from "vitest"
import { appOf } from "../fixture/App.ts"
import { refused, uuid } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import { until } from "../fixture/Until.ts"
import type { Once } from "./Once.ts"

const reasons = [
  "PREFIX_UNVERIFIED",
  "RANGE_UNVERIFIED",
  "COUNTRY_UNVERIFIED",
  "ADDRESS_UNVERIFIED",
  "DEVICE_UNVERIFIED",
  "COUNTRY_TOO_FAST",
  "ADJACENT_NUMBERS",
  "LINE_TYPE",
  "SIM_SWAPPED",
  "NUMBER_RECYCLED"
]

/** The guard against codes that nobody will enter, over HTTP. */
export const suite = (service: () => Service, once: Once) =>
  describe("protection", () => {
    const numberOf = (n: number) => `+99891234${String((n * 91) % 10_000).padStart(4, "0")}`

    once("records codes to a block of numbers that nobody enters, and refuses them once enforced", async () => {
      const { live, test } = await service().withOwner()
      const initiate = (n: number, client = live) =>
        client.initiate({ identity: numberOf(n), clientIp: `203.0.113.${n % 250}`, deviceId: `device-${n}` })
      for (let n = 0; n < 20; n++) assert.strictEqual((await initiate(n)).status, 200)
      const last = await initiate(20)
      assert.strictEqual(last.status, 200, last.text)
      const shown = await live.get(`/v1/dashboard/verifications/${last.body.requestId}`)
      assert.notStrictEqual(shown.body.guard.verdict, "allow")
      assert.strictEqual(shown.body.guard.reasons[0].reason, "PREFIX_UNVERIFIED")
      const first = await live.get("/v1/dashboard/verifications?guard=PREFIX_UNVERIFIED&limit=1")
      assert.strictEqual(first.body.items[0].requestId, last.body.requestId)

      const { reasons: seen, would } = (await live.get("/v1/dashboard/protection")).body
      // No code had a second reason.
      assert.deepStrictEqual(would, seen[0].would)
      assert.deepStrictEqual(
        seen.map(({ reason }: { reason: string }) => reason),
        reasons
      )
      assert.isAtLeast(seen[0].would.refused, 5)
      assert.deepInclude(seen[0], { enforced: false, refused: 0 })
      assert.deepInclude(seen[0].would, { typed: 0 })

      const enforced = await live.post("/v1/dashboard/protection/reasons/PREFIX_UNVERIFIED/enforce", {})
      assert.strictEqual(enforced.status, 204, enforced.text)
      const refusal = await initiate(30)
      assert.include([403, 429], refusal.status, refusal.text)
      assert.include(refusal.body.message, "PREFIX_UNVERIFIED")
      assert.deepStrictEqual(JSON.parse(decodeURIComponent(String(refusal.headers["x-problem"]))), {
        field: "identity",
        code: refusal.status === 403 ? "GUARD_REFUSED" : "GUARD_DELAYED",
        params: { reason: "PREFIX_UNVERIFIED" }
      })
      // The test environment is never judged, and another merchant has its own past.
      assert.strictEqual((await initiate(31, test)).status, 200)
      const stranger = (await service().withOwner()).live
      await stranger.post("/v1/dashboard/protection/reasons/PREFIX_UNVERIFIED/enforce", {})
      assert.strictEqual((await initiate(32, stranger)).status, 200)

      await live.settings({ safeList: ["99891234"] })
      assert.strictEqual((await initiate(33)).status, 200)
      await live.settings({ safeList: [] })
      const undone = await live.post("/v1/dashboard/protection/reasons/PREFIX_UNVERIFIED/undo", {})
      assert.strictEqual(undone.status, 204, undone.text)
      assert.strictEqual((await initiate(34)).status, 200)
    })

    once("stop a block of numbers, list and announce it, and let it through again for an admin alone", async () => {
      const { live, test } = await service().withOwner()
      const initiate = (n: number) => live.initiate({ identity: numberOf(n) })
      for (let n = 0; n < 30; n++) assert.strictEqual((await initiate(n)).status, 200)
      const trips = async (client = live) =>
        (await client.get("/v1/dashboard/protection")).body.trips.filter(
          ({ reason }: { reason: string }) => reason === "PREFIX_UNVERIFIED"
        )
      const [trip] = await until(trips, (found) => found.length === 1, { what: "the trip is stored" })
      assert.deepInclude(trip, { place: "99891234", enforced: false, typed: 0, cost: null })
      assert.isAbove(Date.parse(trip.until), Date.parse(trip.since))
      assert.deepStrictEqual(await trips(test), [])
      const events = await live.get("/v1/dashboard/events?type=guard.tripped")
      const event = events.body.items.find(({ data }: { data: { reason: string } }) => data.reason === trip.reason)
      assert.deepInclude(event.data, { place: "99891234", enforced: false, until: trip.until })

      await live.post("/v1/dashboard/protection/reasons/PREFIX_UNVERIFIED/enforce", {})
      assert.strictEqual((await initiate(100)).status, 403)
      const path = "/v1/dashboard/protection/trips/PREFIX_UNVERIFIED/99891234/let-through"
      // Another merchant has no such trip, and ends none.
      const stranger = (await service().withOwner()).live
      assert.strictEqual((await stranger.post(path, {})).status, 204)
      assert.strictEqual((await trips()).length, 1)
      assert.strictEqual((await live.post(path, { safe: true })).status, 204)
      assert.deepStrictEqual(await trips(), [])
      assert.deepStrictEqual((await live.get("/v1/dashboard/settings")).body.safeList, ["99891234"])
      assert.strictEqual((await initiate(101)).status, 200)
      const audit = await live.get("/v1/dashboard/audit?action=trip.ended")
      assert.strictEqual(audit.body.items[0].target.id, "PREFIX_UNVERIFIED 99891234")
      refused(await live.post(path.replace("PREFIX", "ADDRESS"), {}), "INVALID_REQUEST", "reason")
      const country = "/v1/dashboard/protection/trips/COUNTRY_UNVERIFIED/UZ/let-through"
      refused(await live.post(country, { safe: true }), "INVALID_REQUEST", "safe")
    })

    once("refuse messages above an hourly budget with the time to wait, and record why", async () => {
      const { live } = await service().withOwner()
      const changed = await live.settings({ hourlyLimitPerCountry: 2 })
      assert.strictEqual(changed.status, 200, changed.text)
      const initiate = (identity: string) => live.initiate({ identity })
      for (const n of [1, 2]) assert.strictEqual((await initiate(numberOf(n))).status, 200)
      const refusal = await initiate(numberOf(3))
      assert.strictEqual(refusal.status, 429, refusal.text)
      assert.strictEqual(refusal.body.errorCode, "RATE_LIMIT_EXCEEDED")
      assert.include(refusal.body.message, "hourlyLimitPerCountry")
      const wait = Number(refusal.headers["retry-after"])
      assert.isTrue(wait > 0 && wait <= 3_660, String(wait))
      assert.strictEqual((await initiate("+919876543210")).status, 200)
    })

    once("lets an app pass that solves a challenge, once, for its own number", async () => {
      const { live } = await service().withOwner()
      await live.settings({ guardEnforces: ["PREFIX_UNVERIFIED"], sdkInitiatesPerIpPerHour: 1_000 })
      const app = await appOf(live)
      let at = 0
      let refusal = await app.initiate({ phone: numberOf(at) })
      while (refusal.status === 200 && at < 60) refusal = await app.initiate({ phone: numberOf(++at) })
      assert.strictEqual(refusal.status, 429, refusal.text)
      assert.strictEqual(refusal.headers["retry-after"], "60")
      const { challenge, errorCode, message, requestId } = refusal.body
      assert.deepStrictEqual([errorCode, requestId], ["RATE_LIMIT_EXCEEDED", null])
      assert.match(message, /PREFIX_UNVERIFIED; try again in 60 seconds, or solve the challenge$/)
      const { difficulty, expiresAt, kind, token, ...nothing } = challenge
      assert.deepStrictEqual([kind, nothing], ["PROOF_OF_WORK", {}])
      assert.isAtLeast(difficulty, 65_536)
      assert.closeTo(Date.parse(expiresAt) - Date.now(), 180_000, 60_000)

      let n = 0
      while (Number.parseInt(hash("sha256", `${token}${n}`).slice(0, 8), 16) * difficulty >= 2 ** 32) n++
      const answer = { token, answer: String(n) }
      for (const [field, value] of [
        ["challenge", "w"],
        ["challenge.token", { answer: "1" }],
        ["challenge", { token, answer: "" }],
        ["challenge", { token, answer: "1 " }],
        ["challenge", { token: `${token.slice(0, -1)}0`, answer: String(n) }]
      ] as const)
        refused(await app.initiate({ phone: numberOf(at), challenge: value }), "INVALID_REQUEST", field)
      refused(await app.initiate({ phone: numberOf(at + 1), challenge: answer }), "INVALID_REQUEST", "challenge")

      // The repeat with an answer is the refused request, so it may keep its key, and so may a later one without it.
      const key = { "idempotency-key": uuid() }
      const sent = await app.initiate({ phone: numberOf(at), challenge: answer }, key)
      assert.strictEqual(sent.status, 200, sent.text)
      for (const body of [{ challenge: answer }, {}]) {
        const again = await app.initiate({ phone: numberOf(at), ...body }, key)
        assert.strictEqual(again.body.sessionId, sent.body.sessionId, again.text)
      }
      const used = await app.initiate({ phone: numberOf(at), challenge: answer })
      refused(used, "INVALID_REQUEST", "challenge")
      assert.include(used.body.message, "was used before")
    })

    once("name unknown reasons and invalid filters", async () => {
      const { live } = await service().withOwner()
      refused(await live.post("/v1/dashboard/protection/reasons/LUCK/enforce", {}), "INVALID_REQUEST", "reason")
      refused(await live.get("/v1/dashboard/verifications?guard=LUCK"), "INVALID_REQUEST", "guard")
      refused(await live.get("/v1/dashboard/protection?from=yesterday"), "INVALID_REQUEST", "from")
    })
  })
