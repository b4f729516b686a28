import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { Keyring } from "../../src/foundation/secret/Keyring.ts"
import * as PersonReference from "../../src/foundation/secret/PersonReference.ts"
import { secrets } from "../fixtures/World.ts"

const ring = (secret: string, ...previous: ReadonlyArray<string>) =>
  Effect.scoped(
    Effect.map(
      Layer.build(
        Keyring.layer({ secret: Redacted.make(secret), previous: previous.map((text) => Redacted.make(text)) })
      ),
      (services) => Context.get(services, Keyring)
    )
  )

const people = [
  "919876543210",
  "14155552671",
  "a@b.example",
  `${"long".repeat(16)}@${"example.".repeat(20)}com`,
  "ä@b.de"
]

describe("the reference of a person", () => {
  it.effect("opens to the identity, is the same every time, and shows nothing of it", () =>
    Effect.gen(function* () {
      const keyring = yield* ring(secrets.first)
      for (const canonical of people) {
        const reference = PersonReference.of(keyring.current, "env_1", canonical)
        assert.strictEqual(PersonReference.of(keyring.current, "env_1", canonical), reference)
        assert.strictEqual(PersonReference.open(keyring, "env_1", reference), canonical)
        assert.match(reference, /^per_[A-Za-z0-9_-]+$/)
        const decoded = Buffer.from(reference.slice(4), "base64url").toString("latin1")
        assert.notInclude(decoded, canonical.slice(0, 4))
      }
      const lengths = ["a@b.example", "919876543210", "someone@somewhere.example"].map(
        (canonical) => PersonReference.of(keyring.current, "env_1", canonical).length
      )
      assert.deepStrictEqual(lengths, [68, 68, 68])
    })
  )

  it.effect("opens in its own environment only", () =>
    Effect.gen(function* () {
      const keyring = yield* ring(secrets.first)
      const reference = PersonReference.of(keyring.current, "env_live", people[0]!)
      assert.isNull(PersonReference.open(keyring, "env_test", reference))
      assert.notStrictEqual(PersonReference.of(keyring.current, "env_test", people[0]!), reference)
    })
  )

  it.effect("opens under every key of the ring, and under no other", () =>
    Effect.gen(function* () {
      const old = yield* ring(secrets.first)
      const rotated = yield* ring(secrets.second, secrets.first)
      const reference = PersonReference.of(old.current, "env_1", people[0]!)
      assert.strictEqual(PersonReference.open(rotated, "env_1", reference), people[0])
      assert.include(PersonReference.all(rotated, "env_1", people[0]!), reference)
      assert.isNull(PersonReference.open(yield* ring(secrets.second), "env_1", reference))
    })
  )

  it.effect("is refused after any change, and so is any other text", () =>
    Effect.gen(function* () {
      const keyring = yield* ring(secrets.first)
      const reference = PersonReference.of(keyring.current, "env_1", people[0]!)
      for (let i = 0; i < reference.length; i++) {
        for (const letter of ["A", "b", "-"]) {
          const changed = reference.slice(0, i) + letter + reference.slice(i + 1)
          if (changed !== reference) assert.isNull(PersonReference.open(keyring, "env_1", changed), changed)
        }
      }
      const others = ["", "per_", "per_A", "per_AAAA", reference.slice(0, -1), `${reference}A`, `${reference}AAAA`]
      const strange = [
        "919876543210",
        "ver_01kaj3v9c0q5w8xn2rz7t4m6hd",
        `per_${"A".repeat(64)}`,
        `per_${"A".repeat(9_000)}`
      ]
      for (const text of [...others, ...strange, reference.replace("per_", "PER_"), `per_${"é".repeat(64)}`]) {
        assert.isNull(PersonReference.open(keyring, "env_1", text), text)
      }
    })
  )
})
