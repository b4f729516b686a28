import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Client, email, phone } from "./fixture/Client.ts"
import { Providers } from "./fixture/Delivery.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { callHook, type Kind, kinds, signInSystems } from "./fixture/hookCalls.ts"
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
  "create trigger at_gate after insert on verification for each row execute function wait_at_gate()"
]

/** Those who wait at the gate. */
const atGate = `
select 1 from pg_locks where locktype = 'advisory' and objid = 19 and granted
and database = (select oid from pg_database where datname = current_database())`

/** How often each system tries again when a connection ends without an answer. */
const triesAgain: { readonly [name in Kind]: number } = {
  "supabase-sms": 2,
  "supabase-email": 2,
  "zitadel-sms": 2,
  "zitadel-email": 2,
  kratos: 5,
  auth0: 5,
  generic: 3
}

describe("a process killed between the commit of a hook's code and its answer", () => {
  let database: FreshDatabase.FreshDatabase
  let providers: Providers
  let variables: ServerProcess.Variables
  let survivors: ReadonlyArray<ServerProcess.ServerProcess> = []
  let live: Client
  beforeAll(async () => {
    database = await FreshDatabase.make()
    providers = await Providers.start()
    variables = { ...variablesFor(database.url), ...providers.variables, PUBLIC_URL: "http://localhost" }
    survivors = [await ServerProcess.serve(variables), await ServerProcess.serve(variables)]
    live = (await overProcesses(survivors.slice(0, 1)).withOwner()).live
    for (const statement of gate) await database.query(statement)
  })
  afterAll(async () => {
    for (const survivor of survivors) await survivor.kill("SIGTERM")
    await providers?.close()
    await database?.drop()
  })

  const rows = async () => (await database.query("select id from verification")).length

  it.each(kinds)("leaves one row and one message of %s, and answers every try as the first", async (kind) => {
    const made = await live.post("/v1/dashboard/hooks", { kind, name: "Sign-in" })
    assert.strictEqual(made.status, 201, made.text)
    const { id, secret } = made.body
    const system = signInSystems[kind]
    const identity = system.channel === "EMAIL" ? email() : phone()
    const body = system.body({ identity, code: "482913" })
    const sign = system.signing(secret, body)
    /** Each system signs each of its tries, at the time of the try. */
    let time = Math.floor(Date.now() / 1000)
    const tryAt = ({ url }: ServerProcess.ServerProcess) => callHook(url, { id, kind }, sign(time++), body)

    const before = await rows()
    const doomed = await ServerProcess.serve(variables)
    await database.query("insert into gate values (true)")
    const first = tryAt(doomed)
    await until(
      () => database.query(atGate),
      ({ length }) => length > 0,
      { what: "the code in its commit" }
    )
    // The second try comes while the first one is not decided.
    const second = tryAt(survivors[0]!)
    await doomed.kill("SIGKILL")
    assert.strictEqual((await first).status, 0, "the process ended before its answer")
    // Postgres continues a statement whose client is gone, and commits it.
    await database.query("delete from gate")
    const answers = [await second]
    for (let n = 1; n < triesAgain[kind]; n++) {
      answers.push(...(await Promise.all(survivors.map(tryAt))))
    }
    for (const { status, text } of answers) assert.deepStrictEqual([status, text], [200, "{}"])
    await until(
      () => providers.messagesTo(identity),
      ({ length }) => length > 0,
      { what: "the message" }
    )
    const path = `/v1/dashboard/hooks/${id}/requests`
    const { items } = (
      await until(
        () => live.get(path),
        ({ body }) => body.items.length === answers.length,
        { what: "the list of the hook" }
      )
    ).body
    const outcomes = items.map(({ outcome }: { readonly outcome: string }) => outcome)
    assert.deepStrictEqual([...new Set(outcomes)], ["REPEATED"])
    const deliveries = new Set(items.flatMap((item: any) => item.deliveries.map((each: any) => each.id)))
    assert.strictEqual(deliveries.size, 1)
    assert.strictEqual(await rows(), before + 1)
    assert.lengthOf(await providers.messagesTo(identity), 1)
    assert.strictEqual(await providers.asked(identity), 1)
  })

  it.each(kinds)("sends once when two tries of %s arrive at two processes at the same moment", async (kind) => {
    const { body: hook } = await live.post("/v1/dashboard/hooks", { kind, name: "Sign-in" })
    const system = signInSystems[kind]
    for (let round = 0; round < 5; round++) {
      const identity = system.channel === "EMAIL" ? email() : phone()
      const body = system.body({ identity, code: "482913" })
      const sign = system.signing(hook.secret, body)
      const before = await rows()
      const answers = await Promise.all(survivors.map(({ url }) => callHook(url, hook, sign(), body)))
      for (const { status, text } of answers) assert.deepStrictEqual([status, text], [200, "{}"])
      await until(
        () => providers.messagesTo(identity),
        ({ length }) => length > 0,
        { what: "the message" }
      )
      assert.strictEqual(await rows(), before + 1)
      assert.strictEqual(await providers.asked(identity), 1)
    }
  })
})
