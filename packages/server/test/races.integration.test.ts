import { Race } from "@countersign/testkit"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type Client, code, phone, refused, wrong } from "./fixture/Client.ts"
import { cluster, type Service } from "./fixture/Service.ts"
import { type Answer, type Call, hold } from "./fixture/Wire.ts"

/** Repetitions of each race: a few for every change, 50 to publish figures. */
const rounds = Number(process.env["RACE_ROUNDS"] ?? 1)
const timeout = 180_000 + rounds * 10_000

let service: Service
beforeAll(async () => {
  service = await cluster()
})
afterAll(() => service?.close())

/** Sends requests to both processes without their last byte, then releases all at the same instant. */
const together = async (client: Client, calls: ReadonlyArray<Call>): Promise<ReadonlyArray<Answer>> => {
  const held = await Promise.all(calls.map((call) => hold(service.url(), client.call(call))))
  const race = Race.together(held.length, (index) => Effect.tryPromise(() => held[index]!.release()))
  const { defects, failures, successes } = await Effect.runPromise(race)
  assert.deepStrictEqual([...failures, ...defects], [])
  assert.strictEqual(successes.length, calls.length)
  return successes
}

const times = (count: number, call: Call): ReadonlyArray<Call> => Array.from({ length: count }, () => call)
const guess = (requestId: string, otp: string): Call => ({ path: "/v1/auth/verify", body: { requestId, otp } })
const start = (identity: string): Call => ({
  path: "/v1/auth/initiate",
  body: { identity, identityType: "MOBILE", mode: "OTP" }
})

const leftOf = ({ body }: Answer) =>
  body.message.includes("No attempts") ? 0 : Number(/(\d+) attempt/.exec(body.message)?.[1])
const wrongOnes = (answers: ReadonlyArray<Answer>) =>
  answers.filter(({ body, status }) => status === 200 && body.verified === false)
const eventsOf = async (client: Client, type: string, requestId: string) =>
  (await client.events({ type, limit: "200" })).body.items.filter(({ data }: any) => data.requestId === requestId)
    .length

/** Limits so high that only the race itself matters. */
const open = { hourlyLimit: 1000, canonicalHourlyLimit: 0, maxConsecutiveFailures: 0, maxResends: 0 }

/** Runs a race repeatedly, and counts the wrong outcomes. */
const race = (name: string, run: () => Promise<void>) =>
  it(
    `${name}, ${rounds} times`,
    async () => {
      const deviations: Array<unknown> = []
      for (let round = 0; round < rounds; round++) {
        await run().catch((error: unknown) => deviations.push(error))
      }
      console.log(`${name}: ${rounds} rounds, ${deviations.length} deviations`)
      if (deviations.length > 0) throw deviations[0]
    },
    timeout
  )

