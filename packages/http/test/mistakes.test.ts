import { randomBytes } from "node:crypto"
import { MemoryStorage } from "@countersign/core/memory"
import type { Storage } from "@countersign/core/storage"
import { Effect, Layer, ManagedRuntime } from "effect"
import { afterEach, assert, describe, it } from "vitest"
import {
  CountersignError,
  type EmbeddedService,
  type LogEntry,
  makeService,
  type PromiseChannel,
  type ServiceOptions
} from "../src/index.ts"

const identity = { identity: "+919876543210", identityType: "MOBILE" }

describe("a developer's mistake", () => {
  const opened: Array<EmbeddedService> = []
  afterEach(async () => {
    for (const instance of opened.splice(0)) await instance.close()
  })

  /** An instance that records its log. */
  const open = async (options: Partial<ServiceOptions> = {}) => {
    const log: Array<LogEntry> = []
    const instance = await makeService({
      storage: MemoryStorage.layer,
      channels: [{ name: "SMS", send: async () => {} }],
      secret: randomBytes(32).toString("hex"),
      logger: (entry) => void log.push(entry),
      ...options
    })
    opened.push(instance)
    return { instance, log }
  }
  const written = (log: ReadonlyArray<LogEntry>) => JSON.stringify(log)

  it("in a channel's send is logged with the error's name and location, without its message", async () => {
    const told = Promise.withResolvers<void>()
    const sms: PromiseChannel = {
      name: "SMS",
      send: async ({ to }) => {
        setImmediate(told.resolve)
        throw new ReferenceError(`mesage is not defined, for ${to}`)
      }
    }
    const { instance, log } = await open({ channels: [sms] })
    await instance.initiate(identity)
    await told.promise
    while (!written(log).includes("A channel's send threw an error")) await new Promise(setImmediate)
    assert.include(written(log), "ReferenceError")
    assert.include(written(log), "mistakes.test.ts")
    assert.notInclude(written(log), "mesage")
    assert.notInclude(written(log), "9876543210")
  })

  it("in the result of a channel's send is logged, and does not send the message again", async () => {
    const isRead = (answer: unknown) => answer === null || /providerId|because/.test(JSON.stringify(answer))
    for (const answer of [
      null,
      "SM123",
      7,
      {},
      { messageId: "SM123" },
      { refused: 401 },
      { providerId: 7 },
      { refused: "no", because: "why" }
    ]) {
      const sms: PromiseChannel = { name: "SMS", send: async () => answer as never }
      const { instance, log } = await open({ channels: [sms] })
      await instance.initiate(identity)
      const isOver = () => /returned an invalid result|A job failed unexpectedly/.test(written(log))
      for (let turn = 0; turn < 2_000 && !isOver(); turn++) await new Promise(setImmediate)
      assert.notInclude(written(log), "A job failed unexpectedly", JSON.stringify(answer))
      assert.strictEqual(written(log).includes("returned an invalid result"), !isRead(answer), JSON.stringify(answer))
      assert.notInclude(written(log), "SM123")
    }
  })

  it("of calling an instance after close() is a CountersignError with status 503 for every method", async () => {
    const { instance } = await open()
    await instance.close()
    for (const call of [
      () => instance.initiate(identity),
      () => instance.status({ requestId: "x" }),
      () => instance.leads.list({})
    ]) {
      const error = await call().then(
        () => null,
        (error: unknown) => error
      )
      assert.instanceOf(error, CountersignError)
      assert.deepStrictEqual([error.status, error.errorCode], [503, "INTERNAL_ERROR"])
      assert.match(error.message, /closed/)
    }
  })

  it("in settings given in code is logged with the message of the HTTP API", async () => {
    const { log } = await open({ settings: { fallbackChannel: "EMAIL" } })
    assert.match(written(log), /settings\.fallbackChannel: /)
    const sound = await open({ settings: { codeLength: 8 } })
    assert.notMatch(written(sound.log), /settings\./)
  })

  it("of adding keys to storage that already holds data is logged once, not at later starts", async () => {
    const runtime = ManagedRuntime.make(MemoryStorage.layer)
    const storage = Layer.succeedContext(await runtime.runPromise(Effect.context<Storage>()))
    const secret = randomBytes(32).toString("hex")
    const keysFor = (kind: string) => ({
      clientId: `client-${kind}`,
      clientSecret: `secret-of-${kind}-0123456789`,
      publicKey: `public-${kind}`
    })
    const keys = { live: keysFor("live"), test: keysFor("test") }
    assert.notMatch(written((await open({ storage, secret })).log), /empty merchant/)
    assert.match(written((await open({ storage, secret, keys })).log), /empty merchant/)
    assert.notMatch(written((await open({ storage, secret, keys })).log), /empty merchant/)
    assert.notMatch(written((await open({ keys })).log), /empty merchant/)
    for (const instance of opened.splice(0)) await instance.close()
    await runtime.dispose()
  })
})
