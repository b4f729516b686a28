import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Client, phone } from "./fixture/Client.ts"
import { numbers, Providers } from "./fixture/Delivery.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { until } from "./fixture/Until.ts"

/**
 * The number of killed processes, each with a reply at every point. Sends without an answer are given up after a
 * minute, so the suite runs this only in `pnpm chaos`; core tests the same with a test clock.
 */
const rounds = Number(process.env["REPLY_KILLS"] ?? "0")

const points = Object.keys(numbers) as ReadonlyArray<keyof typeof numbers>

interface Reply {
  readonly point: keyof typeof numbers
  readonly leadId: number
  readonly id: string
  readonly text: string
}

describe.skipIf(rounds === 0)("a process that is killed while it sends replies", () => {
  let database: FreshDatabase.FreshDatabase
  let providers: Providers
  let variables: ServerProcess.Variables
  let survivor: ServerProcess.ServerProcess
  let keys: Client["keys"]

  const clientOf = (server: ServerProcess.ServerProcess) => new Client(overProcesses([server]), keys)

  beforeAll(async () => {
    database = await FreshDatabase.make()
    providers = await Providers.start()
    variables = { ...variablesFor(database.url), ...providers.variables, PUBLIC_URL: "http://localhost" }
    survivor = await ServerProcess.serve(variables)
    keys = (await overProcesses([survivor]).merchant()).live.keys
    await Effect.runPromise(providers.whatsapp.callbackTo(`${survivor.url}/v1/callbacks/whatsapp`))
  })
  afterAll(async () => {
    await survivor?.kill("SIGTERM")
    await providers?.close()
    await database?.drop()
  })

  /** A customer who wrote to that number, so replies are sent from it. */
  const lead = async (to: string): Promise<number> => {
    const from = phone().slice(1)
    await Effect.runPromise(providers.whatsapp.customer(from, { to }).says("Is anybody there?"))
    const { body } = await until(
      () => clientOf(survivor).get(`/v1/whatsapp/leads?phone=${from}`),
      ({ body }) => body.length === 1,
      { what: "the lead" }
    )
    return body[0].id
  }

  const taken = async ({ text }: Reply) =>
    (await Effect.runPromise(providers.whatsapp.messages)).filter((message) => message.text === text).length

  const asked = async ({ text }: Reply) =>
    (await Effect.runPromise(providers.whatsapp.seen)).filter(({ raw }) => String(raw).includes(text)).length

  const shown = async ({ id, leadId }: Reply) => {
    const { body } = await clientOf(survivor).get(`/v1/dashboard/leads/${leadId}/messages?limit=200`)
    return body.items.find((item: any) => item.id === id)
  }

  it(
    "sends each reply once, or records why not",
    async () => {
      const tally = new Map<string, number>()
      for (let round = 0; round < rounds; round++) {
        await providers.trouble(false)
        const leads = await Promise.all(points.map((point) => lead(numbers[point])))
        await providers.trouble(true)
        const victim = await ServerProcess.serve(variables)
        const replies = await Promise.all(
          points.flatMap((point, at) =>
            [1, 2, 3].map(async (n): Promise<Reply> => {
              const text = `Yes (${round}, ${point}, ${n}).`
              const answer = await clientOf(victim).post(`/v1/dashboard/leads/${leads[at]}/reply`, { text })
              assert.strictEqual(answer.status, 201, answer.text)
              return { point, leadId: leads[at]!, id: answer.body.id, text }
            })
          )
        )
        await until(
          async () => (await Promise.all(replies.map(asked))).filter((count) => count > 0).length,
          (count) => count >= replies.length / 2,
          { what: "the provider asked for half of the replies" }
        )
        assert.strictEqual((await victim.kill("SIGKILL")).signal, "SIGKILL")
        await providers.trouble(false)
        for (const reply of replies) {
          const message = await until(
            () => shown(reply),
            ({ status }) => status !== "PENDING",
            { what: `an end of ${reply.text}` }
          )
          const count = await taken(reply)
          assert.isAtMost(count, 1, reply.text)
          if (message.status === "SENT") assert.strictEqual(count, 1, reply.text)
          if (message.status === "FAILED") {
            assert.isString(message.error, reply.text)
            if (message.error !== "unanswered") assert.strictEqual(count, 0, reply.text)
          }
          const what = `${reply.point}: ${message.status}${message.error === null ? "" : ` ${message.error}`}, ${count} taken`
          tally.set(what, (tally.get(what) ?? 0) + 1)
        }
      }
      console.log([...tally].map(([what, count]) => `${what} (${count})`).join("\n"))
    },
    180_000 + rounds * 120_000
  )
})
