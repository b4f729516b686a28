import { carrierOf, Channels, chooseCarrier } from "@countersign/core/channel"
import { Effect } from "effect"
import { assert, describe, it } from "vitest"
import * as Configuration from "../src/Configuration.ts"
import * as Providers from "../src/providers/Providers.ts"
import { unknownVariables } from "../src/unknownVariables.ts"

const problemsOf = (environment: { readonly [name: string]: string }) =>
  Effect.gen(function* () {
    const { providers, publicUrl } = yield* Configuration.read(environment)
    return yield* Effect.scoped(Providers.means(providers, publicUrl))
  }).pipe(
    Effect.flip,
    Effect.map(({ problems }) => problems),
    Effect.runPromise
  )

const twilio = {
  TWILIO_ACCOUNT_SID: "AC00000000000000000000000000000001",
  TWILIO_AUTH_TOKEN: "a-token",
  TWILIO_FROM: "+15005550006"
}
const vonage = { VONAGE_FROM: "Acme", VONAGE_API_KEY: "abcd1234", VONAGE_API_SECRET: "a-secret" }
const aws = {
  AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
  AWS_SECRET_ACCESS_KEY: "a-secret",
  AWS_REGION: "ap-south-1",
  SNS_FROM: "ACMEIN",
  SES_FROM: "codes@acme.example",
  SES_CONFIGURATION_SET: "mails"
}
const msg91 = { MSG91_AUTH_KEY: "a-key", MSG91_TEMPLATE_ID: "6501a2b3d6fc0512ab34cd56" }
const whatsapp = {
  WHATSAPP_ACCESS_TOKEN: "EAAGtoken",
  WHATSAPP_PHONE_NUMBER_IDS: "106540352242922",
  WHATSAPP_APP_SECRET: "app-secret",
  WHATSAPP_VERIFY_TOKEN: "verify-token",
  WHATSAPP_TEMPLATE: "login_code/en"
}
const smtp = { SMTP_URL: "smtp://mail.example.com", SMTP_FROM: "codes@example.com" }

