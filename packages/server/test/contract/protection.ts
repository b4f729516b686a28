import { assert, describe } from "vitest"
import { refused } from "../fixture/Client.ts"
import type { Service } from "../fixture/Service.ts"
import type { Once } from "./Once.ts"

const reasons = [
  "PREFIX_UNVERIFIED",
  "RANGE_UNVERIFIED",
  "COUNTRY_UNVERIFIED",
  "ADDRESS_UNVERIFIED",
  "DEVICE_UNVERIFIED",
  "COUNTRY_TOO_FAST",
  "ADJACENT_NUMBERS"
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

    once("name unknown reasons and invalid filters", async () => {
      const { live } = await service().withOwner()
      refused(await live.post("/v1/dashboard/protection/reasons/LUCK/enforce", {}), "INVALID_REQUEST", "reason")
      refused(await live.get("/v1/dashboard/verifications?guard=LUCK"), "INVALID_REQUEST", "guard")
      refused(await live.get("/v1/dashboard/protection?from=yesterday"), "INVALID_REQUEST", "from")
    })
  })
