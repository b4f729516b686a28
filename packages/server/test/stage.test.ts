import { Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { LocalRequest } from "@countersign/http"
import * as Configuration from "../src/Configuration.ts"
import { problemsOfSimulating, stageOf } from "../src/Stage.ts"

const none = { twilio: undefined, whatsapp: undefined, smtp: undefined, truecaller: undefined }
const local = { databaseUrl: undefined, host: "127.0.0.1", publicUrl: "http://localhost:8080", providers: none }
const smtp = { url: Redacted.make("smtp://127.0.0.1"), from: "a@example.com" }
const database = { databaseUrl: Redacted.make("postgres://localhost/x") }

describe("the stage: console channels, /dev and /demo exist only while nothing real can be reached", () => {
  it.each([
    ["nothing real", {}, "CONSOLE", []],
    ["::1", { host: "::1" }, "CONSOLE", []],
    ["localhost", { host: "localhost" }, "CONSOLE", []],
    ["a public http URL", { publicUrl: "http://verify.example.com" }, "CONSOLE", []],
    ["a database", database, "REAL", ["DATABASE_URL"]],
    ["all addresses", { host: "0.0.0.0" }, "REAL", ["HOST"]],
    ["all IPv6 addresses", { host: "::" }, "REAL", ["HOST"]],
    ["an address of the network", { host: "10.0.0.7" }, "REAL", ["HOST"]],
    ["a name of the network", { host: "127.0.0.1.example.com" }, "REAL", ["HOST"]],
    ["https", { publicUrl: "https://verify.example.com" }, "REAL", ["PUBLIC_URL"]],
    ["https in capitals", { publicUrl: "HTTPS://verify.example.com" }, "REAL", ["PUBLIC_URL"]],
    [
      "all of it",
      { ...database, host: "0.0.0.0", publicUrl: "https://verify.example.com" },
      "REAL",
      ["DATABASE_URL", "HOST", "PUBLIC_URL"]
    ]
  ] as const)("with %s", (_, changed, expected, refused) => {
    const configuration = { ...local, ...changed }
    assert.strictEqual(stageOf(configuration, { simulate: false }), expected)
    assert.strictEqual(stageOf({ ...configuration, providers: { ...none, smtp } }, { simulate: false }), "REAL")
    // Simulators replace providers, so provider variables do not matter; all others do.
    assert.strictEqual(
      stageOf({ ...configuration, providers: { ...none, smtp } }, { simulate: true }),
      refused.length === 0 ? "SIMULATED" : "REAL"
    )
    assert.deepStrictEqual(
      problemsOfSimulating(configuration).map((line) => line.split(":")[0]),
      [...refused]
    )
  })

  it("does not count the settings of lookups as a provider, and counts every provider", () => {
    const stage = (environment: Readonly<Record<string, string>>) =>
      stageOf(Configuration.examine(environment).configuration, { simulate: false })
    assert.strictEqual(stage({}), "CONSOLE")
    assert.strictEqual(stage({ LINE_INFO_LOOKUPS_PER_HOUR: "500" }), "CONSOLE")
    assert.strictEqual(stage({ SMTP_URL: "smtp://127.0.0.1", SMTP_FROM: "a@example.com" }), "REAL")
    const camara = {
      CAMARA_API_URL: "https://api.operator.example",
      CAMARA_TOKEN_URL: "https://auth.operator.example/token",
      CAMARA_CLIENT_ID: "x",
      CAMARA_PRIVATE_KEY: "x"
    }
    assert.strictEqual(stage(camara), "REAL")
    assert.strictEqual(stage({ COUNTERSIGN_CHANNELS: "./acme-sms.mjs" }), "REAL")
  })

  it("knows every name of this machine, and no similar name of another", () => {
    const ours = ["localhost", "LOCALHOST", "app.localhost", "127.0.0.1", "127.255.0.9", "::1", "0:0:0:0:0:0:0:1"]
    for (const host of [...ours, "[::1]", "::ffff:127.0.0.1"]) assert.isTrue(LocalRequest.isLoopback(host), host)
    const others = ["", "0.0.0.0", "::", "127.0.0.1.example.com", "localhost.example.com", "xlocalhost", "127.0.0.256"]
    for (const host of [...others, "128.0.0.1", "::2", "::ffff:10.0.0.1", "[::1", "localhost:80"])
      assert.isFalse(LocalRequest.isLoopback(host), host)
  })
})