describe("providers", () => {
  it("report every invalid option in one error, by variable, without values", async () => {
    const problems = await problemsOf({
      PUBLIC_URL: "https://my_host.example.com",
      ...twilio,
      TWILIO_ACCOUNT_SID: "nonsense",
      TWILIO_FROM: "whatsapp:+15005550006",
      ...whatsapp,
      WHATSAPP_PHONE_NUMBER_IDS: "nonsense",
      WHATSAPP_TEMPLATE: "Nonsense Name",
      SMTP_URL: "smtp://nonsense@mail.example.com",
      SMTP_FROM: "nonsense",
      TRUECALLER_CLIENT_ID: "non sense",
      TRUECALLER_API_URL: "http://nonsense.example.com"
    })
    assert.deepStrictEqual(
      problems.map((problem) => problem.slice(0, problem.indexOf(":"))),
      [
        "TWILIO_ACCOUNT_SID",
        "TWILIO_FROM",
        "PUBLIC_URL",
        "WHATSAPP_PHONE_NUMBER_IDS",
        "WHATSAPP_TEMPLATE",
        "SMTP_URL",
        "SMTP_FROM",
        "TRUECALLER_CLIENT_ID",
        "TRUECALLER_API_URL"
      ]
    )
    assert.notInclude(problems.join(), "nonsense")
  })

  it("are configured by variables, and each invalid one is named", async () => {
    const wrong: ReadonlyArray<readonly [variable: string, value: string]> = [
      ["TWILIO_AUTH_TOKEN", "a token"],
      ["TWILIO_MESSAGING_SERVICE_SID", "MG1"],
      ["TWILIO_RCS_SENDER", "agent"],
      ["TWILIO_API_URL", "ftp://x"],
      ["MSG91_AUTH_KEY", "a key"],
      ["MSG91_TEMPLATE_ID", "1207161234567890123"],
      ["MSG91_CODE_VARIABLE", "##otp##"],
      ["MSG91_WEBHOOK_SECRET", "short"],
      ["MSG91_API_URL", "http://x.example.com"],
      ["VONAGE_FROM", "a-name-that-is-too-long"],
      ["VONAGE_API_KEY", "a key"],
      ["VONAGE_API_SECRET", "a secret"],
      ["VONAGE_APPLICATION_ID", "x"],
      ["VONAGE_SIGNATURE_SECRET", "short"],
      ["VONAGE_ENTITY_ID", "x"],
      ["VONAGE_API_URL", "http://x.example.com"],
      ["SNS_FROM", "a name with spaces"],
      ["SNS_ENTITY_ID", "x"],
      ["SES_FROM", "nobody"],
      ["SES_CONFIGURATION_SET", "a set"],
      ["SES_TOPIC_ARN", "arn:aws:sns:us-east-1:123456789012:mails"],
      ["AWS_ACCESS_KEY_ID", "x"],
      ["AWS_SECRET_ACCESS_KEY", "a secret"],
      ["AWS_SESSION_TOKEN", "a token"],
      ["AWS_REGION", "mumbai"],
      ["SNS_API_URL", "http://x.example.com"],
      ["SES_API_URL", "http://x.example.com"],
      ["WHATSAPP_ACCESS_TOKEN", "a token"],
      ["WHATSAPP_LINK_TEMPLATE", "Signin Link"],
      ["WHATSAPP_LINK_TEMPLATE", "signin_link/en/us"],
      ["WHATSAPP_WABA_ID", "x"],
      ["WHATSAPP_API_URL", "ftp://x"]
    ]
    for (const [variable, value] of wrong) {
      const sms = { MSG91: msg91, VONAGE: vonage, AWS: aws, SNS: aws, SES: aws }[variable.split("_")[0] ?? ""] ?? twilio
      const [problem] = await problemsOf({ ...sms, ...whatsapp, ...smtp, [variable]: value })
      assert.match(problem ?? "", new RegExp(`^${variable}: \\w`))
    }
  })

  it("WhatsApp sends links only with a link template", async () => {
    const kinds = (more: { readonly [name: string]: string }) =>
      Effect.gen(function* () {
        const { providers, publicUrl } = yield* Configuration.read({ ...whatsapp, ...more })
        const { channels } = yield* Providers.means(providers, publicUrl)
        return channels[0]?.supports.kinds ?? []
      }).pipe(Effect.scoped, Effect.runPromise)
    assert.notInclude(await kinds({}), "Link")
    assert.include(await kinds({ WHATSAPP_LINK_TEMPLATE: "signin_link/en_US" }), "Link")
  })

  it("several providers of one channel need a routing table, and the error names the variables that enable them", async () => {
    assert.deepStrictEqual(await problemsOf({ ...twilio, ...msg91 }), [
      "SMS_CARRIERS: is required, because several carriers are configured for SMS, twilio (TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID) and msg91 (MSG91_AUTH_KEY); for example `*: twilio, msg91`"
    ])
  })

  it("an unreadable routing table, or one with an unconfigured provider, stops the start", async () => {
    const shape = /^SMS_CARRIERS: must look like /
    for (const table of [
      "91 msg91",
      "*:",
      "*: twilio; *: msg91",
      "91: twilio, twilio; *: twilio",
      "in: twilio",
      "*: a b"
    ]) {
      const [problem] = await problemsOf({ ...twilio, ...msg91, SMS_CARRIERS: table })
      assert.match(problem ?? "", shape, table)
    }
    assert.deepStrictEqual(await problemsOf({ ...twilio, SMS_CARRIERS: "91: msg91; 1: twilio" }), [
      "SMS_CARRIERS: names msg91, which is not configured; configured for SMS: twilio",
      "SMS_CARRIERS: has no rule for all other numbers; add `*: twilio`"
    ])
    assert.deepStrictEqual(await problemsOf({ ...smtp, SMS_CARRIERS: "*: twilio" }), [
      "SMS_CARRIERS: names twilio, which is not configured; no provider for SMS is configured"
    ])
  })

  it("a routing table decides which provider is tried first for a number", async () => {
    const carriers = await Effect.gen(function* () {
      const table = "91: msg91, twilio; 9170: twilio; *: twilio, vonage"
      const { providers, publicUrl } = yield* Configuration.read({
        ...twilio,
        ...msg91,
        ...vonage,
        SMS_CARRIERS: table
      })
      const means = yield* Providers.means(providers, publicUrl)
      const { rulesOf } = yield* Effect.provide(Channels, Channels.layer(means.channels, means.carriers))
      const to = (number: string) => chooseCarrier(rulesOf("SMS"), number, () => false).map(carrierOf)
      return ["+919876543210", "+917012345678", "+12025550123"].map(to)
    }).pipe(Effect.scoped, Effect.runPromise)
    assert.deepStrictEqual(carriers, [["msg91", "twilio"], ["twilio"], ["twilio", "vonage"]])
  })

  it("AWS's own variables alone enable nothing and are no error", async () => {
    const { AWS_ACCESS_KEY_ID, AWS_REGION } = aws
    const environment = { AWS_ACCESS_KEY_ID, AWS_REGION, AWS_PROFILE: "x", AWS_DEFAULT_OUTPUT: "json" }
    const { providers } = await Effect.runPromise(Configuration.read(environment))
    assert.strictEqual(providers.aws, undefined)
    assert.deepStrictEqual(unknownVariables(environment), [])
    assert.strictEqual(unknownVariables({ SES_FORM: "a@b.example" }).length, 1)
    assert.deepStrictEqual(await problemsOf({ AWS_REGION, SNS_FROM: "ACMEIN" }), [
      "AWS_ACCESS_KEY_ID: is required together with SNS_FROM",
      "AWS_SECRET_ACCESS_KEY: is required together with SNS_FROM"
    ])
  })

  it("Twilio without a sender is a problem of TWILIO_FROM", async () => {
    const { TWILIO_FROM: _, ...without } = twilio
    assert.deepStrictEqual(await problemsOf(without), [
      "TWILIO_FROM: is missing: set a sender, a Messaging Service or an RCS sender"
    ])
  })
})
