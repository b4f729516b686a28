import { assert, describe, it } from "@effect/vitest"
import { deviceIdAt } from "../fixtures/decisions.ts"
import { start } from "../fixtures/World.ts"
import * as Device from "../../src/auth/verification/Device.ts"

const second = 1000
const hour = 3600 * second
const day = 24 * hour
const life: Device.TrustLife = { longest: 90 * day, unused: 30 * day }
const made = { keyId: "key1", label: "Pixel 8", by: "CODE" } as const

const token = (id: string, serial = 0): Device.DeviceToken => ({ id, serial })
const id = deviceIdAt(start - hour)

/** A person with one device that a code made trusted at the start. */
const trusted = Device.trust(Device.none, token(id), made, life, start)

const stands = (devices: Device.Devices, given: Device.DeviceToken | null, now: number) =>
  Device.trustLevelOf(devices, given, life, now)._tag

/** Uses the device with its newest token, or with the given one. */
const useAt = (devices: Device.Devices, now: number, serial?: number, keyId = "key1") => {
  const device = devices.trusted.find((one) => one.id === id)!
  return Device.used(devices, device, token(id, serial ?? device.serial), keyId, now)
}

const only = ({ trusted }: Device.Devices) => {
  assert.strictEqual(trusted.length, 1)
  return trusted[0]!
}

describe("a token that no code has made trusted", () => {
  it("can make its device trusted within 24 hours after it was issued", () => {
    const issuedAt = start - hour
    assert.strictEqual(stands(Device.none, token(id), issuedAt), "Issued")
    assert.strictEqual(stands(Device.none, token(id), issuedAt + day - 1), "Issued")
    assert.strictEqual(stands(Device.none, token(id), issuedAt + day), "Unknown")
  })

  it("can make no device trusted when its serial is not the first, or when it is absent", () => {
    assert.strictEqual(stands(Device.none, token(id, 1), start), "Unknown")
    assert.strictEqual(stands(Device.none, null, start), "Unknown")
    assert.strictEqual(stands(trusted, null, start), "Unknown")
  })

  it("can make no device trusted when it was issued before a revocation, or in the same millisecond", () => {
    const { revokedAt } = Device.revoke(trusted, id, start)
    assert.strictEqual(revokedAt, start)
    for (const [issuedAt, worth] of [
      [start - hour, "Unknown"],
      [start - 1, "Unknown"],
      [start, "Unknown"],
      [start + 1, "Issued"]
    ] as const) {
      const other = token(deviceIdAt(issuedAt, 2))
      assert.strictEqual(stands({ trusted: [], revokedAt }, other, start + 2), worth)
    }
  })
})

