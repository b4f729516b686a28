import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Client, code, phone } from "./fixture/Client.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { isBrokenConnection } from "./fixture/Load.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import { Random } from "./fixture/Random.ts"
import { Receiver, type Received } from "./fixture/Receiver.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { until } from "./fixture/Until.ts"

/** The number of killed processes. */
const rounds = Number(process.env["KILL_ROUNDS"] ?? "3")
const workers = 6

/** The point between an event and the record of its attempt. */
const points = [
  "at a random instant",
  "with requests on their way",
  "after an acknowledged commit",
  "while the receiver has the webhook",
  "after the receiver's 2xx"
] as const
type Point = (typeof points)[number]

describe("a process that is killed while it sends webhooks", () => {
  let database: FreshDatabase.FreshDatabase
  let receiver: Receiver
  let variables: ServerProcess.Variables
  let survivor: ServerProcess.ServerProcess
  let client: Client
  let url: string
  let webhookId: string
  /** What the receiver does before and after it answers; at first nothing. */
  let before: (received: Received) => Promise<"hang" | undefined> = async () => undefined
  let after: () => void = () => {}
  const random = new Random(8)

  const count = async (statement: string) => Number((await database.query(statement))[0]?.[0])

  beforeAll(async () => {
    database = await FreshDatabase.make()
    receiver = await Receiver.start()
    variables = { ...variablesFor(database.url), COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS: "true" }
    survivor = await ServerProcess.serve(variables)
    client = await overProcesses([survivor]).client({ hourlyLimit: 1000 })
    url = receiver.endpoint(async (_, received) => {
      if ((await before(received)) === "hang") return "hang"
      setImmediate(() => after())
      return { status: 204 }
    })
    webhookId = (await client.webhook({ url })).id
    // The backfill for a new endpoint must not hide a lost event.
    await database.query("update job set run_at = now() where kind = 'replay'")
    await until(
      () => count("select count(*)::int from job where kind = 'replay'"),
      (open) => open === 0,
      { what: "the end of the look back" }
    )
  })
  afterAll(async () => {
    receiver?.letGo()
    await survivor?.kill("SIGTERM")
    await receiver?.close()
    await database?.drop()
  })

  const acknowledged = { started: new Set<string>(), verified: new Set<string>() }
  let unanswered = 0

  /** Logs people in through a process until it is killed at that point. */
  const strike = async (point: Point) => {
    const victim = await ServerProcess.serve(variables)
    const one = overProcesses([victim])
    let killed = false
    const kill = () => {
      if (!killed) process.kill(victim.pid, "SIGKILL")
      killed = true
    }
    // Not the first, so that all work is in progress by then.
    let left = 1 + random.below(12)
    const countdown = () => {
      if (--left <= 0) kill()
    }
    if (point === "at a random instant") setTimeout(kill, random.below(120))
    before = async () => {
      if (point !== "while the receiver has the webhook" || killed) return undefined
      countdown()
      return killed ? "hang" : undefined
    }
    after = () => {
      if (point === "after the receiver's 2xx" && !killed) countdown()
    }
    const ask = async (path: string, body: unknown): Promise<any> => {
      const answer = one.send(client.call({ path, body }))
      if (point === "with requests on their way") countdown()
      return answer.then(
        ({ body, status, text }) => {
          assert.strictEqual(status, 200, text)
          return body
        },
        (error) => {
          if (!isBrokenConnection(error)) throw error
          unanswered++
          return undefined
        }
      )
    }
    const worker = async () => {
      while (!killed) {
        const started = await ask("/v1/auth/initiate", { identity: phone(), identityType: "MOBILE", mode: "OTP" })
        if (started === undefined) return
        acknowledged.started.add(started.requestId)
        if (point === "after an acknowledged commit") countdown()
        const verified = await ask("/v1/auth/verify", { requestId: started.requestId, otp: code })
        if (verified?.verified === true) acknowledged.verified.add(started.requestId)
      }
    }
    await Promise.all(Array.from({ length: workers }, worker))
    assert.strictEqual((await victim.ended).signal, "SIGKILL")
    before = async () => undefined
    after = () => {}
    receiver.letGo()
  }

  it(
    "leaves every change with its event, and every event delivered",
    async () => {
      for (let round = 0; round < rounds; round++) await strike(points[round % points.length]!)
      const left = await count("select count(*)::int from job where kind = 'webhook'")
      const jobs = "select count(*)::int from job where kind in ('webhook', 'replay', 'send', 'fallback')"
      await until(
        () => count(jobs),
        (open) => open === 0,
        { what: "the end of all jobs" }
      )

      // Each change has its event, and each event its change.
      const changes = `select v.id, v.state::json->>'status',
        (select count(*)::int from event e where e.type = 'otp.initiated' and e.data::json->>'requestId' = v.id),
        (select count(*)::int from event e where e.type = 'otp.verified' and e.data::json->>'requestId' = v.id)
        from verification v`
      const states = new Map<string, string>()
      for (const [id, status, initiated, verified] of await database.query(changes)) {
        states.set(String(id), String(status))
        assert.deepStrictEqual(
          [initiated, verified],
          [1, status === "VERIFIED" ? 1 : 0],
          `${String(id)} ${String(status)}`
        )
      }
      for (const id of acknowledged.started) assert.isTrue(states.has(id), id)
      for (const id of acknowledged.verified) assert.strictEqual(states.get(id), "VERIFIED")
      const events = new Map(
        (await database.query("select id, data::json->>'requestId' from event")).map(([id, requestId]) => [
          String(id),
          String(requestId)
        ])
      )
      for (const requestId of events.values()) assert.isTrue(states.has(requestId), requestId)

      // Each event was delivered at least once, always with the same body, and no other event was.
      const told = new Map<string, { readonly body: string; times: number }>()
      for (const { body, event } of receiver.at(url)) {
        const known = told.get(event.id)
        assert.strictEqual(known?.body ?? body, body)
        told.set(event.id, { body, times: (known?.times ?? 0) + 1 })
      }
      assert.sameMembers([...told.keys()], [...events.keys()])

      // The log contains only real attempts, and ends with a success.
      const log = `select event_id, count(*)::int, count(*) filter (where status = 'DELIVERED')::int,
        count(distinct attempt)::int, count(*) filter (where status <> 'DELIVERED')::int
        from webhook_attempt where webhook_id = '${webhookId}' group by event_id`
      const entries = await database.query(log)
      assert.sameMembers(
        entries.map(([id]) => String(id)),
        [...events.keys()]
      )
      let failures = 0
      for (const [id, tries, delivered, , failed] of entries) {
        failures += Number(failed)
        assert.isAtLeast(Number(delivered), 1, String(id))
        assert.isAtMost(Number(tries), told.get(String(id))!.times, String(id))
      }
      assert.strictEqual(await count("select count(*)::int from job where dead_at is not null"), 0)
      const twice = [...told.values()].filter(({ times }) => times > 1).length
      console.log(
        `${rounds} processes killed: ${states.size} verifications, ${acknowledged.started.size} acknowledged, ` +
          `${unanswered} requests unanswered; ${events.size} events told, ${twice} of them more than once, ` +
          `${failures} tries failed; ${left} deliveries left behind`
      )
    },
    180_000 + 30_000 * rounds
  )
})
