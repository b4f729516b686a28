import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type App, appOf } from "./fixture/App.ts"
import { Client, code, type Keys, phone, uuid } from "./fixture/Client.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { until } from "./fixture/Until.ts"
import { type Answer, type Held, hold, send } from "./fixture/Wire.ts"

const requests = 50
/** Several keys are in progress when the process is killed, so it dies with requests in more than one state. */
const keys = 6

interface Attempt {
  readonly header: { readonly "idempotency-key": string }
  readonly fields: { readonly phone: string }
  /** Null for requests that were connected to the killed process. */
  readonly answers: ReadonlyArray<Promise<Answer | null>>
}

/**
 * While the gate is closed, no answer is stored: the work is committed, but no client has its answer. A waiting process
 * holds a lock with its number, which others see before anything is committed.
 */
const gate = [
  "create table gate (shut boolean)",
  `create function wait_at_gate() returns trigger language plpgsql as $$
   begin
     perform pg_advisory_xact_lock_shared(18, hashint8(new.owner));
     while exists (select from gate) loop perform pg_sleep(0.01); end loop;
     return new;
   end $$`,
  `create trigger at_gate before update on idempotency for each row
   when (old.status is null and new.status is not null) execute function wait_at_gate()`,
  "insert into gate values (true)"
]

/** The processes that wait at the gate. */
const atGate = `
select distinct objid::text from pg_locks
where locktype = 'advisory' and classid = 18 and objsubid = 2
and database = (select oid from pg_database where datname = current_database())`

describe("a process killed while apps repeat requests", () => {
  let database: FreshDatabase.FreshDatabase
  let variables: ReturnType<typeof variablesFor>
  let survivor: ServerProcess.ServerProcess
  let credentials: Keys
  let app: App
  const running: Array<ServerProcess.ServerProcess> = []
  const serve = async () => {
    const server = await ServerProcess.serve(variables)
    running.push(server)
    return server
  }
  beforeAll(async () => {
    database = await FreshDatabase.make()
    variables = variablesFor(database.url)
    survivor = await serve()
    const client = await overProcesses([survivor]).client({ sdkInitiatesPerIpPerHour: 1000 })
    credentials = client.keys
    app = await appOf(client)
  })
  afterAll(async () => {
    await Promise.all(running.map((server) => server.kill("SIGTERM")))
    await database?.drop()
  })

  const initiatedFor = async (phones: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
    const client = new Client(overProcesses([survivor]), credentials)
    const { items } = (await client.events({ type: "otp.initiated", limit: "200" })).body
    return items.map(({ data }: any) => data.identity).filter((identity: string) => phones.includes(identity))
  }

  /**
   * Sends all keys concurrently to both processes. Every other key's first request goes to the process that will be
   * killed.
   */
  const begin = async (
    doomed: ServerProcess.ServerProcess,
    afterTheFirst: (phones: ReadonlyArray<string>) => Promise<void>
  ): Promise<ReadonlyArray<Attempt>> => {
    const prepared = await Promise.all(
      Array.from({ length: keys }, async (_, key) => {
        const [header, fields] = [{ "idempotency-key": uuid() }, { phone: phone() }]
        const urls = key % 2 === 0 ? [doomed.url, survivor.url] : [survivor.url, doomed.url]
        const held = await Promise.all(
          Array.from({ length: requests }, (_, i) => hold(urls[i % 2]!, app.initiateCall(fields, header)))
        )
        return { header, fields, held }
      })
    )
    const released = ({ release }: Held) => release().catch(() => null)
    const firsts = prepared.map(({ held }) => released(held[0]!))
    await afterTheFirst(prepared.map(({ fields }) => fields.phone))
    return prepared.map(({ fields, header, held }, key) => ({
      header,
      fields,
      answers: [firsts[key]!, ...held.slice(1).map(released)]
    }))
  }

  /** Each key has one session with one message, and all clients that got an answer got the same. */
  const assertOnce = async (attempts: ReadonlyArray<Attempt>, what: string) => {
    const client = new Client(overProcesses([survivor]), credentials)
    const unanswered: Array<number> = []
    for (const { answers, fields, header } of attempts) {
      const again = await Promise.all(
        Array.from({ length: 5 }, () => send(survivor.url, app.initiateCall(fields, header)))
      )
      const heard = (await Promise.all(answers)).filter((answer) => answer !== null)
      unanswered.push(requests - heard.length)
      for (const { status, text } of [...heard, ...again]) assert.strictEqual(status, 200, text)
      assert.strictEqual(new Set([...heard, ...again].map(({ text }) => text)).size, 1)
      const { sessionId } = again[0]!.body
      const { body } = await client.status({ requestId: sessionId })
      assert.deepInclude(body, { identity: fields.phone, authStatus: "PENDING" })
      assert.strictEqual(body.deliveries.length, 1)
      assert.strictEqual((await app.verify({ sessionId, code })).body.verified, true)
    }
    assert.isAbove(Math.max(...unanswered), 0, "the process ended in the middle")
    const phones = attempts.map(({ fields }) => fields.phone)
    assert.sameMembers([...(await initiatedFor(phones))], phones)
    console.log(
      `kill -9 ${what}: of ${keys} × ${requests} repeats ${unanswered.join(", ")} unanswered, one session each`
    )
  }

  it("at the first answer leaves one session and one message per Idempotency-Key", async () => {
    const doomed = await serve()
    const attempts = await begin(doomed, async () => {})
    await Promise.race(attempts.flatMap(({ answers }) => answers))
    await doomed.kill("SIGKILL")
    await assertOnce(attempts, "at the first answer")
  })

  it("after the work and before its answer is stored leaves the same", async () => {
    const doomed = await serve()
    for (const statement of gate) await database.query(statement)
    const attempts = await begin(doomed, async (phones) => {
      await until(
        () => initiatedFor(phones),
        ({ length }) => length === keys,
        { what: "the work of every key" }
      )
      await until(
        () => database.query(atGate),
        ({ length }) => length === 2,
        { what: "both processes about to record an answer" }
      )
    })
    await doomed.kill("SIGKILL")
    // Postgres continues a statement whose client is gone; this one must not continue.
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
       and pid <> pg_backend_pid() and state = 'active' and query like '%update idempotency%'`
    )
    await database.query("delete from gate")
    await assertOnce(attempts, "before any answer was recorded")
    assert.match(survivor.output(), /Took over the jobs and requests of a process that ended/)
  })
})
