import { TwilioSimulator, WhatsAppSimulator } from "@countersign/testkit/simulators"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freePort } from "../../../tools/embedded-postgres.ts"
import { type Client, email, phone } from "./fixture/Client.ts"
import { type Callback, type Fate, numbers, post, Providers, shown } from "./fixture/Delivery.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { balanceOf, makePayer, moves, startedAtOnce } from "./fixture/money.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { until } from "./fixture/Until.ts"
import { checkEnvelope } from "./fixture/Wire.ts"

/** Two processes on one database, with every provider simulated. */
describe("delivery", () => {
  let database: FreshDatabase.FreshDatabase
  let providers: Providers
  let servers: ReadonlyArray<ServerProcess.ServerProcess> = []
  let client: Client
  let windows: ReadonlyArray<Person>
  let turn = 0

  /** Returns one of the two processes at random. */
  const url = () => servers[turn++ % servers.length]!.url

  interface Person {
    readonly identity: string
    readonly requestId: string
  }

  /** Starts a login of a new person whose messages get this fate. */
  const login = async (fields: { readonly [name: string]: unknown } = {}, fate: Fate = {}): Promise<Person> => {
    const identity = fields["identityType"] === "EMAIL" ? email() : phone()
    providers.fate(identity, fate)
    const channel = fields["channel"] ?? "WHATSAPP"
    const sender = channel === "WHATSAPP" ? { wabaId: numbers.usual } : {}
    return { identity, requestId: await client.started({ identity, channel, ...sender, ...fields }) }
  }

  const statusOf = async ({ requestId }: Person) => (await client.status({ requestId })).body

  /** Waits until the status shows these deliveries. */
  const shows = (person: Person, ...expected: ReadonlyArray<string>) =>
    until(
      async () => shown(await statusOf(person)),
      (deliveries) => deliveries.join() === expected.join(),
      { what: expected.join(", ") }
    )

  /** Waits for this many messages to a person, in any order. All contain the same code. */
  const received = async ({ identity }: Person, count: number) => {
    const messages = await until(
      () => providers.messagesTo(identity),
      ({ length }) => length >= count,
      { what: `${count} messages` }
    )
    assert.strictEqual(messages.length, count)
    assert.strictEqual(new Set(messages.map(({ code }) => code)).size, 1)
    assert.match(messages[0]!.code, /^\d{6}$/)
    return messages
  }

  const verifies = async ({ requestId }: Person, otp: string) => {
    const { body, text } = await client.verify({ requestId, otp })
    assert.strictEqual(body.verified, true, text)
  }

  beforeAll(async () => {
    database = await FreshDatabase.make()
    providers = await Providers.start()
    const port = await freePort()
    const variables = {
      ...variablesFor(database.url),
      ...providers.variables,
      PUBLIC_URL: `http://localhost:${port}`
    }
    servers = await Promise.all([
      ServerProcess.serve({ ...variables, PORT: String(port) }),
      ServerProcess.serve(variables)
    ])
    await Effect.runPromise(providers.whatsapp.callbackTo(`${servers[1]!.url}/v1/callbacks/whatsapp`))
    const { live } = await overProcesses(servers).merchant()
    const { status, text } = await live.settings({ fallbackChannel: "SMS", fallbackAfterSeconds: 30 })
    assert.strictEqual(status, 200, text)
    client = live
    // Their timeouts run during the other tests; the last test checks the result.
    windows = [
      await login({}, { whatsapp: WhatsAppSimulator.scripts.delivered }),
      await login({}, { whatsapp: WhatsAppSimulator.scripts.readAtOnce }),
      await login(),
      await login(),
      await login({ identityType: "EMAIL", channel: "EMAIL" })
    ]
    await providers.trouble(true)
  })
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill("SIGTERM")))
    await providers?.close()
    await database?.drop()
  })

  it("falls back to SMS immediately when WhatsApp refuses by status or by code", async () => {
    const person = await login({ wabaId: numbers.refused }, { sms: TwilioSimulator.scripts.delivered })
    const [message] = await received(person, 1)
    assert.strictEqual(message!.channel, "SMS")
    await shows(person, "WHATSAPP FAILED", "SMS DELIVERED")
    const { authStatus, deliveries } = await statusOf(person)
    assert.strictEqual(authStatus, "PENDING")
    assert.deepStrictEqual(
      deliveries.map(({ attemptNumber, type }: any) => [attemptNumber, type]),
      [
        [1, "OTP"],
        [2, "OTP"]
      ]
    )
    await verifies(person, message!.code)
  })

  it.each(["WHATSAPP", "SMS"] as const)(
    "falls back when a receipt reports a failure, and the code of the %s verifies",
    async (entered) => {
      const person = await login(
        {},
        { whatsapp: WhatsAppSimulator.scripts.undeliverable, sms: TwilioSimulator.scripts.delivered }
      )
      const messages = await received(person, 2)
      await shows(person, "WHATSAPP FAILED", "SMS DELIVERED")
      await verifies(person, messages.find(({ channel }) => channel === entered)!.code)
    }
  )

  it("is FAILED with one event when the fallback fails as well", async () => {
    const person = await login({ wabaId: numbers.refused }, { sms: TwilioSimulator.scripts.failed })
    await received(person, 1)
    await shows(person, "WHATSAPP FAILED", "SMS FAILED")
    assert.strictEqual((await statusOf(person)).authStatus, "FAILED")
    const { body } = await client.events({ type: "delivery.failed" })
    assert.strictEqual(body.items.filter(({ data }: any) => data.requestId === person.requestId).length, 1)
  })

  it("is charged by two processes while the balance suffices, and never beyond it", async () => {
    const payer = await makePayer(overProcesses(servers), 5, { prices: { SMS: 1 } })
    assert.strictEqual(await startedAtOnce(payer, 100), 5)
    assert.strictEqual(await balanceOf(payer), 0)
    assert.deepStrictEqual(await moves(payer), ["TOP_UP 5", ...Array<string>(5).fill("SEND -1")])
  })

  it("is refunded once when it failed, for any number of receipts, and the fallback is charged", async () => {
    const payer = await makePayer(overProcesses(servers), 50, {
      fallbackChannel: "SMS",
      prices: { WHATSAPP: 50, SMS: 20 }
    })
    const identity = phone()
    providers.fate(identity, { whatsapp: WhatsAppSimulator.scripts.undeliverable, sms: TwilioSimulator.scripts.failed })
    const requestId = await payer.started({ identity, channel: "WHATSAPP", wabaId: numbers.usual })
    await until(
      () => payer.status({ requestId }),
      ({ body }) => body.authStatus === "FAILED",
      { what: "both failures" }
    )
    const all = ["TOP_UP 50", "SEND -50", "REFUND 50", "SEND -20", "REFUND 20"]
    assert.deepStrictEqual(await moves(payer), all)
    for (const { id } of await providers.messagesTo(identity)) {
      const again = await (id.startsWith("wamid")
        ? providers.whatsappReceipt(id, "failed")
        : providers.twilioReceipt(id, "failed"))
      for (const { url: base } of servers) assert.strictEqual((await post(base, again)).status, 200)
    }
    assert.deepStrictEqual(await moves(payer), all)
  })

  it("applies receipts that arrive before the provider's answer", async () => {
    const person = await login({ channel: "SMS" }, { sms: TwilioSimulator.scripts.early })
    await shows(person, "SMS DELIVERED")
    const [message] = await received(person, 1)
    await verifies(person, message!.code)
  })

  it("is made over RCS", async () => {
    const person = await login({ channel: "RCS" }, { sms: TwilioSimulator.scripts.read })
    await shows(person, "RCS READ")
    const [message] = await received(person, 1)
    assert.strictEqual(message!.channel, "RCS")
    await verifies(person, message!.code)
  })

  it("sends an email to one recipient, with the code in its text and its HTML", async () => {
    const person = await login({ identityType: "EMAIL", channel: "EMAIL" })
    await shows(person, "EMAIL SENT")
    const [message] = await received(person, 1)
    const seen = (await Effect.runPromise(providers.smtp.seen)).filter(({ to }) => to.includes(person.identity))
    assert.deepStrictEqual(
      seen.map(({ to }) => to),
      [person.identity]
    )
    const { mail } = seen[0]!
    assert.deepStrictEqual(mail?.headers["to"], [person.identity])
    assert.isUndefined(mail?.headers["cc"])
    assert.include(mail?.subject, message!.code)
    assert.include(mail?.text, message!.code)
    assert.include(mail?.html, message!.code)
    await verifies(person, message!.code)
  })

  it("ignores receipts without the provider's signature", async () => {
    const chat = await login()
    const text = await login({ channel: "SMS" })
    await shows(chat, "WHATSAPP SENT")
    await shows(text, "SMS SENT")
    const { id: wamid } = (await received(chat, 1))[0]!
    const { id: sid } = (await received(text, 1))[0]!
    const signed = {
      twilio: await providers.twilioReceipt(sid, "failed"),
      whatsapp: await providers.whatsappReceipt(wamid, "failed")
    }
    const delivered = await providers.twilioReceipt(sid, "delivered")
    const forged: ReadonlyArray<Callback> = [
      await providers.twilioReceipt(sid, "failed", null),
      await providers.twilioReceipt(sid, "failed", `${providers.twilio.authToken.slice(0, -1)}!`),
      // A valid signature of another body or another message.
      { ...signed.twilio, body: delivered.body },
      { ...signed.twilio, path: signed.twilio.path.replace(/dlv_.{26}/, `dlv_${"0".repeat(26)}`) },
      { ...signed.twilio, headers: { ...signed.twilio.headers, "x-twilio-signature": "" } },
      await providers.whatsappReceipt(wamid, "failed", null),
      await providers.whatsappReceipt(wamid, "failed", "another secret"),
      { ...signed.whatsapp, body: `${signed.whatsapp.body} ` },
      { ...signed.whatsapp, headers: { ...signed.whatsapp.headers, "x-hub-signature-256": "sha256=" } }
    ]
    for (const callback of forged) {
      for (const { url: base } of servers) {
        const answer = await post(base, callback)
        assert.strictEqual(answer.status, 403, answer.text)
        const body = JSON.parse(answer.text)
        checkEnvelope({ body }, callback.path)
        assert.strictEqual(body.errorCode, "FORBIDDEN")
      }
    }
    assert.deepStrictEqual(shown(await statusOf(chat)), ["WHATSAPP SENT"])
    assert.deepStrictEqual(shown(await statusOf(text)), ["SMS SENT"])
    // The request itself was valid: with its own signature it is accepted.
    assert.strictEqual((await post(url(), signed.whatsapp)).status, 200)
    await shows(chat, "WHATSAPP FAILED", "SMS SENT")
  })

  const permutations = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
    items.length < 2
      ? [items]
      : items.flatMap((item, i) => permutations(items.toSpliced(i, 1)).map((rest) => [item, ...rest]))

  /**
   * The expected delivery status after receipts in this order: it only moves forward, and fails only before delivery.
   */
  const expected = (order: ReadonlyArray<string>): string => {
    const rank = ["SENT", "DELIVERED", "READ"]
    let status = "SENT"
    for (const receipt of order.map((one) => one.toUpperCase())) {
      if (status === "FAILED") continue
      if (receipt === "FAILED") status = status === "SENT" ? "FAILED" : status
      else if (rank.indexOf(receipt) > rank.indexOf(status)) status = receipt
    }
    return status
  }

  it("accepts receipts in any order, each twice, at either process, and only moves forward", async () => {
    const orders = [...permutations(["sent", "delivered", "read"]), ...permutations(["sent", "delivered", "failed"])]
    const run = async (channel: "WHATSAPP" | "SMS", order: ReadonlyArray<string>) => {
      const person = await login({ channel })
      await shows(person, `${channel} SENT`)
      const { id } = (await received(person, 1))[0]!
      for (const status of order) {
        const receipt = await (channel === "SMS"
          ? providers.twilioReceipt(id, status)
          : providers.whatsappReceipt(id, status))
        const answers = await Promise.all(servers.map((server) => post(server.url, receipt)))
        assert.deepStrictEqual(
          answers.map((answer) => answer.status),
          [200, 200]
        )
      }
      const [first] = shown(await statusOf(person))
      assert.strictEqual(first, `${channel} ${expected(order)}`, order.join())
    }
    for (const order of orders) await Promise.all([run("WHATSAPP", order), run("SMS", order)])
    assert.strictEqual(orders.length, 12)
  })

  it("accepts all receipts of a message at the same moment", async () => {
    const person = await login()
    await shows(person, "WHATSAPP SENT")
    const { id } = (await received(person, 1))[0]!
    const statuses = ["sent", "delivered", "read", "delivered", "sent", "read"]
    const receipts = await Promise.all(statuses.map((status) => providers.whatsappReceipt(id, status)))
    const answers = await Promise.all(receipts.map((receipt) => post(url(), receipt)))
    assert.isTrue(answers.every(({ status }) => status === 200))
    assert.deepStrictEqual(shown(await statusOf(person)), ["WHATSAPP READ"])
  })

  it("answers Meta's webhook verification at either process", async () => {
    for (const server of servers) {
      await Effect.runPromise(providers.whatsapp.callbackTo(`${server.url}/v1/callbacks/whatsapp`))
      assert.isTrue(await Effect.runPromise(providers.whatsapp.subscribe))
    }
    const asked = `${servers[0]!.url}/v1/callbacks/whatsapp?hub.mode=subscribe&hub.verify_token=guess&hub.challenge=1`
    assert.strictEqual((await fetch(asked)).status, 403)
  })

  it("falls back once after the timeout, only for recipients who received nothing", async () => {
    const [delivered, read, verified, silent, mailed] = windows as [Person, Person, Person, Person, Person]
    const [message] = await received(verified, 1)
    await verifies(verified, message!.code)
    const [, second] = await until(
      () => providers.messagesTo(silent.identity),
      ({ length }) => length >= 2,
      { what: "the fallback of a silent channel" }
    )
    // All others were first in line.
    assert.deepStrictEqual(shown(await statusOf(delivered)), ["WHATSAPP DELIVERED"])
    assert.deepStrictEqual(shown(await statusOf(read)), ["WHATSAPP READ"])
    assert.deepStrictEqual(shown(await statusOf(verified)), ["WHATSAPP SENT"])
    assert.deepStrictEqual(shown(await statusOf(mailed)), ["EMAIL SENT"])
    await shows(silent, "WHATSAPP SENT", "SMS SENT")
    for (const person of [delivered, read, verified, mailed]) await received(person, 1)
    await received(silent, 2)
    await verifies(silent, second!.code)
  })
})
