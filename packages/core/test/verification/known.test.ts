import { assert, describe, it } from "@effect/vitest"
import { decode, empty, encode, isKnown, knownFor, messageMade, signedIn } from "../../src/auth/verification/Subject.ts"
import { keptOf } from "../../src/auth/verification/keptLimits.ts"

describe("a person who signed in before", () => {
  const person = signedIn(empty("env", "919876543210"))

  it("is known for three messages that lead to no sign-in, and again after the next sign-in", () => {
    let now = person
    const known: Array<boolean> = []
    for (let n = 0; n <= knownFor + 1; n++) {
      known.push(isKnown(now))
      now = messageMade(now)
    }
    assert.deepStrictEqual(known, [true, true, true, false, false])
    assert.isTrue(isKnown(signedIn(now)))
  })

  it("is not known before the first sign-in, whatever was sent", () => {
    const stranger = empty("env", "919876543210")
    assert.isFalse(isKnown(stranger))
    assert.strictEqual(messageMade(stranger), stranger)
  })

  it("is known to the process that reads the row, and unknown after an erasure", () => {
    assert.isTrue(isKnown(decode("env", person.canonical, 1, encode(person))))
    const key = { mac: () => new Uint8Array(32) } as unknown as Parameters<typeof keptOf>[0]
    assert.isFalse(isKnown(keptOf(key, person)))
  })
})
