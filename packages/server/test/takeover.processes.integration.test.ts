import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { PgDatabase } from "@countersign/postgres"
import { Duration, Effect, Redacted } from "effect"
import { Client, phone } from "./fixture/Client.ts"
import { Providers, shown } from "./fixture/Delivery.ts"
import * as OwnPostgres from "./fixture/OwnPostgres.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { until } from "./fixture/Until.ts"

const tookOver = /Took over the jobs and requests of a process that ended/
const lease = 15

describe("two processes on one Postgres", () => {
  let postgres: OwnPostgres.OwnPostgres
  let providers: Providers
  let variables: ServerProcess.Variables
  let survivor: ServerProcess.ServerProcess
  let keys: Client["keys"]
  const clientOf = (server: ServerProcess.ServerProcess) => new Client(overProcesses([server]), keys)

  const query = (statement: string) =>
    Effect.runPromise(
      Effect.flatMap(PgDatabase, (database) => database.query(statement, [])).pipe(
        Effect.provide(
          PgDatabase.layer({
            connection: {
              url: Redacted.make(postgres.url),
              applicationName: "test",
              startupParameters: { search_path: "countersign" }
            },
            connections: 1,
            deadline: Duration.seconds(20)
          })
        )
      )
    )

  beforeAll(async () => {
    postgres = await OwnPostgres.make()
    providers = await Providers.start()
    variables = { ...variablesFor(postgres.url), ...providers.variables, PUBLIC_URL: "http://localhost" }
    survivor = await ServerProcess.serve(variables)
    const { live } = await overProcesses([survivor]).merchant()
    keys = live.keys
  })
  afterAll(async () => {
    await providers?.letGo()
    await survivor?.kill("SIGTERM")
    await providers?.close()
    await postgres?.close()
  })

  /** A send in progress: the provider has the message and does not answer. */
  const sending = async (server: ServerProcess.ServerProcess) => {
    const identity = phone()
    providers.hold(identity)
    const requestId = await clientOf(server).started({ identity, channel: "SMS" })
    await asked(identity, 1)
    return { identity, requestId }
  }
  const asked = (identity: string, times: number) =>
    until(
      () => providers.asked(identity),
      (count) => count >= times,
      { what: `${times} requests to the provider` }
    )
  const sendJob = `select attempt, extract(epoch from run_at)::float8 from job where kind = 'send'`
  const isSent = (requestId: string) =>
    until(
      async () => shown((await clientOf(survivor).status({ requestId })).body).join(),
      (all) => all === "SMS SENT",
      { what: "SMS SENT" }
    )
  const noSendsLeft = () =>
    until(
      () => query(sendJob),
      (jobs) => jobs.length === 0,
      { what: "the end of the send" }
    )
  /** Each process has its lock again, and has checked the others' since the crash. */
  const bothLook = () =>
    until(
      () =>
        query(`select from pg_stat_activity
          where application_name = 'countersign' and query like '%pg_try_advisory_xact_lock_shared(number)%' and state = 'idle'`).catch(
          () => []
        ),
      (looking) => looking.length === 2,
      { what: "both processes looking" }
    )

  it("resume a send of a process killed by SIGKILL before its lease ends", async () => {
    const doomed = await ServerProcess.serve(variables)
    const { identity, requestId } = await sending(doomed)
    const [[, leasedUntil] = []] = await query(sendJob)
    await doomed.kill("SIGKILL")
    await asked(identity, 2)
    const [[fence, leasedAgainUntil] = []] = await query(sendJob)
    assert.strictEqual(fence, 2)
    assert.isBelow(Number(leasedAgainUntil) - lease, Number(leasedUntil))
    await providers.letGo()
    await isSent(requestId)
    await noSendsLeft()
    assert.match(survivor.output(), tookOver)
  })

  it("declare no process dead after a crash of Postgres, and send nothing twice", async () => {
    const other = await ServerProcess.serve(variables)
    const before = survivor.output().split("\n").length
    const { identity, requestId } = await sending(other)
    await postgres.crash()
    await postgres.start()
    await bothLook()
    await providers.letGo()
    await isSent(requestId)
    await noSendsLeft()
    assert.notMatch(survivor.output().split("\n").slice(before).join("\n"), tookOver)
    assert.notMatch(other.output(), tookOver)
    assert.strictEqual(await providers.asked(identity), 1)
    assert.strictEqual((await other.kill("SIGTERM")).code, 0)
  })

  it("send and change nothing in a process that was suspended longer than its lease", async () => {
    const still = await ServerProcess.serve(variables)
    const { identity, requestId } = await sending(still)
    process.kill(still.pid, "SIGSTOP")
    // Its connections are open and its lock is held, so only its lease can end. Here it ends now.
    await query("update job set run_at = now() where kind = 'send'")
    await asked(identity, 2)
    await providers.letGo()
    await isSent(requestId)
    process.kill(still.pid, "SIGCONT")
    // It answers again, so it has read the provider's answer.
    assert.deepStrictEqual(shown((await clientOf(still).status({ requestId })).body), ["SMS SENT"])
    await noSendsLeft()
    assert.strictEqual((await still.kill("SIGTERM")).code, 0)
    assert.deepStrictEqual(shown((await clientOf(survivor).status({ requestId })).body), ["SMS SENT"])
    assert.isAtMost(await providers.asked(identity), 2)
  })
})
