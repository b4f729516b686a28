import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { connect } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { gzipSync } from "node:zlib"
import { Identifier } from "@countersign/core"
import { TwilioSimulator, WhatsAppSimulator } from "@countersign/testkit/simulators"
import { Effect } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { freePort } from "../../../tools/embedded-postgres.ts"
import { type Client, email, phone, uuid } from "./fixture/Client.ts"
import { Collector } from "./fixture/Collector.ts"
import type { Dashboard } from "./fixture/Dashboard.ts"
import { post, Providers } from "./fixture/Delivery.ts"
import { dump } from "./fixture/dump.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { overProcesses, variablesFor } from "./fixture/Processes.ts"
import { Receiver } from "./fixture/Receiver.ts"
import { mailManners, manners, RepeatingProviders } from "./fixture/RepeatingProviders.ts"
import * as ServerProcess from "./fixture/ServerProcess.ts"
import { callHook, type Kind, kinds, signInSystems } from "./fixture/hookCalls.ts"
import { Spellings, unpacked } from "./fixture/Spellings.ts"
import { until } from "./fixture/Until.ts"
import type { Answer } from "./fixture/Wire.ts"

/** Numbers of the countries whose messages go over a carrier. */
const numbers: { readonly [carrier: string]: () => string } = {
  twilio: phone,
  whatsapp: phone,
  msg91: () => phone().replace("+9198", "+9197"),
  vonage: () => phone().replace(/^\+9198\d/, "+44791"),
  aws: () => phone().replace("+9198", "+49151")
}

interface Hook {
  readonly id: string
  readonly kind: Kind
  readonly secret: string
}

interface Relay {
  readonly id: string
  readonly code: string
  readonly identity: string
}

const parameters = /\{(\w+)\}/g

