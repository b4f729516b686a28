import { setTimeout as sleep } from "node:timers/promises"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Client } from "./fixture/Client.ts"
import { numbers } from "./fixture/Delivery.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { isBrokenConnection } from "./fixture/Load.ts"
import { drawOperations, type MoneyOperation, mostCredit, personOf, priceTables } from "./fixture/moneyOperations.ts"
import {
  asked,
  chargedAgain,
  checkMoney,
  everPaid,
  type MoneySnapshot,
  pricesPaid,
  undecided
} from "./fixture/moneySnapshot.ts"
import { PaidProviders } from "./fixture/PaidProviders.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import { Random } from "./fixture/Random.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import type { Merchant } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"
import * as Wire from "./fixture/Wire.ts"

const count = Number(process.env["MONEY_OPERATIONS"] ?? "240")
const kills = Number(process.env["MONEY_KILLS"] ?? "1")
const seed = Number(process.env["MONEY_SEED"] ?? "20261122")
/** At full size the test waits for every outcome: deciding about unanswered sends takes minutes. */
const isFull = count > 1_000
const recipients = isFull ? 800 : 20
const leads = 2
const atOnce = 24
const firstPayment = 3_000

const keyOf = (at: number) => ({ "idempotency-key": `00000000-0000-4000-8000-${String(at).padStart(12, "0")}` })

const pricesOf = (channel: "SMS" | "WHATSAPP", prefix: string): ReadonlyArray<number> =>
  priceTables.map((table) => {
    const { default: otherwise, prefixes }: { default: number; prefixes: { [prefix: string]: number } } = table[channel]
    const longest = [4, 3, 2].map((length) => prefixes[prefix.slice(0, length)])
    return longest.find((price) => price !== undefined) ?? otherwise
  })

