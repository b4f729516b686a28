import { setTimeout as sleep } from "node:timers/promises"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Client } from "./fixture/Client.ts"
import { Customers, type Shown } from "./fixture/Customers.ts"
import { numbers, post, Providers } from "./fixture/Delivery.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { until } from "./fixture/Until.ts"

const count = Number(process.env["INBOX_CUSTOMERS"] ?? "40")
const deeds = Number(process.env["INBOX_MESSAGES"] ?? "240")
/** The number of answered requests between two kills. */
const killEvery = Number(process.env["INBOX_KILL_EVERY"] ?? "25")
const atOnce = 16

describe("a day of incoming customer messages", () => {
  let database: FreshDatabase.FreshDatabase
  let providers: Providers
  let variables: ServerProcess.Variables
  let running: Array<ServerProcess.ServerProcess>
  let client: Client

  beforeAll(async () => {
    database = await FreshDatabase.make()
    providers = await Providers.start()
    variables = { ...variablesFor(database.url), ...providers.variables, PUBLIC_URL: "http://localhost" }
    const first = await ServerProcess.serve(variables)
    running = [first, await ServerProcess.serve(variables)]
    // Numbers that are not connected belong to the first merchant.
    client = (await overProcesses([first]).merchant()).live
  })
  afterAll(async () => {
    await Promise.all((running ?? []).map((server) => server.kill("SIGTERM")))
    await providers?.close()
    await database?.drop()
  })

  /** Sends to the processes that currently run. */
  const send = (call: Parameters<Client["call"]>[0]) => overProcesses(running).send(client.call(call))
  const ask = (path: string) => send({ path })

  const worked = () =>
    until(
      () => database.query("select count(*)::int, count(dead_at)::int from job where kind = 'inbound'"),
      ([[left, dead]]: any) => left === 0 && dead === 0,
      { what: "everything that came in worked on" }
    )

  const everything = async () => {
    const leads: Array<any> = []
    for (let page = 0; ; page++) {
      const { body, status, text } = await ask(`/v1/whatsapp/leads?size=50&page=${page}`)
      assert.strictEqual(status, 200, text)
      leads.push(...body)
      if (body.length < 50) return leads
    }
  }

  const conversation = async (leadId: number): Promise<ReadonlyArray<Shown>> => {
    const all: Array<Shown> = []
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body, status, text } = await ask(
        `/v1/dashboard/leads/${leadId}/messages?limit=50${cursor === "" ? "" : `&cursor=${encodeURIComponent(cursor)}`}`
      )
      assert.strictEqual(status, 200, text)
      for (const { at, direction, media, text: words, type } of body.items) {
        assert.strictEqual(direction, "IN")
        all.push({ type, text: words, hasMedia: media !== null, at })
      }
      cursor = body.nextCursor
    }
    return all
  }

  /** As Meta does: a report without a 200 is sent again, to any running process. */
  const report = async (requests: ReturnType<Customers["phase"]>) => {
    const left = [...requests]
    let answered = 0
    let kills = 0
    const deliver = async () => {
      for (let request = left.pop(); request !== undefined; request = left.pop()) {
        const to = running[left.length % running.length]!
        const { status } = await post(to.url, request)
        if (status === 200) {
          answered++
          continue
        }
        assert.oneOf(status, [0, 500])
        left.unshift(request)
        await sleep(5)
      }
    }
    const kill = async () => {
      while (left.length > 0) {
        if (answered < (kills + 1) * killEvery) {
          await sleep(5)
          continue
        }
        const victim = kills++ % running.length
        const { signal } = await running[victim]!.kill("SIGKILL")
        assert.strictEqual(signal, "SIGKILL")
        running[victim] = await ServerProcess.serve(variables)
      }
    }
    await Promise.all([...Array.from({ length: atOnce }, deliver), kill()])
    return kills
  }

  it(
    "leaves the same leads and conversations after reordering, repeats and kills",
    async () => {
      const customers = new Customers({
        seed: 20_261_122,
        count,
        receiver: numbers.usual,
        appSecret: providers.whatsapp.appSecret,
        from: Math.floor(Date.now() / 1000) - 86_400
      })
      let kills = await report(customers.phase(Math.ceil(deeds / 2)))
      await worked()
      const half = await everything()
      for (const { contact, id } of half.slice(0, Math.ceil(half.length / 3))) {
        const { status, text } = await send({ method: "POST", path: `/v1/dashboard/leads/${id}/read`, body: {} })
        assert.strictEqual(status, 200, text)
        customers.read(contact)
      }
      kills += await report(customers.phase(Math.floor(deeds / 2)))
      await worked()

      const leads = await everything()
      const expected = customers.expected()
      assert.strictEqual(new Set(leads.map(({ id }) => id)).size, leads.length)
      assert.deepStrictEqual(
        leads.map(({ contact, name, unreadCount, lastMessageAt }) => ({ contact, name, unreadCount, lastMessageAt })),
        expected
          .map(({ contact, lastMessageAt, name, unreadCount }) => ({ contact, name, unreadCount, lastMessageAt }))
          .sort((a, b) => (a.lastMessageAt < b.lastMessageAt ? 1 : -1))
      )
      for (const lead of leads) {
        assert.deepInclude(lead, { status: "OPEN", assignedTo: null, teamName: null, origin: "INBOUND" })
        const { messages } = expected.find(({ contact }) => contact === lead.contact)!
        assert.deepStrictEqual(await conversation(lead.id), messages, lead.contact)
      }
      assert.isAtLeast(kills, 1)
      console.log(`${leads.length} leads, ${deeds} deeds reported twice, ${kills} kills`)
    },
    Math.max(180_000, deeds * 100)
  )
})
