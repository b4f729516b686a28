import {
  carrier,
  consoleChannel,
  Countersign,
  CountersignError,
  type CountersignOptions,
  InvalidOptions
} from "countersign"
import { MemoryStorage } from "countersign/memory"
import { smtp } from "countersign/smtp"
import { truecaller } from "countersign/truecaller"
import { twilio } from "countersign/twilio"
import { HttpWebhookSender } from "countersign/webhooks"
import { whatsapp } from "countersign/whatsapp"
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, afterEach, assert, beforeAll, describe, expect, it, vi } from "vitest"

const secret = "0e".repeat(32)
const hunter = "hunter2-hunter2"
const folder = mkdtempSync(join(tmpdir(), "countersign-embedded-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => vi.unstubAllEnvs())

/** The problems of a refused start, by option. */
const refused = async (options: unknown): Promise<Record<string, string>> => {
  try {
    await (await Countersign.make(options as CountersignOptions)).close()
  } catch (error) {
    assert.instanceOf(error, InvalidOptions)
    const { message, problems } = error as InvalidOptions
    assert.notInclude(message, hunter)
    return Object.fromEntries(problems.map(({ option, problem }) => [option, problem]))
  }
  throw new Error("It started")
}

describe("an instance in memory", () => {
  let countersign: Countersign
  const sent: Array<string> = []
  beforeAll(async () => {
    countersign = await Countersign.make({
      storage: MemoryStorage.layer,
      channels: [{ name: "SMS", send: async ({ code }) => void sent.push(code) }],
      webhooks: HttpWebhookSender.layer()
    })
  })
  afterAll(() => countersign.close())

  it("verifies a person with one import for the service and one for storage, without a secret", async () => {
    const { requestId } = await countersign.initiate({ identity: "+919876543210", identityType: "MOBILE" })
    await expect.poll(() => sent).toHaveLength(1)
    expect(await countersign.verify({ requestId, otp: sent[0]! })).toMatchObject({ requestId, verified: true })
  })

  it("rejects with CountersignError of the same package", async () => {
    const wrong = countersign.initiate({ identity: "nobody", identityType: "MOBILE" })
    await expect(wrong).rejects.toBeInstanceOf(CountersignError)
  })
})

describe("the database option", () => {
  it("can be a directory, which keeps its own secret, readable only by its owner", async () => {
    const directory = join(folder, "data")
    const first = await Countersign.make({ database: directory, channels: [], environment: "test" })
    const { requestId } = await first.initiate({ identity: "+919876543210", identityType: "MOBILE" })
    await first.close()
    const file = join(directory, "secret")
    const kept = readFileSync(file, "utf8")
    assert.match(kept, /^[\w-]{43}\n$/)
    assert.strictEqual(statSync(file).mode & 0o777, 0o600)

    // The next start derives the same code.
    const second = await Countersign.make({ database: { url: directory }, channels: [], environment: "test" })
    assert.isTrue((await second.verify({ requestId, otp: "123456" })).verified)
    await second.close()
    assert.strictEqual(readFileSync(file, "utf8"), kept)

    writeFileSync(file, "")
    const lost = Countersign.make({ database: directory, channels: [] })
    await expect(lost).rejects.toThrow(/secret does not contain a secret, but the existing data needs it\..*backup/)
  })

  it("must be a valid value, which errors never repeat", async () => {
    const problemOf = async (database: unknown) => (await refused({ database, channels: [], secret }))["database"]
    assert.match((await problemOf(undefined))!, /^is missing: set a Postgres URL or a directory/)
    assert.match((await problemOf(""))!, /^is missing/)
    assert.match((await problemOf(5))!, /a Postgres URL \(postgres:\/\/…\), a directory/)
    assert.match((await problemOf("  "))!, /^is blank/)
    const address = `postgres://x:${hunter}@y/z`
    const misspelt = [
      `postgress://x:${hunter}@y/z`,
      `mysql://x:${hunter}@y/z`,
      `postgres//x:${hunter}@y/z`,
      "file:data"
    ]
    // As some .env parsers return them.
    for (const text of [...misspelt, `"${address}"`, `'${address}'`, ` ${address}`, "./data\n"])
      assert.match((await problemOf(text))!, /must start with postgres:\/\/ or be a directory/)
    assert.deepStrictEqual(
      await refused({
        database: { url: "./data", schema: "mine", connections: 0, urll: hunter },
        channels: [],
        secret
      }),
      {
        "database.urll": "is not an option",
        "database.schema": "is only for Postgres, but the url is a directory",
        "database.connections": "must be a whole number from 1"
      }
    )
    assert.isFalse(existsSync("data"))
  })

  it("is not the storage option, and a layer is not a database", async () => {
    assert.deepStrictEqual(await refused({ storage: "./data", channels: [], secret }), {
      storage: "must be a layer: pass a URL, a directory or a pool as database"
    })
    assert.deepStrictEqual(await refused({ database: MemoryStorage.layer, channels: [], secret }), {
      database: "is a layer: pass it as storage"
    })
    assert.deepStrictEqual(await refused({ database: "./data", storage: MemoryStorage.layer, channels: [], secret }), {
      storage: "cannot be combined with database: set one of them"
    })
  })

  it("that is a bare pool is refused with the hint to pass { pool }", async () => {
    const pool = Object.assign(new EventTarget(), { connect: async () => {}, _events: {}, options: { max: 10 } })
    assert.deepStrictEqual(await refused({ database: pool, channels: [], secret }), {
      database: "is a pg.Pool: pass { pool } instead of the pool itself"
    })
  })

  it("that is an own pool is recognized by its methods, and needs a secret", async () => {
    assert.deepStrictEqual(
      await refused({ database: { pool: {}, url: hunter, connections: 2, min: 1 }, channels: [], secret }),
      {
        "database.url": "is not allowed with a pool, which has its own",
        "database.min": "is not an option",
        "database.pool": "must be a Pool of node-postgres",
        "database.connections": "must be a whole number from 3"
      }
    )
    const connect = async () => assert.fail("a pool that is too small is not asked")
    const pool = { connect, totalCount: 0, idleCount: 0, ending: false, options: { max: 4 } }
    assert.match((await refused({ database: { pool }, channels: [] }))["secret"]!, /is missing/)
    const started = Countersign.make({ database: { pool }, channels: [], secret })
    const { message } = await started.then(
      () => assert.fail("it started"),
      (error: Error) => error
    )
    assert.match(message, /its max to 5 or more/)
  })

  it("that is a Postgres URL needs a secret, and the error says how to generate one", async () => {
    const problems = await refused({ database: `postgres://x:${hunter}@127.0.0.1:1/y`, channels: [] })
    assert.match(problems["secret"]!, /openssl rand -hex 32/)
    const started = Countersign.make({ database: `postgres://x:${hunter}@127.0.0.1:1/y`, channels: [], secret })
    await expect(started).rejects.toMatchObject({ _tag: "StorageStartError" })
  })
})

describe("plain channels", () => {
  it("have all their problems reported together with those of other options", async () => {
    const problems = await refused({
      database: "",
      secret: hunter,
      channels: [
        twilio({ accountSid: "AC1", authToken: undefined, from: "+15005550006", apiURL: "x" } as never),
        smtp({ url: `smtp://acme:${hunter}@mail.example.com/path`, from: "", maxConnections: 0 }),
        whatsapp({ accessToken: hunter, phoneNumberIds: ["x"] } as never),
        { name: "sms", send: async () => {} }
      ],
      verifiers: [truecaller({ clientId: "" })],
      logger: "loud",
      tracer: {},
      clock: 5
    })
    assert.match(problems["channels[0].accountSid"]!, /AC and 32 hex digits/)
    assert.strictEqual(problems["channels[0].authToken"], "is missing")
    assert.strictEqual(problems["channels[0].apiURL"], "is not an option")
    assert.match(problems["channels[1].url"]!, /must not have a path/)
    assert.strictEqual(problems["channels[1].from"], "is missing")
    assert.match(problems["channels[1].maxConnections"]!, /greater than 0/)
    assert.match(problems["channels[2].phoneNumberIds"]!, /must be phone number ids/)
    for (const name of ["appSecret", "verifyToken", "template"])
      assert.strictEqual(problems[`channels[2].${name}`], "is missing")
    assert.match(problems["channels[3].name"]!, /did you mean SMS/)
    assert.strictEqual(problems["verifiers[0].clientId"], "is missing")
    assert.match(problems["database"]!, /is missing/)
    assert.match(problems["secret"]!, /32 bytes/)
    assert.containsAllKeys(problems, ["logger", "tracer", "clock"])
  })

  it("send with the given options, and only one may have a name", async () => {
    const asked: Array<{ readonly authorization: string | undefined; readonly body: string }> = []
    const server = createServer((request, response) => {
      let body = ""
      request.on("data", (chunk: Buffer) => (body += chunk.toString()))
      request.on("end", () => {
        asked.push({ authorization: request.headers.authorization, body })
        response.writeHead(201, { "content-type": "application/json" }).end('{"sid":"SM1"}')
      })
    })
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
    const account = {
      accountSid: `AC${"1".repeat(32)}`,
      authToken: hunter,
      from: "+15005550006",
      apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    }
    const storage = MemoryStorage.layer
    const countersign = await Countersign.make({ storage, channels: [twilio(account)] })
    await countersign.initiate({ identity: "+919876543210", identityType: "MOBILE" })
    await expect.poll(() => asked).toHaveLength(1)
    assert.strictEqual(asked[0]!.authorization, `Basic ${btoa(`${account.accountSid}:${hunter}`)}`)
    assert.strictEqual(new URLSearchParams(asked[0]!.body).get("To"), "+919876543210")
    await countersign.close()

    const carriers = await Countersign.make({
      storage,
      channels: [
        carrier(twilio(account), { carrier: "twilio-in", prefixes: ["91"] }),
        { name: "SMS", carrier: "down", send: async () => ({ unavailable: "http_503" }) }
      ]
    })
    await carriers.initiate({ identity: "+12025550123", identityType: "MOBILE" })
    const { requestId } = await carriers.initiate({ identity: "+919876543210", identityType: "MOBILE" })
    await expect.poll(async () => (await carriers.status({ requestId })).deliveries[0]?.carrier).toBe("twilio-in")
    await carriers.close()
    server.close()

    const twice = await refused({ storage, channels: [twilio(account), twilio(account)] })
    assert.deepStrictEqual(twice, {
      "channels[1]":
        'provides SMS by the carrier "twilio", which channels[0] already provides: give each its own `carrier` name'
    })
  })
})

describe("the console channel", () => {
  it("prints codes only in development", async () => {
    const storage = MemoryStorage.layer
    const channels = [consoleChannel()]
    vi.stubEnv("NODE_ENV", "production")
    assert.match((await refused({ storage, channels }))["channels[0]"]!, /prints codes.*NODE_ENV is production/)
    vi.stubEnv("NODE_ENV", "development")
    const https = { storage, channels, baseUrl: "https://app.example.com" }
    assert.match((await refused(https))["channels[0]"]!, /baseUrl is https/)
    const mixed = { storage, channels: [...channels, { name: "EMAIL", send: async () => {} }] }
    assert.match((await refused(mixed))["channels[0]"]!, /another channel sends to real people/)

    const printed = vi.spyOn(console, "log").mockImplementation(() => {})
    const countersign = await Countersign.make({ storage, channels: [...channels, consoleChannel("EMAIL")] })
    const { requestId } = await countersign.initiate({ identity: "+919876543210", identityType: "MOBILE" })
    await expect.poll(() => printed.mock.calls.length).toBe(1)
    const [, otp = ""] = /^SMS to \+919876543210: .*?(\d{6})/s.exec(String(printed.mock.calls[0]![0])) ?? []
    printed.mockRestore()
    assert.isTrue((await countersign.verify({ requestId, otp })).verified)
    await countersign.close()
  })
})

describe("a shared instance per process", () => {
  it("is created at the first use, and again after it was closed or failed to start", async () => {
    const storage = MemoryStorage.layer
    const wrong = Countersign.once({ storage, channels: [], basePath: 5 as never }, "wrong")
    await expect(wrong()).rejects.toBeInstanceOf(InvalidOptions)
    await expect(wrong()).rejects.toBeInstanceOf(InvalidOptions)

    const [first, reloaded] = [1, 2].map(() => Countersign.once({ storage, channels: [], environment: "test" }))
    const made = await first!()
    assert.strictEqual(await reloaded!(), made)
    const { requestId } = await made.initiate({ identity: "+919876543210", identityType: "MOBILE" })
    const checks = await Promise.all([1, 2, 3].map(() => made.verify({ requestId, otp: "123456" })))
    assert.lengthOf(
      checks.filter(({ already, verified }) => verified && !already),
      1
    )
    await made.close()
    const again = await first!()
    assert.notStrictEqual(again, made)
    // Closing the old instance a second time does not affect the new one.
    await made.close()
    assert.strictEqual(await reloaded!(), again)
    await again.close()
  })

  it("has the same errors as the HTTP API", async () => {
    const countersign = await Countersign.make({ storage: MemoryStorage.layer, channels: [], environment: "test" })
    const failure = await countersign.initiate({ identity: "nobody", identityType: "MOBILE" }).catch((error) => error)
    const answer: Response = failure.toResponse()
    assert.deepInclude(await answer.json(), { errorCode: "INVALID_REQUEST", message: failure.message })
    assert.deepStrictEqual([answer.status, answer.headers.get("content-type")], [400, "application/json"])
    await countersign.close()
  })
})