describe("the balance", () => {
  let database: FreshDatabase.FreshDatabase
  let providers: PaidProviders
  let variables: ServerProcess.Variables
  let merchant: Merchant
  let client: Client
  const running: Array<ServerProcess.ServerProcess> = []

  beforeAll(async () => {
    database = await FreshDatabase.make()
    providers = await PaidProviders.start(() => running.map(({ url }) => url))
    variables = { ...variablesFor(database.url), ...providers.variables }
    running.push(await ServerProcess.serve(variables))
    merchant = await overProcesses(running).withOwner()
    client = merchant.live
    const { status, text } = await client.settings({
      billing: "PREPAID",
      prices: priceTables[0],
      fallbackChannel: "SMS",
      fallbackAfterSeconds: 30,
      balanceLowAt: 1_000,
      hourlyLimit: 1_000,
      maxResends: 0,
      maxAttempts: 10,
      ...(isFull ? { codeExpirySeconds: 60 } : {})
    })
    assert.strictEqual(status, 200, text)
    running.push(await ServerProcess.serve(variables))
  })
  afterAll(async () => {
    await Promise.all(running.map((server) => server.kill("SIGTERM")))
    await providers?.close()
    await database?.drop()
  })

  const tally = new Map<string, number>()
  const note = (what: string) => void tally.set(what, (tally.get(what) ?? 0) + 1)

  const unpaidRepeat = "a repeat that could not be paid"
  /** The operations that were requested more than once. */
  const repeated = new Set<number>()
  /**
   * Sends a request to either process, and repeats it with the same key until a process answers. So the outcome of
   * every request is known in the end.
   */
  const send = async (call: Wire.Call, at: number): Promise<Wire.Answer> => {
    for (let turn = at; ; turn++) {
      if (turn > at) repeated.add(at)
      try {
        const answer = await Wire.send(running[turn % running.length]!.url, call)
        if (answer.status < 500) return answer
        note(`${answer.status}, sent again`)
      } catch (error) {
        if (!isBrokenConnection(error)) throw error
        note("unanswered, sent again")
      }
      await sleep(100)
    }
  }
  const asMerchant = (path: string, body: unknown, at: number) =>
    send(client.call({ method: "POST", path, body, headers: keyOf(at) }), at)
  const asOperator = (method: string, path: string, body: unknown, at: number) =>
    send(
      {
        method,
        path: `/v1/admin/merchants/${merchant.id}/${path}`,
        body,
        headers: { authorization: `Bearer ${overProcesses(running).adminToken}`, ...keyOf(at) }
      },
      at
    )

  /** Adds up what each acknowledged operation must have moved. */
  const payments = new Map<string, number>()
  const started = new Map<string, number>()
  let corrected = 0
  let replied = 0
  const leadIds: Array<number> = []
  const begun = new Map<string, string>()

  const payIn = async (amount: number, reference: string, at: number) => {
    const { body, status, text } = await asMerchant("/v1/dashboard/balance/top-ups", { amount, reference }, at)
    assert.strictEqual(status, 201, text)
    assert.strictEqual(body.amount, payments.get(reference) ?? body.amount, "an answer of the first time")
    payments.set(reference, body.amount)
  }

  const perform = async (operation: MoneyOperation): Promise<void> => {
    const { number: at } = operation
    const is = (status: number, text: string, ...expected: ReadonlyArray<number>) => {
      note(`${operation._tag} ${status}`)
      assert.oneOf(status, [...expected], text)
    }
    switch (operation._tag) {
      case "Initiate": {
        const body = { identityType: "MOBILE", mode: "OTP", ...operation.fields }
        const answer = await asMerchant("/v1/auth/initiate", body, at)
        is(answer.status, answer.text, 200, 402)
        if (answer.status === 402 && repeated.has(at)) note(unpaidRepeat)
        if (answer.status !== 200) return
        const { requestId } = answer.body
        begun.set(operation.identity, requestId)
        started.set(requestId, (started.get(requestId) ?? 0) + 1)
        return
      }
      case "Verify": {
        const [requestId, otp] = [begun.get(operation.identity), providers.codeOf(operation.identity)]
        if (requestId === undefined || otp === undefined) return
        const answer = await send(client.call({ path: "/v1/auth/verify", body: { requestId, otp } }), at)
        return is(answer.status, answer.text, 200, 400)
      }
      case "TopUp":
        return await payIn(operation.amount, operation.reference, at)
      case "Correct": {
        const body = { environment: "live", amount: operation.amount, reason: "A test" }
        const answer = await asOperator("POST", "corrections", body, at)
        is(answer.status, answer.text, 201, 400)
        if (answer.status === 201) corrected += operation.amount
        return
      }
      case "Credit": {
        const answer = await asOperator("PATCH", "billing", { environment: "live", creditLimit: operation.limit }, at)
        return is(answer.status, answer.text, 200)
      }
      case "Prices": {
        const prices = priceTables[operation.table]
        const answer = await asOperator("PATCH", "billing", { environment: "live", prices }, at)
        return is(answer.status, answer.text, 200)
      }
      case "Reply": {
        const path = `/v1/dashboard/leads/${leadIds[operation.lead]}/reply`
        const answer = await asMerchant(path, { text: `Answer ${at}` }, at)
        is(answer.status, answer.text, 201, 402)
        if (answer.status === 201) replied++
      }
    }
  }

  const begin = async () => {
    await payIn(firstPayment, "the first", count)
    for (let n = 0; n < leads; n++) {
      const from = `9199${String(n).padStart(6, "0")}9${n}`
      await Effect.runPromise(providers.whatsapp.customer(from, { to: numbers.usual }).says("Hello"))
      const { body } = await until(
        () => client.get(`/v1/whatsapp/leads?phone=${from}`),
        ({ body }) => body.length === 1,
        { what: "a lead" }
      )
      leadIds.push(body[0].id)
    }
    const template = { name: "offer", channel: "SMS", purpose: "MESSAGE", body: "Hi {{name}}, we are open on Sunday." }
    const made = await client.post("/v1/dashboard/templates", template)
    assert.strictEqual(made.status, 201, made.text)
    const random = new Random(seed + 1)
    const lines = Array.from({ length: recipients }, (_, n) => `${personOf(random, 900_000 + n, false)},Asha`)
    const csv = ["phone,name", ...lines].join("\n")
    const campaign = { name: "Sunday", channel: "SMS", template: "offer", csv }
    const { body, status, text } = await client.post("/v1/dashboard/campaigns", campaign)
    assert.strictEqual(status, 201, text)
    return body.id as string
  }

  const goOn = async (campaignId: string) => {
    const path = `/v1/dashboard/campaigns/${campaignId}`
    const { body } = await send(client.call({ path }), 0)
    if (body.status !== "PAUSED") return
    note(`campaign paused for ${body.pausedFor}`)
    const resumed = await send(client.call({ method: "POST", path: `${path}/resume` }), 0)
    assert.strictEqual(resumed.status, 200, resumed.text)
  }

  it(
    "is exact at every moment while processes that charge and refund are killed",
    async () => {
      const since = performance.now()
      const campaignId = await begin()
      const operations = drawOperations(seed, count, leads, isFull)
      let next = 0
      let done = 0
      let looks = 0
      let last: MoneySnapshot | null = null
      /**
       * Each end of a process, from before the kill until its exit is known here: on a busy machine another process takes
       * over earlier.
       */
      const ends: Array<{ readonly from: number; readonly to: number }> = []
      const look = async () => {
        last = await checkMoney(database, last, mostCredit)
        looks++
      }
      const work = async () => {
        while (next < operations.length) {
          await perform(operations[next++]!)
          done++
        }
      }
      const watch = async () => {
        while (done < operations.length) {
          await look()
          await sleep(isFull ? 300 : 500)
        }
      }
      const kill = async () => {
        for (let n = 0; n < kills; n++) {
          await until(
            async () => done,
            (done) => done >= ((n + 1) * operations.length) / (kills + 2),
            { what: "the next kill", within: 3_600_000 }
          )
          const victim = running[n % running.length]!
          const from = performance.now()
          const { signal } = await victim.kill("SIGKILL")
          ends.push({ from, to: performance.now() })
          assert.strictEqual(signal, "SIGKILL")
          running[n % running.length] = await ServerProcess.serve(variables)
          if (isFull) await goOn(campaignId)
        }
      }
      await Promise.all([...Array.from({ length: atOnce }, work), watch(), kill()])
      assert.lengthOf(ends, kills)
      const seconds = Math.round((performance.now() - since) / 1000)

      // With enough money, everything that waited continues until no process has open work.
      await payIn(1_000_000, "the last", count + 1)
      await until(
        async () => {
          await goOn(campaignId)
          await look()
          return await undecided(database, isFull)
        },
        (left) => left === 0,
        { what: "everything sent", within: isFull ? 600_000 : 120_000 }
      )

      const taken = [...providers.taken]
      const paid = await everPaid(database)
      await look()
      const { amount } = last!
      const [[net]] = (await database.query(
        "select coalesce(-sum(amount), 0)::int from ledger where kind in ('SEND', 'REFUND')"
      )) as [[number]]
      const paidIn = [...payments.values()].reduce((sum, one) => sum + one, 0)
      assert.strictEqual(amount, paidIn + corrected - net)
      const requests = await asked(database)
      const accepted = [...started.values()].reduce((sum, one) => sum + one, 0)
      // An operation that was done but not answered may have ended before its repeat, which then had no money to start
      // again.
      const unpaid = tally.get(unpaidRepeat) ?? 0
      assert.isAtLeast(requests.length, accepted)
      assert.isAtMost(requests.length, accepted + unpaid)
      // A repeat after a kill starts again if the first verification has ended by then.
      for (const [command, messages, verifications] of requests) {
        assert.strictEqual(messages, verifications, command)
        if (messages > 1) note("a repeat that started again")
      }
      for (const [channel, prefix, price] of await pricesPaid(database)) {
        assert.include(pricesOf(channel, prefix), price, `${channel} to ${prefix}`)
      }

      const times = [...Map.groupBy(taken, ({ delivery }) => delivery)]
      assert.deepStrictEqual(
        times.filter(([delivery]) => !paid.has(delivery)),
        []
      )
      // The process that lost the provider's answer asks once more; others ask only if that process is dead.
      const twice = times.filter(([, all]) => all.length > 1 && !all[0]!.dropped)
      for (const [delivery, [first, second, ...more]] of twice) {
        assert.isTrue(
          ends.some(({ from, to }) => first!.at < to && from < second!.at),
          delivery
        )
        assert.deepStrictEqual(more, [], delivery)
      }
      // Another process gives up on a message that a killed process has sent, and its receipt comes after the refund.
      for (const delivery of await chargedAgain(database)) {
        const first = times.find(([sent]) => sent === delivery)?.[1][0]
        assert.isTrue(paid.get(delivery), delivery)
        assert.isTrue(first !== undefined && ends.some(({ to }) => first.at < to), delivery)
        note("charged again after a receipt")
      }
      const free = times.filter(([delivery, [message]]) => message!.arrives && paid.get(delivery) !== true)
      if (isFull) assert.deepStrictEqual(free, [])
      console.log(
        `${count} operations in ${seconds} s, quiet after ${Math.round((performance.now() - since) / 1000)} s; ` +
          `${ends.length} kills, ${looks} looks; ${accepted} initiates and ${replied} replies accepted, ` +
          `${last!.lines} lines, ${taken.length} messages taken, ${twice.length} twice, ${free.length} for nothing`
      )
      console.log(
        [...tally]
          .toSorted(([a], [b]) => (a < b ? -1 : 1))
          .map(([what, times]) => `${what}: ${times}`)
          .join("\n")
      )
    },
    Math.max(180_000, count * 150)
  )
})
