import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { initiate } from "../../src/index.ts"
import { Subject } from "../../src/index.storage.ts"
import { commandWith, settingsWith, written } from "../fixtures/decisions.ts"
import { isSpent } from "../../src/erasure/limits.ts"
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

describe("a person's state as text", () => {
  it.prop(
    "reads back as it was, at the version and under the key it is read with",
    [State, Schema.String, Schema.String, Schema.Int],
    ([state, environment, canonical, version]) => {
      const subject: Subject.Subject = { ...state, environment, canonical, version: 7 }
      const text = Subject.encode(subject)
      assert.deepStrictEqual(Subject.decode(environment, canonical, version, text), { ...subject, version })
      // Whose it is, is the key it is kept under: no text can say that it is somebody else's.
      assert.containsAllKeys({ ...state }, Object.keys(JSON.parse(text)))
    },
    { arbitrary: { runs: 300 } }
  )

  it("leaves out wrong codes and devices while there are none, and keeps all of one that there is", () => {
    const person = Subject.empty("env", "91")
    const keysOf = (subject: Subject.Subject) => Object.keys(JSON.parse(Subject.encode(subject))).toSorted()
    assert.deepStrictEqual(keysOf(person), ["codes", "live"])
    assert.deepStrictEqual(keysOf(Subject.guessedWrong(person, "SDK", start)), ["codes", "guesses", "live"])
    const revoked = Subject.withDevices(person, { trusted: [], revokedAt: start })
    assert.deepStrictEqual(keysOf(revoked), ["codes", "devices", "live"])
    for (const subject of [person, Subject.guessedWrong(person, "SDK", start), revoked])
      assert.deepStrictEqual(Subject.decode("env", "91", 0, Subject.encode(subject)), subject)
  })

  it("that was written when both paths shared one count of wrong codes counts them on either path", () => {
    const subject = Subject.decode("env", "91", 4, JSON.stringify({ failures: 3, failedAt: start - 500 }))
    assert.deepStrictEqual(
      ["SERVER", "SDK"].map((path) => Subject.failuresInARow(subject, path as "SERVER" | "SDK", start)),
      [3, 3]
    )
    const written = JSON.parse(Subject.encode(Subject.guessedWrong(subject, "SDK", start)))
    assert.deepStrictEqual(written.guesses, {
      SERVER: { failures: 3, failedAt: start - 500 },
      SDK: { failures: 4, failedAt: start }
    })
    assert.doesNotHaveAnyKeys(written, ["failures", "failedAt"])
  })

  it("that was written before persons had devices has none", () => {
    const before = {
      codes: [{ spelling: "9876543210", path: "SERVER", at: [start - 1000] }],
      failures: 3,
      failedAt: start - 500,
      live: [{ spelling: "9876543210", path: "SERVER", mode: "OTP", id: "ver_0", expiresAt: start + 1000 }]
    }
    const subject = Subject.decode("env", "919876543210", 4, JSON.stringify(before))
    assert.deepStrictEqual(subject.devices, { trusted: [], revokedAt: 0 })
    assert.deepStrictEqual([subject.version, subject.guesses.SERVER.failures, subject.codes], [4, 3, before.codes])
    assert.strictEqual(
      Subject.liveOf(subject, { spelling: "9876543210", mode: "OTP", login: null, command: null }, start)?.id,
      "ver_0"
    )
    assert.isUndefined(Subject.startedBy(subject, "c1", start))
    const settings = settingsWith({ oneTap: true })
    const next = written(initiate(subject, null, commandWith(), settings, start)).subject
    const again = Subject.decode("env", "919876543210", 5, Subject.encode(next))
    assert.deepStrictEqual(again, { ...next, version: 5 })
  })

  it("that was written before there was anything is that of a stranger", () => {
    assert.deepStrictEqual(Subject.decode("env", "91", 1, "{}"), { ...Subject.empty("env", "91"), version: 1 })
  })
})

describe("instants more than an hour ahead of now", () => {
  const hour = 3_600_000
  const ahead = {
    ...Subject.empty("env", "919876543210"),
    codes: [{ spelling: "+919876543210", path: "SERVER" as const, at: [start + 1, start + hour + 1] }],
    guesses: { SERVER: { failures: 3, failedAt: start + hour + 1 }, SDK: { failures: 2, failedAt: start + hour } }
  }

  it("count toward no limit and keep nobody locked, because a clock has been set right since", () => {
    const { canonical, spelling } = Subject.codesThisHour(ahead, "SERVER", "+919876543210", start)
    assert.deepStrictEqual([canonical, spelling], [[start + 1], [start + 1]])
    assert.strictEqual(Subject.failuresInARow(ahead, "SERVER", start), 0)
    assert.strictEqual(Subject.failuresInARow(ahead, "SDK", start), 2)
  })

  it("keep the person's row, because the time asked about may be a day ago", () => {
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
