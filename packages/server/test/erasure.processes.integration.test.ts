import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Client, code, phone, uuid } from "./fixture/Client.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { Inbox } from "./fixture/Inbox.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import { Receiver } from "./fixture/Receiver.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { until } from "./fixture/Until.ts"

const spellingsOf = (number: string) => {
  const national = number.slice(3)
  return [number, `${national.slice(0, 5)} ${national.slice(5)}`, `91-${national.slice(0, 4)}-${national.slice(4)}`]
}

/** The forms in which a text may stand in a table. */
const formsOf = (text: string) =>
  [text, JSON.stringify(text).slice(1, -1), Buffer.from(text).toString("hex")]
    .concat(
      [0, 1, 2].map((before) =>
        Buffer.from(`${" ".repeat(before)}${text}`)
          .toString("base64")
          .slice(4, -4)
      )
    )
    .filter((form) => form.length > 3)

/** One of two processes on one database is killed while it erases a person. */
describe("an erasure with two processes", () => {
  let database: FreshDatabase.FreshDatabase
  let variables: ServerProcess.Variables
  let survivor: ServerProcess.ServerProcess
  let receiver: Receiver
  let client: Client
  let inbox: Inbox

  beforeAll(async () => {
    database = await FreshDatabase.make()
    receiver = await Receiver.start()
    variables = { ...variablesFor(database.url), COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS: "true" }
    survivor = await ServerProcess.serve(variables)
    client = await overProcesses([survivor]).client({ oneTap: true, hourlyLimit: 1000 })
    inbox = new Inbox(client)
    await client.webhook({ url: receiver.endpoint() })
  })
  afterAll(async () => {
    await survivor?.kill("SIGTERM")
    await receiver?.close()
    await database?.drop()
  })

  /** Every row of every table, as text, with the name of its table in front. */
  const dump = async (): Promise<ReadonlyArray<string>> => {
    const tables = await database.query(
      "select relname::text from pg_class where relkind = 'r' and relnamespace = current_schema()::regnamespace order by 1"
    )
    const rows = await Promise.all(
      tables.map(async ([table]) => {
        const found = await database.query(`select t::text from "${String(table)}" t order by 1`)
        return found.map(([row]) => `${String(table)}: ${String(row)}`)
      })
    )
    return rows.flat()
  }

  const holding = (rows: ReadonlyArray<string>, texts: ReadonlyArray<string>) => {
    const forms = texts.flatMap(formsOf)
    return rows.filter((row) => forms.some((form) => row.includes(form)))
  }

  /** A person who logged in with every spelling, and has a conversation. */
  const live = async (number: string, name: string, text: string, order: string) => {
    for (const [n, identity] of spellingsOf(number).entries()) {
      const started = await client.initiate(
        { identity, orderId: `${order} ${n}`, deviceInfo: { model: `${name}'s own` } },
        { "idempotency-key": uuid() }
      )
      const { deviceToken, requestId } = started.body
      await client.verify({ requestId, otp: code, deviceToken }, { "idempotency-key": uuid() })
      await client.confirm({ requestId }, { "idempotency-key": uuid() })
    }
    const waiting = (await client.initiate({ identity: number, orderId: `${order} last` })).body.requestId
    const { id } = await inbox.entered({ phone: number, name })
    await inbox.note(id, text)
    await inbox.reply(id, { template: "hello", values: [text] })
    return { waiting, leadId: id }
  }

  const linesOf = async (number: string) => {
    const { headers, status, text } = await client.get(`/v1/dashboard/export?identity=${encodeURIComponent(number)}`)
    assert.strictEqual(status, 200, text)
    assert.strictEqual(headers["content-type"], "application/x-ndjson")
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line))
  }

  const erasureOf = async (id: string) => (await client.get(`/v1/dashboard/erasures/${id}`)).body

  it("exports everything, then deletes all data of one person and none of another, though its process is killed", async () => {
    const [one, other] = [phone(), phone()]
    const canaries = [one.slice(3), ...spellingsOf(one).slice(1), "Canary Singh", "secret parrot", "order-canary"]
    const { waiting } = await live(one, "Canary Singh", "a secret parrot", "order-canary")
    await live(other, "Ravi Other", "something else", "order-other")
    const lines = await linesOf(spellingsOf(one)[1]!)
    assert.includeMembers(
      lines.map(({ kind }) => kind),
      ["person", "verification", "device", "limits", "lead", "message", "history", "event", "end"]
    )
    assert.lengthOf(
      lines.filter(({ kind }) => kind === "verification"),
      4
    )
    // Waits until all background work for both people is done.
    await until(dump, (rows) => !rows.some((row) => /^job: .*(send|reply|webhook):/.test(row)), { what: "rest" })
    const theirs = [other.slice(3), ...spellingsOf(other).slice(1), "Ravi Other", "something else", "order-other"]
    const before = holding(await dump(), theirs)
    assert.isNotEmpty(holding(await dump(), canaries))

    const victim = await ServerProcess.serve(variables)
    const asked = { path: "/v1/dashboard/erase", method: "POST", body: { identity: spellingsOf(one)[2] } }
    const begun = await overProcesses([victim]).send(client.call(asked))
    process.kill(victim.pid, "SIGKILL")
    assert.strictEqual(begun.status, 202, begun.text)
    const { erasureId } = begun.body
    const done = await until(
      () => erasureOf(erasureId),
      ({ status }) => status === "DONE",
      { what: "an erasure" }
    )
    assert.deepStrictEqual(done.removed, { verifications: 4, devices: 3, leads: 1, messages: 2 })
    assert.notInclude(JSON.stringify(done), one.slice(3))
    const status = await client.status({ requestId: waiting })
    assert.strictEqual(status.body.errorCode, "TRANSACTION_NOT_FOUND")

    // No table may contain their identities: limits are counted under a keyed hash.
    assert.deepStrictEqual(holding(await dump(), canaries), [])
    // An hour later the hash is deleted as well.
    const kept = "from subject where canonical like '#%'"
    assert.lengthOf(await database.query(`select 1 ${kept}`), 1)
    await database.query(`update subject set state = (state::jsonb || '{"codes": []}')::text where canonical like '#%'`)
    await until(
      async () => {
        await database.query("update job set run_at = now() where kind = 'erase' and attempt > 0")
        return database.query(`select 1 ${kept}`)
      },
      (rows) => rows.length === 0,
      { what: "the end of what limits count" }
    )
    const after = holding(await dump(), theirs)
    assert.deepStrictEqual(after, before)
    const events = (await client.events({ limit: "200" })).body.items
    const masked = events.filter(({ data }: any) => data.identity?.includes("*"))
    assert.isAtLeast(masked.length, 7)
    assert.isTrue(
      masked.every(({ data }: any) => data.orderId === null && data.identity === `+91******${one.slice(-4)}`)
    )
    const audit = (await client.get("/v1/dashboard/audit?action=person.erased")).body.items
    assert.lengthOf(audit, 1)
    assert.match(audit[0].target.id, /^[0-9a-f]{64}$/)
    assert.lengthOf((await client.get("/v1/dashboard/audit?action=person.exported")).body.items, 1)
    assert.deepStrictEqual(
      (await linesOf(one)).map(({ kind }) => kind),
      ["person", "end"]
    )
  })
})
