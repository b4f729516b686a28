import { spawn } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert, describe, it } from "vitest"
import { freePort } from "../../../tools/embedded-postgres.ts"
import { Client } from "./fixture/Client.ts"
import { shown } from "./fixture/Delivery.ts"
import { Service } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"
import * as Wire from "./fixture/Wire.ts"

const main = fileURLToPath(new URL("../src/main.ts", import.meta.url))

describe("serve --simulate", () => {
  it("shows a whole login without a provider: WhatsApp cannot be delivered, SMS can, and its code verifies", async () => {
    const directory = await mkdtemp(join(tmpdir(), "countersign-simulated-"))
    const port = await freePort()
    const env = { PATH: process.env["PATH"], HOME: directory, HOST: "127.0.0.1", PORT: String(port) }
    const child = spawn(process.execPath, [main, "serve", "--simulate"], { cwd: directory, env })
    const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
    let output = ""
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text))
    try {
      await until(
        async () => output,
        (text) => text.includes("Countersign is ready"),
        { what: "the start" }
      )
      const [, clientId] = /X-Client-Id +(cs_live_\w+)/.exec(output) ?? []
      const [, clientSecret] = /X-Client-Secret +(sk_\w+)/.exec(output) ?? []
      const url = `http://127.0.0.1:${port}`
      const service = new Service({ mode: "simulated", urls: [url], adminToken: "", close: async () => {} })
      const client = new Client(service, { clientId: clientId!, clientSecret: clientSecret!, publicKey: "" })
      assert.strictEqual((await client.settings({ fallbackChannel: "SMS" })).status, 200)
      const identity = "+919876540000"
      const requestId = await client.started({ identity, channel: "WHATSAPP" })
      const { body } = await until(
        () => client.status({ requestId }),
        ({ body }) => shown(body).join() === "WHATSAPP FAILED,SMS DELIVERED",
        { what: "the fallback" }
      )
      assert.strictEqual(body.authStatus, "PENDING")
      const outbox = await Wire.send(url, { path: "/dev/outbox" })
      const messages: ReadonlyArray<any> = outbox.body.items
      const sms = messages.find(({ channel, to }) => channel === "SMS" && to === identity)
      const [otp] = /\b\d{6}\b/.exec(sms.text) ?? []
      assert.isTrue(messages.every(({ text }) => text.includes(otp)))
      assert.isTrue(messages.every(({ at }) => at.startsWith("20")))
      assert.deepStrictEqual(
        messages.map(({ channel, code, status, to }) => [channel, code, status, to]),
        [
          ["SMS", otp, "DELIVERED", identity],
          ["WHATSAPP", otp, "FAILED", identity]
        ]
      )
      assert.strictEqual((await client.verify({ requestId, otp: otp! })).body.verified, true)
      assert.strictEqual((await client.status({ requestId })).body.authStatus, "VERIFIED")
    } finally {
      child.kill("SIGTERM")
      assert.strictEqual(await ended, 0)
      await rm(directory, { recursive: true, force: true })
    }
  })
})