describe("a device that a code made trusted", () => {
  it("is trusted immediately, under its name and its key", () => {
    assert.deepStrictEqual(trusted, {
      trusted: [
        { id, serial: 0, keyId: made.keyId, label: made.label, replacedAt: [], trustedAt: start, usedAt: start }
      ],
      revokedAt: 0
    })
    assert.deepStrictEqual(Device.trustLevelOf(trusted, token(id), life, start), {
      _tag: "Trusted",
      device: only(trusted)
    })
  })

  it("gets a new token with every use, which records the use but does not extend the trust past its limit", () => {
    const now = start + day
    assert.deepStrictEqual(useAt(trusted, now, 0, "key2"), {
      trusted: [{ id, serial: 1, keyId: "key2", label: "Pixel 8", replacedAt: [now], trustedAt: start, usedAt: now }],
      revokedAt: 0
    })
  })

  it("gets the same new token again when it repeats the previous one", () => {
    const once = useAt(trusted, start + day)
    const again = useAt(once, start + day + 59 * second, 0, "key2")
    assert.deepStrictEqual(only(again), { ...only(once), usedAt: start + day + 59 * second })
  })

  it("may repeat its previous token for 60 seconds, to the millisecond; a later use counts as theft", () => {
    const at = start + day
    const once = useAt(trusted, at)
    for (const [after, worth] of [
      [0, "Trusted"],
      [59_999, "Trusted"],
      [60_000, "Stolen"],
      [day, "Stolen"]
    ] as const) {
      assert.strictEqual(stands(once, token(id, 0), at + after), worth, `${after} ms`)
      assert.strictEqual(stands(once, token(id, 1), at + after), "Trusted")
    }
    // A use of the old token does not extend its grace period.
    assert.strictEqual(stands(useAt(once, at + 59_999, 0), token(id, 0), at + 60_000), "Stolen")
  })

  it("may repeat each replaced token for 60 seconds, however many tokens followed it", () => {
    const twice = useAt(useAt(trusted, start + 1), start + 30_000)
    assert.strictEqual(stands(twice, token(id, 0), start + 60_000), "Trusted")
    assert.strictEqual(stands(twice, token(id, 0), start + 60_001), "Stolen")
    assert.strictEqual(stands(twice, token(id, 1), start + 89_999), "Trusted")
    assert.strictEqual(stands(twice, token(id, 1), start + 90_000), "Stolen")
  })

  it("remembers the last twenty of many tokens replaced in one minute", () => {
    let devices = trusted
    for (let use = 0; use < 25; use++) devices = useAt(devices, start + use)
    assert.strictEqual(stands(devices, token(id, 5), start + 25), "Trusted")
    assert.strictEqual(stands(devices, token(id, 4), start + 25), "Stolen")
    assert.lengthOf(only(devices).replacedAt, 20)
  })

  it("rejects a token whose serial was not issued yet", () => {
    assert.strictEqual(stands(useAt(trusted, start), token(id, 2), start), "Unknown")
  })

  it("is trusted for at most 90 days after its code, however often it is used", () => {
    let devices = trusted
    for (let at = start; at < start + 90 * day; at += 10 * day) devices = useAt(devices, at)
    const { serial } = only(devices)
    assert.strictEqual(stands(devices, token(id, serial), start + 90 * day - 1), "Trusted")
    assert.strictEqual(stands(devices, token(id, serial), start + 90 * day), "Unknown")
    // Its old tokens are no theft after expiry: an attacker gains nothing by them.
    assert.strictEqual(stands(devices, token(id, 0), start + 90 * day), "Unknown")
  })

  it("is trusted 30 days after its last use and no longer", () => {
    assert.strictEqual(stands(trusted, token(id), start + 30 * day - 1), "Trusted")
    assert.strictEqual(stands(trusted, token(id), start + 30 * day), "Unknown")
    const again = useAt(trusted, start + 20 * day)
    assert.strictEqual(stands(again, token(id, 1), start + 50 * day - 1), "Trusted")
    assert.strictEqual(stands(again, token(id, 1), start + 50 * day), "Unknown")
  })

  it("starts 90 new days with a code, and keeps its token and its serial", () => {
    const used = useAt(trusted, start + 20 * day)
    const at = start + 40 * day
    const renewed = Device.trust(used, token(id, 1), { keyId: "key2", label: null, by: "CODE" }, life, at)
    assert.deepStrictEqual(only(renewed), { ...only(used), trustedAt: at, usedAt: at })
    const named = Device.trust(used, token(id, 1), { keyId: "key2", label: "Pixel 9", by: "CODE" }, life, at)
    assert.strictEqual(only(named).label, "Pixel 9")
    assert.strictEqual(stands(renewed, token(id, 1), at + 30 * day - 1), "Trusted")
  })

  it("cannot be trusted again by its first token once the trust has expired", () => {
    // The shortest trust lasts at least as long as its first token.
    const short: Device.TrustLife = { longest: day, unused: day }
    const devices = Device.trust(Device.none, token(deviceIdAt(start)), made, short, start)
    const first = token(deviceIdAt(start))
    assert.strictEqual(Device.trustLevelOf(devices, first, short, start + day)._tag, "Unknown")
    const other = Device.trust(devices, token(deviceIdAt(start + day, 2)), made, short, start + day)
    assert.deepStrictEqual(
      other.trusted.map((device) => device.id),
      [deviceIdAt(start + day, 2)]
    )
    assert.strictEqual(Device.trustLevelOf(other, first, short, start + day)._tag, "Unknown")
  })
})

