import { createHmac } from "node:crypto"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Client, phone, uuid } from "./fixture/Client.ts"
import { Providers } from "./fixture/Delivery.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { until } from "./fixture/Until.ts"

/** While the gate is shut, a new verification waits in its statement: it is written, and no process has heard of it. */
const gate = [
  "create table gate (shut boolean)",
  `create function wait_at_gate() returns trigger language plpgsql as $$
   begin
     perform pg_advisory_xact_lock_shared(19);
     while exists (select from gate) loop perform pg_sleep(0.01); end loop;
     return null;
   end $$`,
  "create trigger at_gate after insert on verification for each row execute function wait_at_gate()",
  "insert into gate values (true)"
]

/** Those who wait at the gate. */
const atGate = `
select 1 from pg_locks where locktype = 'advisory' and objid = 19 and granted
and database = (select oid from pg_database where datname = current_database())`

describe("a process killed between the commit of a hook's code and its answer", () => {
  let database: FreshDatabase.FreshDatabase
  let providers: Providers
  let variables: ServerProcess.Variables
  let survivor: ServerProcess.ServerProcess
  let live: Client
  beforeAll(async () => {
    database = await FreshDatabase.make()
    providers = await Providers.start()
    variables = { ...variablesFor(database.url), ...providers.variables, PUBLIC_URL: "http://localhost" }
    survivor = await ServerProcess.serve(variables)
    live = (await overProcesses([survivor]).withOwner()).live
  })
  afterAll(async () => {
    await survivor?.kill("SIGTERM")
    await providers?.close()
    await database?.drop()
  })

  it("leaves one message, whatever Supabase tries again", async () => {
    const made = await live.post("/v1/dashboard/hooks", { kind: "supabase-sms", name: "Sign-in" })
    assert.strictEqual(made.status, 201, made.text)
    const { id, secret } = made.body
    const key = Buffer.from(secret.replace(/^.*whsec_/, ""), "base64")
    const identity = phone()
    const body = JSON.stringify({
      metadata: { uuid: uuid(), name: "send-sms", ip_address: "203.0.113.7" },
      user: { id: uuid(), phone: identity.slice(1) },
      sms: { otp: "482913" }
    })
    /** Supabase keeps the body for each try, and makes a new `webhook-id`. */
    const tryAt = async ({ url }: ServerProcess.ServerProcess) => {
      const [webhookId, at] = [uuid(), Math.floor(Date.now() / 1000)]
      const signature = createHmac("sha256", key).update(`${webhookId}.${at}.${body}`).digest("base64")
      const answer = await fetch(`${url}/v1/hooks/supabase-sms/${id}`, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "webhook-id": webhookId,
          "webhook-timestamp": String(at),
          "webhook-signature": `v1,${signature}`
        },
        body
      })
      return { status: answer.status, text: await answer.text() }
    }

    const doomed = await ServerProcess.serve(variables)
    for (const statement of gate) await database.query(statement)
    const first = tryAt(doomed).catch(() => null)
    await until(
      () => database.query(atGate),
      ({ length }) => length > 0,
      { what: "the code in its commit" }
    )
    await doomed.kill("SIGKILL")
    assert.isNull(await first, "the process ended before its answer")
    // Postgres continues a statement whose client is gone, and commits it.
    await database.query("delete from gate")
    await until(
      () => database.query("select id from verification"),
      ({ length }) => length === 1,
      { what: "the commit without an answer" }
    )
    for (let n = 0; n < 3; n++) assert.deepStrictEqual(await tryAt(survivor), { status: 200, text: "{}" })
    await until(
      () => providers.messagesTo(identity),
      ({ length }) => length === 1,
      { what: "the message" }
    )
    const { body: list } = await live.get(`/v1/dashboard/hooks/${id}/requests`)
    assert.deepStrictEqual(
      list.items.map(({ outcome }: { readonly outcome: string }) => outcome),
      ["REPEATED", "REPEATED", "REPEATED"]
    )
    const stored = await database.query("select id from verification")
    assert.lengthOf(stored, 1)
    assert.lengthOf(await providers.messagesTo(identity), 1)
  })
})