describe("races between two processes", () => {
  for (const maxAttempts of rounds > 1 ? [1, 3, 10] : [1, 10]) {
    race(`200 concurrent wrong codes use up exactly ${maxAttempts} attempts`, async () => {
      const client = await service.client({ ...open, maxAttempts })
      const requestId = await client.started()
      const answers = await together(client, times(200, guess(requestId, wrong)))
      const counted = wrongOnes(answers)
      const expected = Array.from({ length: maxAttempts }, (_, left) => left)
      assert.deepStrictEqual(
        counted.map(leftOf).toSorted((a, b) => a - b),
        expected
      )
      for (const answer of answers) if (!counted.includes(answer)) refused(answer, "MAX_ATTEMPTS_EXCEEDED")
      refused(await client.verify({ requestId, otp: code }), "MAX_ATTEMPTS_EXCEEDED")
      assert.strictEqual((await client.status({ requestId })).body.authStatus, "FAILED")
      assert.strictEqual(await eventsOf(client, "otp.verified", requestId), 0)
    })
  }

  race("200 concurrent right codes verify once", async () => {
    const client = await service.client(open)
    const requestId = await client.started()
    const answers = await together(client, times(200, guess(requestId, code)))
    for (const { body, text } of answers) assert.strictEqual(body.verified, true, text)
    assert.strictEqual(answers.filter(({ body }) => !/already/i.test(body.message)).length, 1)
    const [one, other] = await Promise.all([client.status({ requestId }), client.status({ requestId })])
    assert.isString(one.body.verifiedAt)
    assert.strictEqual(other.body.verifiedAt, one.body.verifiedAt)
    assert.strictEqual(await eventsOf(client, "otp.verified", requestId), 1)
  })

  for (const maxAttempts of rounds > 1 ? [3, 10] : [3]) {
    race(`100 right and 100 wrong concurrent codes either verify once or use up ${maxAttempts} attempts`, async () => {
      const client = await service.client({ ...open, maxAttempts })
      const requestId = await client.started()
      const [right, bad] = [guess(requestId, code), guess(requestId, wrong)]
      const answers = await together(
        client,
        Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? bad : right))
      )
      const { authStatus, verifiedAt } = (await client.status({ requestId })).body
      const verified = answers.filter(({ body }) => body.verified === true)
      const exhausted = answers.filter(({ body }) => body.errorCode === "MAX_ATTEMPTS_EXCEEDED")
      const counted = wrongOnes(answers)
      assert.strictEqual(verified.length + exhausted.length + counted.length, 200)
      assert.strictEqual(new Set(counted.map(leftOf)).size, counted.length)
      if (authStatus === "VERIFIED") {
        assert.strictEqual(exhausted.length, 0)
        assert.isBelow(counted.length, maxAttempts)
        assert.strictEqual(verified.filter(({ body }) => !/already/i.test(body.message)).length, 1)
        assert.isString(verifiedAt)
      } else {
        assert.strictEqual(authStatus, "FAILED")
        assert.strictEqual(verified.length, 0)
        assert.strictEqual(counted.length, maxAttempts)
      }
      assert.strictEqual(await eventsOf(client, "otp.verified", requestId), authStatus === "VERIFIED" ? 1 : 0)
    })
  }

  race("100 concurrent initiates for one identity start one verification", async () => {
    const client = await service.client(open)
    const answers = await together(client, times(100, start(phone())))
    for (const { status, text } of answers) assert.strictEqual(status, 200, text)
    const ids = new Set(answers.map(({ body }) => body.requestId))
    assert.strictEqual(ids.size, 1)
    const [requestId] = ids
    const { deliveries } = (await client.settled(requestId)).body
    assert.deepStrictEqual(
      deliveries.map(({ attemptNumber }: any) => attemptNumber),
      Array.from({ length: 100 }, (_, i) => i + 1)
    )
    assert.strictEqual(await eventsOf(client, "otp.initiated", requestId), 1)
  })

  race("100 concurrent initiates for one identity make exactly 20 resends if 20 are allowed", async () => {
    const client = await service.client({ ...open, maxResends: 20 })
    const answers = await together(client, times(100, start(phone())))
    const sent = answers.filter(({ status }) => status === 200)
    assert.strictEqual(sent.length, 21)
    assert.strictEqual(new Set(sent.map(({ body }) => body.requestId)).size, 1)
    for (const answer of answers) if (answer.status !== 200) refused(answer, "RATE_LIMIT_EXCEEDED")
    assert.strictEqual((await client.settled(sent[0]!.body.requestId)).body.deliveries.length, 21)
  })

  race("100 concurrent spellings of one number get exactly 30 codes", async () => {
    const client = await service.client({ hourlyLimit: 10 })
    const digits = phone().slice(1)
    const spellings = Array.from(
      { length: 100 },
      (_, i) => `+${digits.slice(0, (i % 10) + 1)}${" ".repeat(1 + Math.floor(i / 10))}${digits.slice((i % 10) + 1)}`
    )
    const answers = await together(client, spellings.map(start))
    const started = answers.filter(({ status }) => status === 200)
    assert.strictEqual(new Set(started.map(({ body }) => body.requestId)).size, started.length)
    assert.strictEqual(started.length, 30)
    for (const answer of answers) if (answer.status !== 200) refused(answer, "RATE_LIMIT_EXCEEDED")
  })

  race("100 workers that start and verify one identity stop exactly at the hourly limit", async () => {
    const client = await service.client({ maxResends: 0 })
    const identity = phone()
    const ids = new Set<string>()
    const worker = async () => {
      for (;;) {
        const begun = await client.initiate({ identity })
        if (begun.status !== 200) return refused(begun, "RATE_LIMIT_EXCEEDED")
        const { requestId } = begun.body
        ids.add(requestId)
        assert.strictEqual((await client.verify({ requestId, otp: code })).body.verified, true)
      }
    }
    await Promise.all(Array.from({ length: 100 }, worker))
    assert.strictEqual(ids.size, 10)
    const { items } = (await client.events({ limit: "200" })).body
    assert.strictEqual(items.filter(({ type }: any) => type === "otp.initiated").length, 10)
    assert.strictEqual(items.filter(({ type }: any) => type === "otp.verified").length, 10)
  })
})
