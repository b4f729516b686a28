import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { Effect, Exit, Scope } from "effect"
import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freePort } from "../../../tools/embedded-postgres.ts"
import type { Client } from "./fixture/Client.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { payIn } from "./fixture/money.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { until } from "./fixture/Until.ts"

/**
 * The number of recipients. Sends without an answer are given up after a minute, so the suite runs this only in
 * `pnpm chaos`; core tests the same with a test clock.
 */
const people = Number(process.env["CAMPAIGN_RECIPIENTS"] ?? "0")
const perSecond = process.env["CAMPAIGN_PER_SECOND"] ?? "50"
const kills = 3
const price = 50

const numberOf = (n: number) => `9198${String(n).padStart(8, "0")}`
const csv = () => ["phone,name", ...Array.from({ length: people }, (_, i) => `+${numberOf(i)},Guest ${i}`)].join("\n")

/** The memory of a process, in MB. */
const memoryOf = (pid: number): number => {
  const [, kilobytes = "0"] = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? []
  return Number(kilobytes) / 1024
}

describe.skipIf(people === 0)("a campaign while its processes are killed", () => {
  const scope = Effect.runSync(Scope.make())
  let database: FreshDatabase.FreshDatabase
  let whatsapp: WhatsAppSimulator.WhatsAppSimulator
  let servers: ReadonlyArray<ServerProcess.ServerProcess> = []
  let start: () => Promise<void>
  let live: Client

  beforeAll(async () => {
    database = await FreshDatabase.make()
    const body = "Hello {{1}}, we are open."
    const templates = [
      { name: "login_code", language: "en" },
      { name: "open", language: "en", category: "MARKETING", body }
    ]
    const script = WhatsAppSimulator.scripts.delivered
    whatsapp = await Effect.runPromise(Scope.provide(WhatsAppSimulator.make({ templates, script, retries: 6 }), scope))
    const ports = [await freePort(), await freePort()]
    const variables = {
      ...variablesFor(database.url),
      COUNTERSIGN_CAMPAIGNS_PER_SECOND: perSecond,
      WHATSAPP_ACCESS_TOKEN: whatsapp.accessToken,
      WHATSAPP_PHONE_NUMBER_IDS: whatsapp.phoneNumberIds.join(","),
      WHATSAPP_WABA_ID: whatsapp.wabaId,
      WHATSAPP_APP_SECRET: whatsapp.appSecret,
      WHATSAPP_VERIFY_TOKEN: whatsapp.verifyToken,
      WHATSAPP_TEMPLATE: "login_code/en",
      WHATSAPP_API_URL: whatsapp.url
    }
    start = async () => {
      servers = await Promise.all(
        ports.map((port) =>
          ServerProcess.serve({ ...variables, PORT: String(port), PUBLIC_URL: `http://localhost:${port}` })
        )
      )
    }
    await start()
    live = (await overProcesses(servers).withOwner()).live
    await Effect.runPromise(whatsapp.callbackTo(`${servers[0]!.url}/v1/callbacks/whatsapp`))
    const settings = await live.settings({ billing: "PREPAID", prices: { WHATSAPP: price } })
    assert.strictEqual(settings.status, 200, settings.text)
    await payIn(live, people * price)
    const text = { whatsappName: "open", whatsappLanguage: "en", body: "Hello {{name}}, we are open." }
    const template = { name: "open", channel: "WHATSAPP", purpose: "MESSAGE", ...text }
    const made = await live.post("/v1/dashboard/templates", template)
    assert.strictEqual(made.status, 201, made.text)
  }, 60_000)
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill("SIGTERM")))
    await Effect.runPromise(Scope.close(scope, Exit.void))
    await database?.drop()
  })

  const taken = async () => (await Effect.runPromise(whatsapp.messages)).length

  it("sends one message per recipient, charges for what the provider accepted, and completes", async () => {
    const began = performance.now()
    const fields = { name: "Open", channel: "WHATSAPP", template: "open", csv: csv() }
    const answer = await live.post("/v1/dashboard/campaigns", fields)
    assert.strictEqual(answer.status, 201, answer.text)
    const view = async () => (await live.get(`/v1/dashboard/campaigns/${answer.body.id}`)).body
    for (let kill = 1; kill <= kills; kill++) {
      const many = Math.floor((people * kill) / 8)
      await until(taken, (count) => count >= many, { what: `${many} messages`, within: 3_600_000 })
      await Promise.all(servers.map((server) => server.kill("SIGKILL")))
      await start()
    }
    const pids = servers.map(({ pid }) => pid)
    await until(taken, (count) => count >= people / 2, { what: "half of the messages", within: 3_600_000 })
    const before = pids.map(memoryOf)
    await until(taken, (count) => count >= people * 0.98, { what: "nearly all messages", within: 3_600_000 })
    const grown = pids.map((pid, i) => memoryOf(pid) - before[i]!)
    const ended = await until(view, ({ status }) => status === "DONE", { what: "the end", within: 300_000 })
    const seconds = (performance.now() - began) / 1_000

    const counts = new Map<string, number>()
    for (const { waId } of await Effect.runPromise(whatsapp.messages)) counts.set(waId, (counts.get(waId) ?? 0) + 1)
    const twice = [...counts.values()].filter((count) => count > 1).length
    const events = await live.get("/v1/dashboard/events?type=campaign.delivered")
    const { body } = await live.get("/v1/dashboard/balance")
    console.log(
      `${people} people in ${seconds.toFixed(0)} s, ${kills} kills of both processes: ${counts.size} reached, ` +
        `${twice} twice, ${ended.failed} failed; memory grew by ${grown.map((mb) => mb.toFixed(1)).join(" and ")} MB`
    )
    assert.isAtMost(twice, kills)
    assert.isTrue([...counts.values()].every((count) => count <= 2))
    assert.strictEqual(ended.sent + ended.failed, people)
    assert.isAtMost(counts.size, people)
    assert.isAtLeast(counts.size, ended.sent)
    assert.strictEqual(events.body.items.length, 1)
    assert.deepInclude(events.body.items[0].data, { total: people })
    assert.strictEqual(body.balance, (people - ended.sent) * price)
    // A new process grows by itself: two minutes are too short to measure the growth from a list.
    if (people >= 20_000) for (const mb of grown) assert.isAtMost(mb, 30)
  }, 3_600_000)
})
