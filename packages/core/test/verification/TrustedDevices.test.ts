import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { deviceIdAt } from "../fixtures/decisions.ts"
import { contended, withStore } from "../fixtures/FaultyStore.ts"
import { ask, login, way } from "../fixtures/logins.ts"
import { indian, makeProcess, makeWorld, start, withSettings } from "../fixtures/World.ts"

const day = 24 * 3_600_000

const world = Effect.gen(function* () {
  const made = yield* makeWorld({ idle: true })
  return { ...made, on: withSettings(made.live, { oneTap: true }), onTest: withSettings(made.test, { oneTap: true }) }
})

const idOf = (token: string) => token.slice(0, 30)

describe("trusted devices", () => {
  it.effect("are listed under every spelling, the latest used first, with the expiry of their trust", () =>
    Effect.gen(function* () {
      const w = yield* world
      const first = yield* login(w, w.on)
      yield* TestClock.setTime(start + day)
      const second = yield* login(w, w.on)
      yield* TestClock.setTime(start + 2 * day)
      yield* ask(w, w.on, first.token)
      for (const spelling of [indian, "9876543210", "91 98765-43210"]) {
        const devices = yield* w.devices.list(w.on, spelling)
        assert.deepStrictEqual(
          devices.map(({ id, trustEndsAt, trustedAt, usedAt }) => ({ id, trustedAt, usedAt, trustEndsAt })),
          [
            { id: idOf(first.token), trustedAt: start, usedAt: start + 2 * day, trustEndsAt: start + 32 * day },
            { id: idOf(second.token), trustedAt: start + day, usedAt: start + day, trustEndsAt: start + 31 * day }
          ]
        )
      }
      yield* TestClock.setTime(start + 31 * day)
      assert.deepStrictEqual(
        (yield* w.devices.list(w.on, indian)).map(({ id }) => id),
        [idOf(first.token)]
      )
    })
  )

  it.effect("include neither devices with an untrusted token, nor those of another person", () =>
    Effect.gen(function* () {
      const w = yield* world
      yield* ask(w, w.on, null)
      yield* login(w, w.on, null, "9876543211")
      assert.deepStrictEqual(yield* w.devices.list(w.on, indian), [])
      assert.deepStrictEqual(yield* w.devices.list(w.onTest, "9876543211"), [])
      assert.deepStrictEqual(yield* w.devices.list(w.on, "nobody@example.com"), [])
      const refused = yield* Effect.flip(w.devices.list(w.on, "not a number"))
      assert.deepStrictEqual([refused._tag, "field" in refused && refused.field], ["InvalidField", "identity"])
    })
  )

  it.effect("number at most ten", () =>
    Effect.gen(function* () {
      const w = yield* world
      const many = withSettings(w.on, { hourlyLimit: 100 })
      const tokens: Array<string> = []
      for (let i = 0; i < 12; i++) {
        yield* TestClock.setTime(start + i)
        tokens.push((yield* login(w, many)).token)
      }
      assert.deepStrictEqual(
        (yield* w.devices.list(many, indian)).map(({ id }) => id).toSorted(),
        tokens.slice(2).map(idOf).toSorted()
      )
      assert.strictEqual(way(yield* ask(w, many, tokens[1]!)), "code")
      assert.strictEqual(way(yield* ask(w, many, tokens[2]!)), "onetap")
      // The store may still know the token's person, but no person trusts this device now.
      assert.strictEqual((yield* Effect.flip(w.devices.revoke(many, idOf(tokens[1]!))))._tag, "UnknownDevice")
    })
  )

  it.effect("need a code once they are revoked, as do all devices with tokens issued before", () =>
    Effect.gen(function* () {
      const w = yield* world
      const [one, two] = [yield* login(w, w.on), yield* login(w, w.on)]
      const issued = (yield* ask(w, w.on, null)).deviceToken
      yield* w.devices.revoke(w.on, idOf(one.token))
      assert.strictEqual(way(yield* ask(w, w.on, one.token)), "code")
      assert.notStrictEqual((yield* ask(w, w.on, issued)).deviceToken, issued)
      assert.strictEqual(way(yield* ask(w, w.on, two.token)), "onetap")
      assert.strictEqual((yield* Effect.flip(w.devices.revoke(w.on, idOf(one.token))))._tag, "UnknownDevice")
      // A login in the same millisecond makes the device trusted again.
      const again = yield* login(w, w.on, one.token)
      assert.strictEqual(way(yield* ask(w, w.on, again.token)), "onetap")
    })
  )

  it.effect("of another environment, an unknown person, or a malformed name are unknown", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { token } = yield* login(w, w.on)
      const id = idOf(token)
      const neighbour = yield* Effect.orDie(w.merchants.create("Neighbour"))
      const other = yield* Effect.orDie(w.merchants.callerOf(neighbour.live.clientId))
      for (const [caller, name] of [
        [w.onTest, id],
        [other, id],
        [w.on, deviceIdAt(start)],
        [w.on, token],
        [w.on, ""],
        [w.on, "\0"],
        [w.on, id.replace("dvc_", "ver_")],
        [w.on, `${id} `]
      ] as const) {
        assert.strictEqual((yield* Effect.flip(w.devices.revoke(caller, name)))._tag, "UnknownDevice", name)
      }
      assert.strictEqual(way(yield* ask(w, w.on, token)), "onetap")
    })
  )

  it.effect("are revoked under concurrent changes to the person, or the revocation fails with an error", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { token } = yield* login(w, w.on)
      const never = yield* makeProcess(withStore(w.storage, contended(1000)), { idle: true })
      assert.strictEqual((yield* Effect.flip(never.devices.revoke(w.on, idOf(token))))._tag, "Contended")
      assert.strictEqual(way(yield* ask(w, w.on, token)), "onetap")
      const busy = yield* makeProcess(withStore(w.storage, contended(50)), { idle: true })
      yield* busy.devices.revoke(w.on, idOf(token))
      assert.strictEqual(way(yield* ask(w, w.on, token)), "code")
    })
  )

  it.effect("can be listed and revoked while OneTap is off", () =>
    Effect.gen(function* () {
      const w = yield* world
      const { token } = yield* login(w, w.on)
      assert.strictEqual((yield* w.devices.list(w.live, indian)).length, 1)
      yield* w.devices.revoke(w.live, idOf(token))
      assert.strictEqual(way(yield* ask(w, w.on, token)), "code")
    })
  )
})