describe("the trusted devices of one person", () => {
  const idOf = (n: number) => deviceIdAt(start, n)
  const trustMany = (numbers: ReadonlyArray<number>, from = Device.none) =>
    numbers.reduce((devices, n) => Device.trust(devices, token(idOf(n)), made, life, start + n), from)
  const idsOf = (devices: Device.Devices) => devices.trusted.map((device) => device.id).toSorted()

  it("number at most ten: an eleventh replaces the one with the oldest code", () => {
    const ten = trustMany([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    assert.strictEqual(ten.trusted.length, 10)
    assert.deepStrictEqual(idsOf(trustMany([11], ten)), [2, 3, 4, 5, 6, 7, 8, 9, 10, 11].map(idOf))
    // A use does not count as a code; another code does.
    const used = Device.used(ten, ten.trusted.find((one) => one.id === idOf(1))!, token(idOf(1)), "key1", start + 20)
    assert.notInclude(idsOf(trustMany([21], used)), idOf(1))
    const renewed = Device.trust(ten, token(idOf(1)), made, life, start + 20)
    assert.deepStrictEqual(idsOf(renewed), idsOf(ten))
    assert.deepStrictEqual(idsOf(trustMany([21], renewed)), [1, 3, 4, 5, 6, 7, 8, 9, 10, 21].map(idOf).toSorted())
  })

  it("number at most ten, however many are added", () => {
    assert.deepStrictEqual(
      idsOf(trustMany(Array.from({ length: 40 }, (_, i) => i))),
      Array.from({ length: 10 }, (_, i) => idOf(30 + i))
    )
  })

  it("lose expired devices first", () => {
    const later = start + 30 * day + 5
    // Trusted before all others, but used since.
    const ten = trustMany([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    const used = Device.used(ten, ten.trusted[0]!, token(idOf(1)), "key1", start + day)
    const next = Device.trust(used, token(deviceIdAt(later)), made, life, later)
    assert.deepStrictEqual(idsOf(next), [...[1, 6, 7, 8, 9, 10].map(idOf), deviceIdAt(later)])
    assert.deepStrictEqual(
      Device.trustedNow(used, life, later).map((device) => device.id),
      [1, 6, 7, 8, 9, 10].map(idOf)
    )
  })

  it("are independent: a theft revokes one family and every token issued until then", () => {
    const two = trustMany([1, 2])
    const revoked = Device.revoke(two, idOf(1), start + 60 * second)
    assert.deepStrictEqual(revoked, { trusted: [two.trusted[1]!], revokedAt: start + 60 * second })
    const worth = (given: Device.DeviceToken) => stands(revoked, given, start + 61 * second)
    assert.deepStrictEqual(
      [worth(token(idOf(1))), worth(token(idOf(1), 1)), worth(token(idOf(2))), worth(token(idOf(3)))],
      ["Unknown", "Unknown", "Trusted", "Unknown"]
    )
  })

  it("are revoked for good, also twice in one millisecond and with a token issued between", () => {
    const first = Device.revoke(trustMany([1]), idOf(1), start + 5)
    const between = token(deviceIdAt(Device.issuedAt(first, start + 5), 2))
    assert.strictEqual(stands(first, between, start + 5), "Issued")
    const again = Device.revoke(Device.trust(first, between, made, life, start + 5), between.id, start + 5)
    assert.strictEqual(stands(again, between, start + 5), "Unknown")
    const after = token(deviceIdAt(Device.issuedAt(again, start + 5), 3))
    assert.strictEqual(stands(again, after, start + 5), "Issued")
  })

  it("expire at the earlier of the two limits, and a shorter setting applies immediately", () => {
    const device = only(trusted)
    assert.strictEqual(Device.trustEndsAt(device, life), start + 30 * day)
    assert.strictEqual(Device.trustEndsAt(device, { longest: 7 * day, unused: 30 * day }), start + 7 * day)
    assert.strictEqual(stands(trusted, token(id), start + 8 * day), "Trusted")
    const shorter: Device.TrustLife = { longest: 7 * day, unused: 30 * day }
    assert.strictEqual(Device.trustLevelOf(trusted, token(id), shorter, start + 8 * day)._tag, "Unknown")
  })
})

describe("trust that was made or used more than an hour in the future", () => {
  it("is ignored without being called a theft, because the clock was set back", () => {
    const ahead = Device.trust(Device.none, token(id), made, life, start + 2 * hour)
    assert.strictEqual(stands(ahead, token(id), start), "Unknown")
    assert.deepStrictEqual(Device.trustedNow(ahead, life, start), [])
    assert.strictEqual(stands(ahead, token(id), start + hour), "Trusted")
    assert.strictEqual(stands(useAt(trusted, start + 2 * hour), token(id), start), "Unknown")
  })
})
