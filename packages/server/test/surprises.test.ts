import { assert, describe, it } from "vitest"
import * as Configuration from "../src/Configuration.ts"
import { stageOf } from "../src/Stage.ts"

const warningsOf = (environment: Record<string, string>) =>
  Configuration.examine(environment).warnings.map((line) => line.split(":")[0])

const https = { PUBLIC_URL: "https://verify.example.com" }

describe("a valid configuration that is dangerous on a public server", () => {
  it("logs a warning: an https PUBLIC_URL without TRUSTED_PROXIES, or with webhooks to private addresses", () => {
    assert.deepStrictEqual(warningsOf({}), [])
    assert.deepStrictEqual(warningsOf({ PUBLIC_URL: "http://verify.example.com" }), [])
    assert.deepStrictEqual(warningsOf(https), ["TRUSTED_PROXIES"])
    assert.deepStrictEqual(warningsOf({ ...https, TRUSTED_PROXIES: "loopback" }), [])
    const privateWebhooks = { ...https, TRUSTED_PROXIES: "loopback", COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS: "true" }
    assert.deepStrictEqual(warningsOf(privateWebhooks), ["COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS"])
  })

  it("allows webhooks to this machine only with the variable, or while nothing real can be reached", () => {
    for (const [environment, stage] of [
      [{}, "CONSOLE"],
      [https, "REAL"],
      [{ HOST: "0.0.0.0" }, "REAL"],
      [{ SMTP_URL: "smtp://127.0.0.1", SMTP_FROM: "a@example.com" }, "REAL"]
    ] as const) {
      const { configuration } = Configuration.examine(environment)
      assert.isUndefined(configuration.allowPrivateWebhooks)
      assert.strictEqual(stageOf(configuration, { simulate: false }), stage)
    }
  })
})
