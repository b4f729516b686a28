import { MemoryStorage } from "@countersign/core/memory"
import { Effect, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { oldNode } from "../src/checkNode.ts"
import { makeService } from "../src/index.ts"

const secret = "0a".repeat(32)
const good = { storage: MemoryStorage.layer, channels: [], secret }
const keys = { clientId: "cs_live_mine", clientSecret: "hunter2-hunter2-hunter2", publicKey: "pk_live_mine" }
const send = async () => {}
const verifier = (name: string) => ({ name, provider: "acme", payload: Schema.Struct({}), verify: () => Effect.never })

const refusal = async (options: unknown): Promise<string> => {
  try {
    await (await makeService(options as Parameters<typeof makeService>[0])).close()
  } catch (error) {
    assert.instanceOf(error, Error)
    assert.notInclude((error as Error).message, "hunter2")
    return (error as Error).message
  }
  return "no refusal"
}

describe("makeService names the invalid option", () => {
  it.each<readonly [string, object, RegExp]>([
    ["keys without live", { keys: { test: keys } }, /keys\.live is missing/],
    [
      "a short client secret",
      { keys: { live: { ...keys, clientSecret: "hunter2" }, test: keys } },
      /keys\.live\.clientSecret must be at least 16/
    ],
    [
      "keys without a public key",
      { keys: { live: keys, test: { ...keys, publicKey: undefined } } },
      /keys\.test\.publicKey must/
    ],
    ["a setting out of range", { settings: { codeLength: 99 } }, /settings\.codeLength is 99: .*8/],
    [
      "an unknown setting",
      { settings: { codeLenght: 6 } },
      /settings\.codeLenght is not a setting: did you mean codeLength\?/
    ],
    [
      "a channel in lower case",
      { channels: [{ name: "sms", send }] },
      /channels\[0\]\.name must be one of .*did you mean SMS\?/
    ],
    ["a channel without send", { channels: [{ name: "SMS" }] }, /channels\[0\]\.send must be a function/],
    [
      "two channels of a name",
      {
        channels: [
          { name: "SMS", send },
          { name: "SMS", send }
        ]
      },
      /channels\[1\] provides SMS by the carrier "custom", which channels\[0\] already provides: give each its own `carrier` name/
    ],
    ["channels that are none", { channels: "SMS" }, /channels must be an array/],
    ["a short secret", { secret: "hunter2" }, /; secret must be 32 bytes|: secret must be 32 bytes/],
    ["a bad previous secret", { previousSecrets: [secret, "hunter2"] }, /previousSecrets\[1\] must be 32 bytes/],
    ["an address that is none", { baseUrl: "verify.example.com" }, /baseUrl must be an http or https URL/],
    ["a storage that is none", { storage: "postgres://hunter2@x/y" }, /storage must be a storage: .*PgStorage\.layer/],
    ["a proxy that is none", { trustedProxies: ["loopback", "hunter2"] }, /trustedProxies\[1\] must be/],
    ["an environment that is none", { environment: "prod" }, /environment must be live or test/],
    ["a biller that is none", { billing: { billedBy: "Operator" } }, /billing\.billedBy must be merchant or operator/],
    ["campaigns that never go", { campaignsPerSecond: 0 }, /campaignsPerSecond must be a number from 1 to 1000/],
    ["a captcha that nobody can ask", { checkCaptcha: "hunter2" }, /checkCaptcha must be a function/],
    [
      "a currency that is none",
      { billing: { currency: "inr" } },
      /billing\.currency must be an ISO 4217 currency code in upper case/
    ],
    ["a price out of range", { settings: { prices: { SMS: -1 } } }, /settings\.prices\.SMS must be/],
    ["an address under its older name", { publicUrl: "https://a.example" }, /publicUrl is now called baseUrl/],
    ["verifiers under their older name", { provers: [] }, /provers is now called verifiers/],
    [
      "a channel with a verifier's name",
      { channels: [{ name: "TRUECALLER", send }] },
      /channels\[0\]\.name is a number verifier, not a channel/
    ],
    [
      "a verifier with a channel's name",
      { channels: [{ name: "VIBER", send }], verifiers: [verifier("VIBER")] },
      /verifiers\[0\] provides VIBER, but a channel already has that name/
    ],
    ["a verifier with a known channel's name", { verifiers: [verifier("SMS")] }, /but a channel already has that name/],
    ["a verifier called as a code", { verifiers: [verifier("OTP")] }, /but another method already has that name/],
    [
      "a verifier called as a trusted device",
      { verifiers: [verifier("ONETAP")] },
      /but another method already has that name/
    ],
    ["a verifier called as a link", { verifiers: [verifier("LINK")] }, /but another method already has that name/],
    [
      "a verifier without a payload",
      { verifiers: [{ ...verifier("ACME"), payload: {} }] },
      /verifiers\[0\]\.payload must/
    ],
    [
      "a verifier in lower case",
      { verifiers: [verifier("acme")] },
      /verifiers\[0\]\.name must be 2 to 32 capital letters/
    ],
    ["a path under its older name", { prefix: "/verify" }, /prefix is now called basePath/],
    ["passkeys outside their group", { passkeys: {} }, /passkeys is now called dashboard\.passkeys/],
    ["a provider outside its group", { identityProvider: {} }, /identityProvider is now called dashboard\.oidc/],
    ["a currency outside its group", { currency: "INR" }, /currency is now called billing\.currency/],
    ["a biller outside its group", { billedBy: "operator" }, /billedBy is now called billing\.billedBy/],
    [
      "a retention without its unit",
      { retention: { events: 3 } },
      /retention\.events is now called retention\.eventDays/
    ],
    [
      "a misspelt option of a group",
      { billing: { curency: "INR" } },
      /billing\.curency is not an option: did you mean billing\.currency/
    ],
    ["a group that is none", { dashboard: true }, /dashboard must be an object of passkeys and oidc/],
    ["a listener that is none", { onEvent: "log" }, /onEvent must be a function/],
    ["an option that is none", { secrets: ["hunter2"] }, /secrets is not an option: did you mean secret\?/]
  ])("%s", async (_, changed, expected) => {
    assert.match(await refusal({ ...good, ...changed }), expected)
  })

  it("names all invalid options together", async () => {
    const message = await refusal({
      channels: [{ name: "sms", send }],
      secret: "",
      settings: { codeLength: 1 },
      keys: {}
    })
    for (const option of ["storage", "channels[0].name", "secret", "settings.codeLength", "keys.live", "keys.test"])
      assert.include(message, option)
    assert.match(await refusal(undefined), /^Countersign\.make: storage must/)
    assert.strictEqual(await refusal(good), "no refusal")
    assert.strictEqual(
      await refusal({
        ...good,
        keys: { live: keys, test: { ...keys, clientId: "cs_test_mine", publicKey: "pk_test_mine" } }
      }),
      "no refusal"
    )
  })

  it.each([
    ["20.19.4", true],
    ["22.18.0", true],
    ["22.19.0", false],
    ["24.0.0", false],
    [undefined, false]
  ])("fails on Node %s with a readable message: %s", (version, stops) => {
    assert.strictEqual(oldNode(version)?.includes("22.19 or later") ?? false, stops)
  })
})
