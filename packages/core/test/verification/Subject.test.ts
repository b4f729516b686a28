import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { Subject } from "../../src/index.storage.ts"
import { isSpent } from "../../src/data/erasure/limits.ts"
import { start } from "../fixtures/World.ts"

const Instants = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 4_000_000_000_000 }))
const Device = Schema.Struct({
  id: Schema.String,
  serial: Instants,
  keyId: Schema.String,
  replacedAt: Schema.Array(Instants),
  trustedAt: Instants,
  usedAt: Instants,
  label: Schema.NullOr(Schema.String)
})
const Guesses = Schema.Struct({ failures: Instants, failedAt: Instants })
const State = Schema.Struct({
  codes: Schema.Array(
    Schema.Struct({ spelling: Schema.String, path: Schema.Literals(["SERVER", "SDK"]), at: Schema.Array(Instants) })
  ),
  guesses: Schema.Struct({ SERVER: Guesses, SDK: Guesses }),
  live: Schema.Array(
    Schema.Struct({
      spelling: Schema.String,
      path: Schema.Literals(["SERVER", "SDK"]),
      mode: Schema.Literals(["OTP", "OAUTH", "MAGIC_LINK"]),
      id: Schema.String,
      expiresAt: Instants,
      command: Schema.NullOr(Schema.String)
    })
  ),
  devices: Schema.Struct({ trusted: Schema.Array(Device), revokedAt: Instants })
})

describe("the stored text of a person's state", () => {
  it.prop(
    "decodes to the same state, at the version and under the key that it is read with",
    [State, Schema.String, Schema.String, Schema.Int],
    ([state, environment, canonical, version]) => {
      const subject: Subject.Subject = { ...state, environment, canonical, version: 7 }
      const text = Subject.encode(subject)
      assert.deepStrictEqual(Subject.decode(environment, canonical, version, text), { ...subject, version })
      // The storage key names the person, so no stored text can claim another person.
      assert.containsAllKeys({ ...state }, Object.keys(JSON.parse(text)))
    },
    { arbitrary: { runs: 300 } }
  )

  it("omits wrong codes and devices when empty, and keeps a revocation alone", () => {
    const person = Subject.empty("env", "91")
    const keysOf = (subject: Subject.Subject) => Object.keys(JSON.parse(Subject.encode(subject))).toSorted()
    assert.deepStrictEqual(keysOf(person), ["codes", "live"])
    assert.deepStrictEqual(keysOf(Subject.guessedWrong(person, "SDK", start)), ["codes", "guesses", "live"])
    const revoked = Subject.withDevices(person, { trusted: [], revokedAt: start })
    assert.deepStrictEqual(keysOf(revoked), ["codes", "devices", "live"])
    for (const subject of [person, Subject.guessedWrong(person, "SDK", start), revoked])
      assert.deepStrictEqual(Subject.decode("env", "91", 0, Subject.encode(subject)), subject)
  })
})

describe("times more than an hour in the future", () => {
  const hour = 3_600_000
  const ahead = {
    ...Subject.empty("env", "919876543210"),
    codes: [{ spelling: "+919876543210", path: "SERVER" as const, at: [start + 1, start + hour + 1] }],
    guesses: { SERVER: { failures: 3, failedAt: start + hour + 1 }, SDK: { failures: 2, failedAt: start + hour } }
  }

  it("count toward no limit and lock no person, because the clock was set back", () => {
    const { canonical, spelling } = Subject.codesThisHour(ahead, "SERVER", "+919876543210", start)
    assert.deepStrictEqual([canonical, spelling], [[start + 1], [start + 1]])
    assert.strictEqual(Subject.failuresInARow(ahead, "SERVER", start), 0)
    assert.strictEqual(Subject.failuresInARow(ahead, "SDK", start), 2)
  })

  it("keep the person's row, because the query's time may be a day old", () => {
    const { codes, guesses } = Subject.empty("env", "919876543210")
    assert.isFalse(isSpent({ ...ahead, guesses }, start - hour))
    assert.isFalse(isSpent({ ...ahead, codes }, start - hour))
    const devices = { revokedAt: 0, trusted: [deviceAt(start + 2 * hour)] }
    assert.isFalse(isSpent({ ...ahead, codes, guesses, devices }, start, { longest: 90 * hour, unused: 90 * hour }))
    assert.isTrue(isSpent({ ...ahead, codes, guesses }, start))
  })
})

const deviceAt = (at: number) => ({
  id: "dvc_1",
  serial: 0,
  keyId: "key1",
  replacedAt: [],
  trustedAt: at,
  usedAt: at,
  label: null
})
