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
const concurrentKills = 4

const sentByFallback = /^WHATSAPP FAILED,SMS SENT$/
/** Sent over WhatsApp, or over SMS if the circuit breaker opened because of the simulated failures. */
const sentEitherWay = /^(WHATSAPP SENT|WHATSAPP FAILED,SMS SENT)$/
/** Two sends reached a provider that did not answer, so the outcome is unknown and the server does not retry. */
const stillPending = /^WHATSAPP PENDING$/
/** For the merchant without a fallback channel. */
const failedWithoutFallback = /^WHATSAPP FAILED$/

interface Login {
  readonly point: string
  readonly identity: string
  readonly requestId: string
  /** The deliveries that the login must end with, in the format of `shown`. */
  readonly expected: RegExp
}

describe("a process that is killed while it sends messages", () => {
  let database: FreshDatabase.FreshDatabase
  let providers: Providers
  let variables: ServerProcess.Variables
  let survivor: ServerProcess.ServerProcess
  /** API keys of a merchant with a fallback channel, and of one without. */
  let keys: { readonly withFallback: Client["keys"]; readonly withoutFallback: Client["keys"] }

  const clientOf = (server: ServerProcess.ServerProcess, merchant: keyof typeof keys = "withFallback") =>
    new Client(overProcesses([server]), keys[merchant])

  beforeAll(async () => {
    database = await FreshDatabase.make()
    providers = await Providers.start()
    variables = { ...variablesFor(database.url), ...providers.variables, PUBLIC_URL: "http://localhost" }
    survivor = await ServerProcess.serve(variables)
    const { live: withFallback } = await overProcesses([survivor]).merchant()
    const { live: withoutFallback } = await overProcesses([survivor]).merchant()
    const { status, text } = await withFallback.settings({ fallbackChannel: "SMS", fallbackAfterSeconds: 900 })
    assert.strictEqual(status, 200, text)
    keys = { withFallback: withFallback.keys, withoutFallback: withoutFallback.keys }
  })
  afterAll(async () => {
    await survivor?.kill("SIGTERM")
    await providers?.close()
    await database?.drop()
  })

  const providerReceived = (identity: string, times = 1) =>
    until(
      () => providers.asked(identity),
      (count) => count >= times,
      { what: "the request to the provider" }
    )

  const statusShows = (client: Client, requestId: string, expected: string) =>
    until(
      async () => shown((await client.status({ requestId })).body).join(),
      (shownDeliveries) => shownDeliveries === expected,
      { what: expected }
    )

  /**
   * Starts a process and brings one login to each point that lasts. `kill` adds the points that pass quickly, then
   * kills the process.
   */
  const startVictim = async (): Promise<{
    readonly logins: ReadonlyArray<Login>
    readonly kill: () => Promise<void>
  }> => {
    const victim = await ServerProcess.serve(variables)
    const client = clientOf(victim)
    const logins: Array<Login> = []
    const login = async (
      point: string,
      expected: RegExp,
      fields: { readonly [name: string]: unknown },
      via = client
    ) => {
      const identity = fields["identityType"] === "EMAIL" ? email() : phone()
      if (point.includes("held")) providers.hold(identity)
      const sender = fields["channel"] === "WHATSAPP" ? { wabaId: numbers.usual } : {}
      const requestId = await via.started({ identity, ...sender, ...fields })
      const started: Login = { point, identity, requestId, expected }
      logins.push(started)
      return started
    }
    const viaWhatsApp = (name: keyof typeof numbers) => ({ channel: "WHATSAPP", wabaId: numbers[name] })

    const unreported = await login("before the receipt", sentByFallback, viaWhatsApp("usual"))
    const reported = await login("with a receipt on its way", sentByFallback, viaWhatsApp("usual"))
    for (const { requestId } of [unreported, reported]) await statusShows(client, requestId, "WHATSAPP SENT")
    const inFallback = await login("held, in the fallback", sentByFallback, viaWhatsApp("refused"))
    await providerReceived(inFallback.identity, 2)
    const sms = await login("held, with the provider's yes", /^SMS SENT$/, { channel: "SMS" })
    const rcs = await login("held, with the provider's yes to RCS", /^RCS SENT$/, { channel: "RCS" })
    const mail = await login("with a mail on the wire", /^EMAIL SENT$/, { identityType: "EMAIL", channel: "EMAIL" })
    const unanswered = await login("before the provider answers", sentEitherWay, viaWhatsApp("hanging"))
    for (const { identity } of [sms, rcs, mail, unanswered]) await providerReceived(identity)
    const receiptFor = async ({ identity }: Login) => {
      const [message] = await providers.messagesTo(identity)
      return providers.whatsappReceipt(message!.id, "failed")
    }

    const kill = async () => {
      const dropped = await login(
        "after a connection that broke with the message",
        sentEitherWay,
        viaWhatsApp("dropped")
      )
      const reset = await login("after a connection that was reset", sentEitherWay, viaWhatsApp("reset"))
      const backingOff = await login("backing off after a 503", sentEitherWay, viaWhatsApp("busy"))
      const slow = await login("with the provider's answer on its way", sentEitherWay, viaWhatsApp("slow"))
      for (const { identity } of [dropped, reset, backingOff, slow]) await providerReceived(identity)
      await login(
        "after the answer to a refusal",
        failedWithoutFallback,
        viaWhatsApp("refused"),
        clientOf(victim, "withoutFallback")
      )
      await login("right after our 200", sentEitherWay, viaWhatsApp("usual"))
      const receiptAtKill = await receiptFor(reported)
      const receiptRequest = post(victim.url, receiptAtKill)
      const { signal } = await victim.kill("SIGKILL")
      assert.strictEqual(signal, "SIGKILL")
      await receiptRequest
      // The provider did not get a 200 for `receiptAtKill`, so it sends that receipt again. The other receipt is new.
      for (const receipt of [receiptAtKill, await receiptFor(unreported)]) {
        assert.strictEqual((await post(survivor.url, receipt)).status, 200)
      }
    }
    return { logins, kill }
  }

  it(
    "loses no message, and repeats each at most once, with the same code",
    async () => {
      const results = new Map<string, { kills: number; twice: number; slowest: number }>()
      for (let roundsLeft = rounds; roundsLeft > 0; roundsLeft -= concurrentKills) {
        await providers.trouble(true)
        await Effect.runPromise(providers.smtp.play("hanging"))
        const victims = await Promise.all(Array.from({ length: Math.min(roundsLeft, concurrentKills) }, startVictim))
        await Promise.all(victims.map(({ kill }) => kill()))
        const recoveredAt = performance.now()
        await providers.trouble(false)
        await Effect.runPromise(providers.smtp.play("accepted"))
        await providers.letGo()
        const logins = victims.flatMap(({ logins }) => logins)
        // On a busy machine, the retry one second later may also reach a provider that does not answer.
        const unansweredTwice = new Set<string>()
        for (const { expected, identity, point } of logins)
          if (expected === sentEitherWay && !point.includes("503") && (await providers.asked(identity)) > 1)
            unansweredTwice.add(identity)
        await Promise.all(
          logins.map(async ({ expected, identity, point, requestId }) => {
            const client = clientOf(survivor, expected === failedWithoutFallback ? "withoutFallback" : "withFallback")
            const mayStayOpen = unansweredTwice.has(identity)
            const { body } = await until(
              () => client.status({ requestId }),
              ({ body }) => expected.test(shown(body).join()) || (mayStayOpen && stillPending.test(shown(body).join())),
              { what: `${point}: ${expected.source}` }
            )
            const elapsed = performance.now() - recoveredAt
            const messages = await providers.messagesTo(identity)
            const sentCount = shown(body).filter((delivery) => delivery.endsWith("SENT")).length
            const reportedFailed = point.includes("receipt") ? 1 : 0
            assert.isAtLeast(messages.length, sentCount + reportedFailed, point)
            assert.isAtMost(messages.length, mayStayOpen ? 3 : sentCount + reportedFailed + 1, point)
            const counts = results.get(point) ?? { kills: 0, twice: 0, slowest: 0 }
            results.set(point, {
              kills: counts.kills + 1,
              twice: counts.twice + (messages.length - sentCount - reportedFailed),
              slowest: Math.max(counts.slowest, elapsed)
            })
            if (sentCount === 0 && !stillPending.test(shown(body).join())) {
              assert.strictEqual(body.authStatus, "FAILED", point)
              const { body: events } = await client.events({ type: "delivery.failed" })
              const failureEvents = events.items.filter(({ data }: any) => data.requestId === requestId)
              return assert.strictEqual(failureEvents.length, 1, point)
            }
            if (messages.length === 0) return // still PENDING: no provider accepted a message
            assert.strictEqual(new Set(messages.map(({ code }) => code)).size, 1, point)
            const verified = await client.verify({ requestId, otp: messages[0]!.code })
            assert.strictEqual(verified.body.verified, true, `${point}: ${verified.text}`)
          })
        )
      }
      for (const [point, { kills, slowest, twice }] of results) {
        console.log(`killed ${point}: ${kills} times, ${twice} sent twice, the slowest after ${Math.round(slowest)} ms`)
        assert.strictEqual(kills, rounds)
      }
      assert.strictEqual(results.size, 13)
    },
    180_000 + 30_000 * rounds
  )
})
