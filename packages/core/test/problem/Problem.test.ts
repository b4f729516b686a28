import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { inField, invalidField, Problem } from "../../src/index.ts"
import { dataUrl, png } from "../fixtures/png.ts"
import { makeWorld } from "../fixtures/World.ts"

describe("the problem of a field", () => {
  it("has a code, and the sentence of that code with its parameters", () => {
    assert.deepStrictEqual(Problem.of("BETWEEN", { min: 4, max: 8 }), {
      code: "BETWEEN",
      params: { min: 4, max: 8 },
      problem: "must be a whole number from 4 to 8"
    })
    assert.deepStrictEqual(Problem.of("REQUIRED"), { code: "REQUIRED", params: {}, problem: "is required" })
  })

  it("keeps its code under the name of another field", () => {
    const moved = inField("email")(invalidField("identity", Problem.of("TOO_LONG", { max: 254 })))
    assert.deepStrictEqual(
      [moved.field, moved.code, moved.params, moved.problem],
      ["email", "TOO_LONG", { max: 254 }, "must be at most 254 characters"]
    )
  })

  it("has another sentence for every code", () => {
    const sentences = Problem.codes.map(Problem.pattern)
    assert.strictEqual(new Set(sentences).size, sentences.length)
  })

  it.effect("has a code for every refused value of a setting", () =>
    Effect.gen(function* () {
      const { live, merchants } = yield* makeWorld({ idle: true })
      for (const [name, value, code, field] of [
        ["codeLength", 99, "BETWEEN", "codeLength"],
        ["codeLength", 4.5, "WHOLE_NUMBER", "codeLength"],
        ["codeLength", "4", "NUMBER", "codeLength"],
        ["canonicalHourlyLimit", -1, "BETWEEN", "canonicalHourlyLimit"],
        ["oneTap", "yes", "TRUE_OR_FALSE", "oneTap"],
        ["brand", "x".repeat(61), "TOO_LONG", "brand"],
        ["brand", "a\nb", "LINE_TOO_LONG", "brand"],
        ["brandColor", "red", "COLOUR", "brandColor"],
        ["brandColor", 5, "TEXT", "brandColor"],
        ["brandLogo", "x", "LOGO", "brandLogo"],
        ["brandLogo", dataUrl(png(1025, 1)), "LOGO_SIDE", "brandLogo"],
        ["defaultCountry", "XX", "COUNTRY", "defaultCountry"],
        ["defaultCountry", "in", "COUNTRY", "defaultCountry"],
        ["allowedCountries", ["UK"], "COUNTRY_MEANT", "allowedCountries.0"],
        ["allowedCountries", ["ZZ"], "COUNTRIES", "allowedCountries.0"],
        ["blockedPrefixes", ["+91"], "DIGITS", "blockedPrefixes.0"],
        ["blockedNumberTypes", ["MOBILE"], "ONE_OF", "blockedNumberTypes.0"],
        ["guardEnforces", ["LUCK"], "ONE_OF", "guardEnforces.0"],
        ["safeList", ["+91"], "DIGITS", "safeList.0"],
        ["redirectUris", "x", "LIST", "redirectUris"],
        ["redirectUris", ["http://shop.example"], "URL_HTTPS_OR_LOCAL", "redirectUris.0"],
        ["redirectUris", Array.from({ length: 101 }, () => "https://a.example/"), "TOO_MANY", "redirectUris"],
        ["serverAddresses", ["nowhere"], "ADDRESS_RANGE", "serverAddresses.0"],
        ["primaryChannel", "sms", "CHANNEL_NAME", "primaryChannel"],
        ["quietHours", { from: "9" }, "CLOCK_TIME", "quietHours.from"],
        ["quietHours", { from: "09:00" }, "REQUIRED", "quietHours.to"],
        ["timeZone", "Mars", "TIME_ZONE", "timeZone"],
        ["locale", "english", "LANGUAGE", "locale"],
        ["appHash", "x", "APP_HASH", "appHash"],
        ["domain", "Shop", "DOMAIN", "domain"],
        ["billing", "FREE", "ONE_OF", "billing"],
        ["prices", { SMS: -1 }, "BETWEEN", "prices.SMS"],
        ["prices", { sms: 1 }, "CHANNEL_UNKNOWN", "prices.sms"],
        ["prices", { SMS: { default: 1, prefixes: { "0": 1 } } }, "PREFIX", "prices.SMS.prefixes.0"],
        ["codeLenght", 6, "SETTING_MEANT", "codeLenght"]
      ] as const) {
        const refused = yield* Effect.flip(merchants.changeSettings(live, { [name]: value }))
        const shown = refused._tag === "InvalidField" ? [refused.field, refused.code] : refused
        assert.deepStrictEqual(shown, [field, code], `${name} ${JSON.stringify(value).slice(0, 80)}`)
      }
    })
  )
})

/** Files with problems that no form of the dashboard can cause, and why. Their English sentences have no code. */
const withoutCode: { readonly [file: string]: string } = {
  "core/src/account/audit/Audit.ts": "a key that asks for the other environment",
  "core/src/auth/hook/HookReceiver.ts": "the body of a sign-in system's request",
  "core/src/auth/hook/readBodies.ts": "fields of a sign-in system's request",
  "core/src/auth/verification/Challenges.ts": "the answer to a challenge, which the SDK computes",
  "core/src/auth/verification/InitiateRequest.ts": "fields that only a backend or the SDK sends",
  "core/src/auth/verification/Links.ts": "the code verifier of a backend",
  "core/src/auth/verification/NumberVerifications.ts": "proofs of apps",
  "core/src/auth/verification/RelayRequest.ts": "fields that only a backend sends",
  "core/src/auth/verification/RequestContext.ts": "the context of a backend's request",
  "core/src/auth/verification/SdkSessions.ts": "the scope of an app's token",
  "core/src/auth/verification/Verifications.ts": "ids that a backend sends",
  "core/src/auth/verification/checkCodeVerifier.ts": "the code verifier of a backend",
  "core/src/auth/verification/checkProof.ts": "proofs of apps",
  "core/src/auth/verification/checkRepeat.ts": "a resend by a backend",
  "core/src/data/example/ExampleDays.ts": "a seed, which the form does not have",
  "core/src/data/protection/Protection.ts": "the safe list for a country, which the form does not offer",
  "core/src/data/search/checkPerson.ts": "two filters that no screen combines",
  "core/src/engagement/attribution/attributionFields.ts": "events of apps and backends",
  "core/src/engagement/lead/checkReply.ts": "parts of a reply that no screen combines, and the state of a template",
  "core/src/engagement/lead/leadLists.ts": "two filters that no screen combines"
}

describe("a problem without a code", () => {
  it("is only in files whose problems no form of the dashboard can cause", () => {
    const root = join(import.meta.dirname, "../../../core/src")
    const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"))
    const found = files.filter((file) => {
      if (file.endsWith("identity/InvalidField.ts")) return false
      return /new InvalidField\(\{[^}]*\bproblem\s*[:},]/.test(readFileSync(join(root, file), "utf8"))
    })
    assert.deepStrictEqual(found.map((file) => `core/src/${file}`).toSorted(), Object.keys(withoutCode).toSorted())
  })
})
