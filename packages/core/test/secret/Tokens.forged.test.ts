import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { CompactEncrypt } from "jose"
import * as SigningKey from "../../src/foundation/secret/SigningKey.ts"
import { decode, forge, partsOf, signed, signingKeyOf } from "../fixtures/Forgery.ts"
import { makeProcess, makeStorage, secrets, start } from "../fixtures/World.ts"

const audience = "cs_live_1"

/** Wrong claims here: those of another recipient. */
const strangers = {
  "another audience": { aud: "cs_live_2" },
  "several other audiences": { aud: ["cs_live_2", "cs_live_11", ""] },
  "an audience in another case": { aud: audience.toUpperCase() }
}

/** Tokens that HTTP refuses earlier: a header cannot contain such letters, and a body has a limit. */
const texts = async (genuine: string): Promise<Record<string, string>> => {
  const [head, payload, signature] = partsOf(genuine)
  const padded = Buffer.from(JSON.stringify({ ...decode(payload), pad: "a".repeat(1_048_576) })).toString("base64url")
  return {
    "one dot": ".",
    "two dots": "..",
    "three words": "a.b.c",
    "a space before": ` ${genuine}`,
    "the scheme before": `Bearer ${genuine}`,
    nothing: "",
    "a null character": "\0",
    "half an emoji": "\ud83d.\ud83d.\ud83d",
    "an encrypted token": await new CompactEncrypt(Buffer.from(payload, "base64url"))
      .setProtectedHeader({ alg: "dir", enc: "A256GCM" })
      .encrypt(new Uint8Array(32)),
    "a megabyte": "a".repeat(1_048_576),
    "a megabyte of dots": ".".repeat(1_048_576),
    "a megabyte of payload": `${head}.${padded}.${signature}`
  }
}

describe("forged tokens", () => {
  it.effect("are all refused with the same message", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(start)
      const storage = yield* makeStorage
      const { keyring, tokens } = yield* makeProcess(storage, { idle: true, previousSecrets: [secrets.second] })
      const retired = yield* makeProcess(storage, {
        idle: true,
        secret: "c3".repeat(32),
        previousSecrets: [secrets.first]
      })
      const ourKey = yield* SigningKey.derive(keyring.current, "token-signing")
      const left = signingKeyOf(retired.keyring)
      const claims = { audience, subject: "ver_1" }
      const genuine = yield* tokens.sign("id", claims)
      const session = yield* tokens.sign("session", claims)
      const [head, body] = partsOf(genuine)
      const [header, payload] = [decode(head), decode(body)]
      const forged = {
        ...forge({
          genuine,
          second: yield* tokens.sign("id", claims),
          otherKind: session,
          otherTyp: "countersign-session+jwt",
          jwk: { ...ourKey.jwk },
          ours: signingKeyOf(keyring).key,
          now: start / 1000,
          strangers
        }),
        "a key that left the ring": signed({ ...header, kid: left.kid }, payload, left.key),
        "a key that left the ring, under our kid": signed(header, payload, left.key),
        ...(yield* Effect.promise(() => texts(genuine)))
      }
      assert.isAtLeast(Object.keys(forged).length, 120)

      const answers = yield* Effect.forEach(Object.entries(forged), ([name, token]) =>
        Effect.map(Effect.exit(tokens.verify("id", token, audience)), (exit) => [name, exit])
      )
      const refusal = yield* Effect.exit(Effect.flip(tokens.verify("session", genuine, audience)))
      assert.ok(refusal._tag === "Success" && refusal.value.kind === "session")
      const expected = yield* Effect.exit(tokens.verify("id", "", audience))
      for (const [name, exit] of answers) assert.deepStrictEqual([name, String(exit)], [name, String(expected)])

      assert.strictEqual((yield* tokens.verify("id", genuine, audience)).sub, "ver_1")
    })
  )
})