describe("the code of another system", () => {
  let database: FreshDatabase.FreshDatabase
  let providers: Providers
  let repeating: RepeatingProviders
  let collector: Collector
  let receiver: Receiver
  let server: ServerProcess.ServerProcess
  let variables: ServerProcess.Variables
  let live: Client
  let owner: Dashboard
  let directory: string
  let webhookUrl: string
  const spellings = new Spellings(["relayed-code", "relayed-request"])
  const answers: Array<string> = []
  const relays: Array<Relay> = []
  const hooks: Array<Hook> = []

  /** A new secret. Letters and digits, as Zitadel's: a search cannot take it for a number or a time. */
  const newCode = (what: string, keys: ReadonlyArray<string> = []): string => {
    const code = Identifier.randomText(10).toUpperCase()
    spellings.add(what, code, keys)
    return code
  }

  /** Every answer is searched, whatever its status. */
  const keep = <A extends Pick<Answer, "status" | "text">>(answer: A): A => {
    answers.push(answer.text)
    return answer
  }

  beforeAll(async () => {
    database = await FreshDatabase.make()
    collector = await Collector.start()
    receiver = await Receiver.start()
    providers = await Providers.start()
    repeating = await RepeatingProviders.start({ twilio: providers.twilio.url, whatsapp: providers.whatsapp.url })
    directory = await mkdtemp(join(tmpdir(), "countersign-leaks-"))
    const port = await freePort()
    const { url } = repeating
    variables = {
      ...variablesFor(database.url),
      ...providers.variables,
      PORT: String(port),
      PUBLIC_URL: `http://localhost:${port}`,
      COUNTERSIGN_ALLOW_PRIVATE_WEBHOOKS: "true",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      SMS_CARRIERS: "9198: twilio; 9197: msg91; 44: vonage; 49: aws; *: twilio",
      EMAIL_CARRIERS: "*: smtp, aws",
      TWILIO_API_URL: `${url}/twilio`,
      WHATSAPP_API_URL: `${url}/whatsapp`,
      MSG91_AUTH_KEY: "the-auth-key-of-msg91",
      MSG91_TEMPLATE_ID: "6501a2b3d6fc0512ab34cd56",
      MSG91_API_URL: url,
      VONAGE_FROM: "Acme",
      VONAGE_API_KEY: "abcd1234",
      VONAGE_API_SECRET: "the-secret-of-vonage",
      VONAGE_API_URL: url,
      AWS_ACCESS_KEY_ID: "AKIAIOSFODNN7EXAMPLE",
      AWS_SECRET_ACCESS_KEY: "the-secret-of-aws",
      AWS_REGION: "ap-south-1",
      SNS_FROM: "ACMEIN",
      SNS_API_URL: url,
      SES_FROM: "Acme <codes@acme.example>",
      SES_CONFIGURATION_SET: "mails",
      SES_API_URL: url,
      SMTP_URL: repeating.smtpUrl
    }
    server = await ServerProcess.serve(variables)
    live = (await overProcesses([server]).withOwner()).live
    owner = live.owner!
    assert.strictEqual((await live.settings({ fallbackChannel: "SMS", hourlyLimit: 1000 })).status, 200)
    webhookUrl = receiver.endpoint()
    await live.webhook({ url: webhookUrl })
    for (const kind of kinds) {
      const { body, status, text } = await live.post("/v1/dashboard/hooks", { kind, name: `Sign-in ${kind}` })
      assert.strictEqual(status, 201, text)
      hooks.push(body)
    }
  })
  afterAll(async () => {
    await server?.kill("SIGTERM")
    await Promise.all([collector, receiver, providers, repeating].map((each) => each?.close()))
    await database?.drop()
    if (directory !== undefined) await rm(directory, { recursive: true, force: true })
  })

  /** Relays a code, and keeps the answer. */
  const relay = async (
    what: string,
    identity: string,
    fields: { readonly [name: string]: unknown } = {},
    headers: { readonly [name: string]: string } = { "idempotency-key": uuid() }
  ): Promise<Relay> => {
    const code = newCode(what, [identity, identity.slice(1), live.keys.clientSecret, live.keys.clientId])
    const answer = keep(
      await live.post("/v1/deliveries", { identity, code, expiresInSeconds: 900, ...fields }, headers)
    )
    assert.strictEqual(answer.status, 201, `${what}: ${answer.text}`)
    const made = { id: answer.body.id, code, identity }
    spellings
      .addHashes(`${what} with its id`, `${made.id}${code}`)
      .addHashes(`${what} with its person`, `${identity}${code}`)
    relays.push(made)
    return made
  }

  const statusOf = async ({ id }: Relay) => keep(await live.get(`/v1/deliveries/${id}`)).body

  const sealsOf = async (relays: ReadonlyArray<Relay>) => {
    const rows = (await dump(database)).filter((row) => row.startsWith("verification"))
    return relays.filter(({ id }) => rows.some((row) => row.includes(id) && /sealedCode\\?": ?\\?"\w/.test(row)))
  }

  /** Runs a program of Postgres. Null where the machine does not have it. */
  const pgDump = async (...args: ReadonlyArray<string>): Promise<Buffer | null> => {
    const file = join(directory, uuid())
    try {
      await promisify(execFile)("pg_dump", [`--dbname=${database.url}`, `--file=${file}`, ...args])
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === "ENOENT") return null
      // An older pg_dump refuses a newer server.
      if (/version mismatch/.test(String(error))) return null
      throw error
    }
    return readFile(file)
  }

  /** Every form in which an operator copies the database. */
  const backups = async (): Promise<ReadonlyArray<readonly [name: string, bytes: Buffer]>> => {
    const file = join(directory, `${uuid()}.backup`)
    const { code, stderr } = await ServerProcess.run(["backup", file], variables)
    assert.strictEqual(code, 0, stderr)
    const dumps = [await pgDump(), await pgDump("--format=custom"), await pgDump("--inserts")]
    return [
      ["countersign backup", await readFile(file)],
      ...dumps.flatMap((bytes) => (bytes === null ? [] : [["pg_dump", bytes] as const]))
    ]
  }

  const nowhere = (place: string, haystacks: Iterable<string | Buffer>) => {
    const found = [...haystacks].flatMap((haystack) =>
      spellings.in(haystack).map((what) => `${what}: ${haystack.toString("latin1").slice(0, 200)}`)
    )
    assert.deepStrictEqual(found.slice(0, 5), [], `${place}: ${found.length} times`)
  }

  /** The GETs of the whole HTTP API, with every id of this run, as JSON and as CSV. */
  const everyGet = async (): Promise<ReadonlyArray<string>> => {
    const { paths } = (await live.service.send({ path: "/openapi.json" })).body
    const some = relays.slice(0, 6)
    const people = some.map(({ identity }) => identity)
    const webhooks = (await live.webhooks()).body.items.map(({ id }: { readonly id: string }) => id)
    const ids = [...some.map(({ id }) => id), ...hooks.map(({ id }) => id), ...webhooks, ...people]
    const read: Array<string> = []
    const statuses = new Map<number, number>()
    for (const [path, methods] of Object.entries<any>(paths)) {
      if (methods.get === undefined || path.startsWith("/v1/admin")) continue
      const queries: Array<string> = [""]
      const names: ReadonlyArray<string> = (methods.get.parameters ?? [])
        .filter((parameter: any) => parameter.in === "query")
        .map((parameter: any) => parameter.name)
      for (const name of names) {
        if (/identity|person|q$|search/i.test(name))
          for (const one of people) queries.push(`?${name}=${encodeURIComponent(one)}`)
        if (name === "requestId") for (const { id } of some) queries.push(`?requestId=${id}`)
      }
      const places =
        path.match(parameters) === null ? [path] : ids.map((id) => path.replace(parameters, encodeURIComponent(id)))
      for (const place of places) {
        for (const query of queries) {
          for (const accept of ["application/json", "text/csv"]) {
            const call = { path: `${place}${query}`, headers: { accept, "x-environment": "live" } }
            const byOwner = await owner.send(call)
            statuses.set(byOwner.status, (statuses.get(byOwner.status) ?? 0) + 1)
            read.push(byOwner.text)
            if (accept === "application/json") read.push((await live.send(call)).text)
          }
        }
      }
    }
    assert.isAbove(statuses.get(200) ?? 0, 100, "most lists answer")
    assert.isTrue(
      read.some((text) => text.includes(some[0]!.id)),
      "they speak of these codes"
    )
    return read
  }

  it("reaches its person through the API and every kind of hook, also when it is refused", async () => {
    const { url } = server
    for (const hook of hooks) {
      const { kind, secret } = hook
      const system = signInSystems[kind]
      const identityOf = () => (system.channel === "EMAIL" ? email() : phone())
      const asked = (what: string, identity = identityOf()) => {
        const code = newCode(`${kind}: ${what}`, [secret, hook.id, identity])
        const body = system.body({ code, identity })
        spellings.addHashes(`${kind}: the body of ${what}`, body, [secret])
        return { identity, code, body, sign: system.signing(secret, body) }
      }
      const call = async (body: string, headers: { readonly [name: string]: string }, where: object = {}) =>
        keep(await callHook(url, { ...hook, ...where }, headers, body))

      const { body, identity, sign } = asked("accepted")
      for (let n = 0; n < 3; n++) assert.strictEqual((await call(body, sign())).status, 200, kind)
      await until(
        async () => [...(await providers.messagesTo(identity)), ...(repeating.received.get(identity) ?? [])],
        ({ length }) => length === 1,
        { what: `the message of ${kind}` }
      )

      const unsigned = asked("unsigned")
      assert.strictEqual((await call(unsigned.body, {})).status, 401)
      const foreign = asked("signed with another secret")
      const other = "v1,whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY="
      assert.strictEqual((await call(foreign.body, system.signing(other, foreign.body)())).status, 401)
      const changed = asked("changed")
      const inTransit = kind === "kratos" ? {} : sign()
      assert.strictEqual((await call(changed.body, inTransit)).status, 401)
      if (kind !== "kratos") {
        const old = asked("old")
        assert.strictEqual((await call(old.body, old.sign(Math.floor(Date.now() / 1000) - 3600))).status, 401)
      }

      /** Sends a signed body that is not what it should be. */
      const broken = async (
        what: string,
        bodyOf: (code: string) => string,
        headers: { readonly [name: string]: string } = {}
      ) => {
        const code = newCode(`${kind}: ${what}`, [secret, hook.id])
        const body = bodyOf(code)
        const { status, text } = await call(body, { ...system.signing(secret, body)(), ...headers })
        const isRefused = status >= 400 || text.includes("http_code")
        assert.isTrue(isRefused, `${kind}, ${what}: ${status} ${text}`)
      }
      const whole = (code: string) => system.body({ code, identity: identityOf() })
      const within = (change: (body: any, code: string) => unknown) => (code: string) =>
        JSON.stringify(change(JSON.parse(whole(code)), code))
      /** Replaces the code wherever it is a value. */
      const replaced = (to: (code: string) => unknown) => (code: string) =>
        whole(code).replaceAll(`"${code}"`, JSON.stringify(to(code)))
      await broken("cut off", (code) => whole(code).slice(0, -1))
      await broken("no JSON", (code) => `code=${code}&to=${code}`)
      await broken("only a text", (code) => JSON.stringify(code))
      await broken("a list", (code) => JSON.stringify([code, { code }]))
      await broken(
        "in a list",
        replaced((code) => [code])
      )
      await broken(
        "in an object",
        replaced((code) => ({ code }))
      )
      await broken(
        "as a name",
        replaced((code) => ({ [code]: 1 }))
      )
      await broken(
        "twice",
        replaced((code) => `${code}${code}`)
      )
      await broken(
        "in a sentence",
        replaced((code) => `Your code is ${code}. Go to https://example.com`)
      )
      await broken("for nobody", (code) => system.body({ code, identity: code }))
      await broken("for an address that is none", (code) => system.body({ code, identity: `${code}@` }))
      await broken(
        "without its parts",
        within((_body, code) => ({ code, unknown: { code } }))
      )
      await broken("too large", (code) => JSON.stringify({ code, x: code.repeat(40_000) }))
      if (kind.startsWith("zitadel")) {
        await broken(
          "as an event",
          within((body, code) => ({ ...body, contextInfo: { ...body.contextInfo, eventType: code } }))
        )
      }
      if (kind === "auth0")
        await broken(
          "spoken",
          within((body) => ({ ...body, method: "voice" }))
        )
      if (kind === "generic") {
        for (const field of ["locale", "channel", "purpose", "clientIp", "expiresInSeconds"]) {
          await broken(
            `as ${field}`,
            within((body, code) => ({ ...body, [field]: code }))
          )
        }
      }

      /** Sends a good request in a bad way. */
      const wrongly = async (
        what: string,
        send: (request: ReturnType<typeof asked>) => Promise<{ readonly status: number; readonly text: string }>
      ) => {
        const request = asked(what)
        assert.isAtLeast(keep(await send(request)).status, 400, `${kind}, ${what}`)
      }
      const raw = async (path: string, init: RequestInit) => {
        const answer = await fetch(`${url}${path}`, init)
        return { status: answer.status, text: await answer.text() }
      }
      const path = `/v1/hooks/${kind}/${hook.id}`
      await wrongly("to an unknown hook", ({ body, sign }) =>
        call(body, sign(), { id: "hok_00000000000000000000000000" })
      )
      await wrongly("to another kind", ({ body, sign }) =>
        call(body, sign(), { kind: kind === "kratos" ? "generic" : "kratos" })
      )
      await wrongly("in the path", ({ body, code, sign }) => call(body, sign(), { id: code }))
      await wrongly("as the kind", ({ body, code, sign }) => call(body, sign(), { kind: code }))
      await wrongly("after the path", ({ body, code, sign }) =>
        raw(`${path}/${code}`, { method: "POST", headers: sign(), body })
      )
      await wrongly("in a GET", ({ code, sign }) => raw(`${path}?code=${code}`, { headers: sign() }))
      await wrongly("in a PUT", ({ body, sign }) => raw(path, { method: "PUT", headers: sign(), body }))
      await wrongly("compressed", ({ body, sign }) =>
        raw(path, { method: "POST", headers: { ...sign(), "content-encoding": "gzip" }, body: gzipSync(body) })
      )
      for (const type of ["text/xml", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"]) {
        const request = asked(`as ${type}`)
        keep(
          await raw(path, { method: "POST", headers: { ...request.sign(), "content-type": type }, body: request.body })
        )
      }
      const inHeaders = asked("in headers of a request without a signature")
      keep(
        await raw(path, {
          method: "POST",
          headers: {
            "idempotency-key": inHeaders.code,
            "webhook-id": inHeaders.code,
            "webhook-signature": inHeaders.code,
            "zitadel-signature": `t=1,v1=${inHeaders.code}`,
            authorization: `Bearer ${inHeaders.code}`,
            "user-agent": inHeaders.code,
            traceparent: `00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01`,
            baggage: `code=${inHeaders.code}`,
            tracestate: `code=${inHeaders.code}`
          },
          body: inHeaders.body
        })
      )
      const cut = asked("cut off on the way")
      await new Promise<void>((resolve) => {
        const socket = connect(Number(new URL(url).port), "127.0.0.1", () => {
          const head = Object.entries({ ...cut.sign(), "content-length": "9999" }).map(
            ([name, value]) => `${name}: ${value}`
          )
          socket.end(`POST ${path} HTTP/1.1\r\nhost: x\r\n${head.join("\r\n")}\r\n\r\n${cut.body}`)
        })
        socket.on("error", () => resolve())
        socket.on("close", () => resolve())
        socket.resume()
      })
      // The id of a message may be anything, and the person who set the system up may have put the code there.
      if (kind === "generic") {
        const { body, code } = asked("as the id of its request")
        await call(body, signInSystems["supabase-sms"].signing(secret, body)(), {})
        keep(await callHook(url, hook, { "idempotency-key": code, ...sign() }, body))
      }
    }
    for (const { id, kind } of hooks) {
      const list = keep(await live.get(`/v1/dashboard/hooks/${id}/requests`))
      assert.isAtLeast(list.body.items.length, 10, kind)
      keep(await owner.send({ path: `/v1/dashboard/hooks/${id}/requests`, headers: { "x-environment": "live" } }))
    }
  })

  it("is repeated by a provider in its errors, ids, headers and receipts", async () => {
    const sent: Array<readonly [what: string, relay: Relay, recipient: string]> = []
    for (const [carrier, numberOf] of Object.entries(numbers)) {
      for (const manner of manners) {
        const identity = numberOf()
        repeating.treat(identity, manner)
        const what = `${carrier} ${manner}`
        const channel = carrier === "whatsapp" ? "WHATSAPP" : "SMS"
        sent.push([what, await relay(what, identity, { channel }), identity.slice(1)])
      }
    }
    for (const manner of mailManners) {
      const identity = email()
      repeating.treatMail(identity, manner)
      sent.push([`mail ${manner}`, await relay(`mail ${manner}`, identity), identity])
    }
    const missing = () => sent.filter(([, , recipient]) => !repeating.received.has(recipient)).map(([what]) => what)
    await until(
      async () => missing(),
      ({ length }) => length === 0,
      { what: "the messages" }
    )
    for (const [what, { code }, recipient] of sent) {
      assert.isTrue(
        repeating.received.get(recipient)!.some((text) => text.includes(code)),
        `${what} has the code`
      )
    }

    const byTwilio = await relay("a receipt of Twilio", phone(), { channel: "SMS" })
    const byMeta = await relay("a receipt of Meta", phone(), { channel: "WHATSAPP" })
    const [{ id: sid }] = (await until(
      () => providers.messagesTo(byTwilio.identity),
      ({ length }) => length > 0,
      { what: "the message at Twilio" }
    )) as unknown as [{ readonly id: string }]
    const [{ id: wamid }] = (await until(
      () => providers.messagesTo(byMeta.identity),
      ({ length }) => length > 0,
      { what: "the message at Meta" }
    )) as unknown as [{ readonly id: string }]
    const message = (await Effect.runPromise(providers.twilio.ledger)).find((each) => each.sid === sid)!
    const [address = ""] = (message.statusCallback ?? "").split("#")
    const fields = [
      ["MessageSid", sid],
      ["MessageStatus", "undelivered"],
      ["To", message.to],
      ["Body", message.body],
      ["ErrorCode", "30006"],
      ["ErrorMessage", message.body],
      ["RawDlrDoneDate", message.body]
    ] as const
    const form = new URLSearchParams(fields.map(([name, value]): [string, string] => [name, value])).toString()
    const { pathname, search } = new URL(address)
    const callback = (path: string, headers: { readonly [name: string]: string }, body: string) =>
      post(server.url, { path, headers, body })
    const formType = "application/x-www-form-urlencoded"
    for (const signature of [TwilioSimulator.sign(providers.twilio.authToken, address, fields), "wrong"]) {
      keep(await callback(pathname + search, { "content-type": formType, "x-twilio-signature": signature }, form))
    }
    const chat = (await Effect.runPromise(providers.whatsapp.messages)).find((each) => each.wamid === wamid)!
    const report = {
      id: wamid,
      status: "failed",
      timestamp: "1900000000",
      recipient_id: byMeta.identity.slice(1),
      biz_opaque_callback_data: chat.reference,
      errors: [
        {
          code: 131_026,
          title: byMeta.code,
          message: byMeta.code,
          error_data: { details: `${byMeta.code} was not sent` }
        }
      ]
    }
    const meta = WhatsAppSimulator.encode({
      object: "whatsapp_business_account",
      entry: [
        {
          id: providers.whatsapp.wabaId,
          changes: [
            {
              field: "messages",
              value: {
                messaging_product: "whatsapp",
                metadata: {
                  display_phone_number: "15550001111",
                  phone_number_id: chat.phoneNumberId
                },
                statuses: [report]
              }
            }
          ]
        }
      ]
    })
    for (const signature of [WhatsAppSimulator.sign(providers.whatsapp.appSecret, meta), "sha256=00"]) {
      const headers = { "content-type": "application/json", "x-hub-signature-256": signature }
      keep(await callback("/v1/callbacks/whatsapp", headers, meta))
    }
    for (const relay of [byTwilio, byMeta]) {
      await until(
        () => statusOf(relay),
        ({ deliveries }) => deliveries.some((each: any) => each.deliveryStatus === "FAILED"),
        { what: "the failed message" }
      )
    }
  })

  it("is in no copy of the database, while it waits and after it was sent", async () => {
    const waiting = await Promise.all(
      [phone(), phone()].map((identity, n) => {
        providers.hold(identity)
        return relay(`waiting ${n}`, identity)
      })
    )
    await until(
      async () =>
        (await Promise.all(waiting.map(({ identity }) => providers.asked(identity)))).every((count) => count === 1),
      (all) => all,
      { what: "the messages at their provider" }
    )
    assert.lengthOf(await sealsOf(waiting), 2, "the codes wait in their rows")
    const during = await backups()
    await providers.letGo()
    // The copies take longer than a send may, so the receipts say that these codes were sent.
    for (const { identity } of waiting) {
      const [{ id: sid }] = (await providers.messagesTo(identity)) as unknown as [{ readonly id: string }]
      const receipt = await providers.twilioReceipt(sid, "delivered")
      assert.isBelow((await post(server.url, receipt)).status, 300)
    }
    await until(
      () => sealsOf(waiting),
      ({ length }) => length === 0,
      { what: "the end of the seals" }
    )
    const after = await backups()
    assert.strictEqual(during.length, after.length)
    for (const [name, bytes] of [...during, ...after]) {
      const plain = [bytes, ...unpacked(bytes)].map((part) => part.toString("latin1")).join("")
      for (const { id } of waiting) assert.include(plain, id, `${name} has the rows, and the search reads them`)
      nowhere(name, [bytes])
    }
    nowhere("in the tables", await dump(database))
  })

  it("is in no log, trace, metric, event, list, export or answer", async () => {
    const metrics = await until(
      async () => (await live.service.send({ path: "/metrics" })).text,
      (text) => /countersign_verifications_total\{[^}]*event="relayed"/.test(text),
      { what: "the metrics of relayed codes" }
    )
    nowhere("in the metrics", [metrics])
    const events = await until(
      async () => receiver.at(webhookUrl).filter(({ event }) => event.type === "delivery.updated"),
      ({ length }) => length >= kinds.length,
      { what: "the events" }
    )
    nowhere(
      "in the webhooks",
      receiver.at(webhookUrl).flatMap(({ body, headers }) => [body, JSON.stringify(headers)])
    )
    assert.isNotEmpty(events)
    nowhere("in the answers", answers)
    nowhere("in the GETs", await everyGet())
    await server.kill("SIGTERM")
    const output = server.output()
    assert.include(output, "A message was not delivered")
    nowhere("in the log", output.split("\n"))
    const spans = new Set(collector.spans())
    for (const name of ["POST /v1/deliveries", "WhatsApp.send"]) assert.include([...spans], name)
    assert.isAbove(collector.received.get("/v1/logs")?.length ?? 0, 0)
    for (const [path, bodies] of collector.received) nowhere(`at the collector in ${path}`, bodies)
    nowhere("in the tables at the end", await dump(database))
  })
})
