import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { Client, email, phone } from "./fixture/Client.ts"
import { numbers, post, Providers, shown } from "./fixture/Delivery.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { until } from "./fixture/Until.ts"

/** The number of processes to kill. Each has one message at every tested point of a send. */
const rounds = Number(process.env["KILL_ROUNDS"] ?? "1")
const atOnce = 4

const fellBack = /^WHATSAPP FAILED,SMS SENT$/
/** Sent over WhatsApp, or over SMS if the circuit breaker opened because of the simulated failures. */
const went = /^(WHATSAPP SENT|WHATSAPP FAILED,SMS SENT)$/
/** Two sends reached a provider that did not answer, so the outcome is unknown and the server does not retry. */
const open = /^WHATSAPP PENDING$/
/** For the merchant without a fallback channel. */
const lost = /^WHATSAPP FAILED$/

interface Login {
  readonly point: string
  readonly identity: string
  readonly requestId: string
  /** The deliveries that the login must end with, in the format of `shown`. */
  readonly ends: RegExp
}

describe("a process that is killed while it sends messages", () => {
  let database: FreshDatabase.FreshDatabase
  let providers: Providers
  let variables: ServerProcess.Variables
  let survivor: ServerProcess.ServerProcess
  /** API keys of a merchant with a fallback channel, and of one without. */
  let keys: { readonly falling: Client["keys"]; readonly alone: Client["keys"] }

  const clientOf = (server: ServerProcess.ServerProcess, merchant: keyof typeof keys = "falling") =>
    new Client(overProcesses([server]), keys[merchant])

  beforeAll(async () => {
    database = await FreshDatabase.make()
    providers = await Providers.start()
    variables = { ...variablesFor(database.url), ...providers.variables, PUBLIC_URL: "http://localhost" }
    survivor = await ServerProcess.serve(variables)
    const { live: falling } = await overProcesses([survivor]).merchant()
    const { live: alone } = await overProcesses([survivor]).merchant()
    const { status, text } = await falling.settings({ fallbackChannel: "SMS", fallbackAfterSeconds: 900 })
    assert.strictEqual(status, 200, text)
    keys = { falling: falling.keys, alone: alone.keys }
  })
  afterAll(async () => {
    await survivor?.kill("SIGTERM")
    await providers?.close()
    await database?.drop()
  })

  const asked = (identity: string, times = 1) =>
    until(
      () => providers.asked(identity),
      (count) => count >= times,
      { what: "the request to the provider" }
    )

  const shows = (client: Client, requestId: string, expected: string) =>
    until(
      async () => shown((await client.status({ requestId })).body).join(),
      (all) => all === expected,
      { what: expected }
    )

  /**
   * Starts a process and brings one login to each point that lasts. `strike` adds the points that pass quickly, then
   * kills the process.
   */
  const struck = async (): Promise<{ readonly logins: ReadonlyArray<Login>; readonly strike: () => Promise<void> }> => {
    const victim = await ServerProcess.serve(variables)
    const client = clientOf(victim)
    const logins: Array<Login> = []
    const login = async (point: string, ends: RegExp, fields: { readonly [name: string]: unknown }, by = client) => {
      const identity = fields["identityType"] === "EMAIL" ? email() : phone()
      if (point.includes("held")) providers.hold(identity)
      const sender = fields["channel"] === "WHATSAPP" ? { wabaId: numbers.usual } : {}
      const requestId = await by.started({ identity, ...sender, ...fields })
      const begun: Login = { point, identity, requestId, ends }
      logins.push(begun)
      return begun
    }
    const chat = (name: keyof typeof numbers) => ({ channel: "WHATSAPP", wabaId: numbers[name] })

    const sent = await login("before the receipt", fellBack, chat("usual"))
    const reported = await login("with a receipt on its way", fellBack, chat("usual"))
    for (const { requestId } of [sent, reported]) await shows(client, requestId, "WHATSAPP SENT")
    const falling = await login("held, in the fallback", fellBack, chat("refused"))
    await asked(falling.identity, 2)
    const text = await login("held, with the provider's yes", /^SMS SENT$/, { channel: "SMS" })
    const card = await login("held, with the provider's yes to RCS", /^RCS SENT$/, { channel: "RCS" })
    const mail = await login("with a mail on the wire", /^EMAIL SENT$/, { identityType: "EMAIL", channel: "EMAIL" })
    const unread = await login("before the provider answers", went, chat("hanging"))
    for (const { identity } of [text, card, mail, unread]) await asked(identity)
    const receiptFor = async ({ identity }: Login) => {
      const [message] = await providers.messagesTo(identity)
      return providers.whatsappReceipt(message!.id, "failed")
    }

    const strike = async () => {
      const dropped = await login("after a connection that broke with the message", went, chat("dropped"))
      const reset = await login("after a connection that was reset", went, chat("reset"))
      const backingOff = await login("backing off after a 503", went, chat("busy"))
      const slow = await login("with the provider's answer on its way", went, chat("slow"))
      for (const { identity } of [dropped, reset, backingOff, slow]) await asked(identity)
      await login("after the answer to a refusal", lost, chat("refused"), clientOf(victim, "alone"))
      await login("right after our 200", went, chat("usual"))
      const early = await receiptFor(reported)
      const onItsWay = post(victim.url, early)
      const { signal } = await victim.kill("SIGKILL")
      assert.strictEqual(signal, "SIGKILL")
      await onItsWay
      // The provider did not get a 200 for `early`, so it sends that receipt again. The other receipt is new.
      for (const receipt of [early, await receiptFor(sent)]) {
        assert.strictEqual((await post(survivor.url, receipt)).status, 200)
      }
    }
    return { logins, strike }
  }

  it(
    "loses no message, and repeats each at most once, with the same code",
    async () => {
      const tally = new Map<string, { kills: number; twice: number; slowest: number }>()
      for (let left = rounds; left > 0; left -= atOnce) {
        await providers.trouble(true)
        await Effect.runPromise(providers.smtp.play("hanging"))
        const victims = await Promise.all(Array.from({ length: Math.min(left, atOnce) }, struck))
        await Promise.all(victims.map(({ strike }) => strike()))
        const since = performance.now()
        await providers.trouble(false)
        await Effect.runPromise(providers.smtp.play("accepted"))
        await providers.letGo()
        const all = victims.flatMap(({ logins }) => logins)
        // On a busy machine, the retry one second later may also reach a provider that does not answer.
        const unansweredTwice = new Set<string>()
        for (const { ends, identity, point } of all)
          if (ends === went && !point.includes("503") && (await providers.asked(identity)) > 1)
            unansweredTwice.add(identity)
        await Promise.all(
          all.map(async ({ ends, identity, point, requestId }) => {
            const client = clientOf(survivor, ends === lost ? "alone" : "falling")
            const mayStayOpen = unansweredTwice.has(identity)
            const { body } = await until(
              () => client.status({ requestId }),
              ({ body }) => ends.test(shown(body).join()) || (mayStayOpen && open.test(shown(body).join())),
              { what: `${point}: ${ends.source}` }
            )
            const took = performance.now() - since
            const messages = await providers.messagesTo(identity)
            const taken = shown(body).filter((one) => one.endsWith("SENT")).length
            const early = point.includes("receipt") ? 1 : 0
            assert.isAtLeast(messages.length, taken + early, point)
            assert.isAtMost(messages.length, mayStayOpen ? 3 : taken + early + 1, point)
            const before = tally.get(point) ?? { kills: 0, twice: 0, slowest: 0 }
            tally.set(point, {
              kills: before.kills + 1,
              twice: before.twice + (messages.length - taken - early),
              slowest: Math.max(before.slowest, took)
            })
            if (taken === 0 && !open.test(shown(body).join())) {
              assert.strictEqual(body.authStatus, "FAILED", point)
              const { body: events } = await client.events({ type: "delivery.failed" })
              const ours = events.items.filter(({ data }: any) => data.requestId === requestId)
              return assert.strictEqual(ours.length, 1, point)
            }
            if (messages.length === 0) return // still PENDING: no provider accepted a message
            assert.strictEqual(new Set(messages.map(({ code }) => code)).size, 1, point)
            const verified = await client.verify({ requestId, otp: messages[0]!.code })
            assert.strictEqual(verified.body.verified, true, `${point}: ${verified.text}`)
          })
        )
      }
      for (const [point, { kills, slowest, twice }] of tally) {
        console.log(`killed ${point}: ${kills} times, ${twice} sent twice, the slowest after ${Math.round(slowest)} ms`)
        assert.strictEqual(kills, rounds)
      }
      assert.strictEqual(tally.size, 13)
    },
    180_000 + 30_000 * rounds
  )
})
