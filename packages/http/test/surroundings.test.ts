import { MemoryStorage } from "@countersign/core/memory"
import { Clock, Effect, Layer, Logger, Tracer } from "effect"
import { assert, describe, expect, it } from "vitest"
import {
  makeService,
  type ServiceOptions,
  type LogEntry,
  type LoggerOption,
  type PlainSpan,
  type PlainTracer
} from "../src/index.ts"

const secret = "0f".repeat(32)
const phone = "+919876543210"
const person = { identity: phone, identityType: "MOBILE" }

/** A service whose only channel refuses every code, which writes a log line. */
const refusing = async (more: Partial<ServiceOptions>) => {
  let code = ""
  const countersign = await makeService({
    storage: MemoryStorage.layer,
    channels: [
      {
        name: "SMS",
        provider: "acme",
        send: async (message) => {
          code = message.code
          return { refused: "no_credit" }
        }
      }
    ],
    secret,
    ...more
  })
  const { requestId } = await countersign.initiate(person)
  await expect.poll(() => code).not.toBe("")
  return { countersign, requestId, code }
}

describe("a custom logger", () => {
  it("as a function receives entries without secrets, codes or identities", async () => {
    const entries: Array<LogEntry> = []
    const { code, countersign, requestId } = await refusing({ logger: (entry) => void entries.push(entry) })
    await expect.poll(() => entries).toHaveLength(1)
    await countersign.close()
    const { at, fields, level, message } = entries[0]!
    assert.strictEqual(level, "warn")
    assert.match(message, /\w/)
    assert.instanceOf(at, Date)
    assert.deepInclude(fields, { requestId, channel: "SMS", provider: "acme", providerCode: "no_credit" })
    const told = JSON.stringify(entries)
    for (const hidden of [code, secret, phone, phone.slice(1)]) assert.notInclude(told, hidden)
  })

  it("with a method per level receives the fields before the message", async () => {
    const said: Array<readonly unknown[]> = []
    const tell = (...args: ReadonlyArray<unknown>) => void said.push(args)
    const { countersign } = await refusing({ logger: { debug: tell, info: tell, warn: tell, error: tell } })
    await expect.poll(() => said).toHaveLength(1)
    await countersign.close()
    assert.deepInclude(said[0]![0], { providerCode: "no_credit" })
    assert.isString(said[0]![1])
  })

  it("as a layer is used unchanged, and its failure stops nothing", async () => {
    const seen: Array<unknown> = []
    const layered = await refusing({ logger: Logger.layer([Logger.make(({ message }) => void seen.push(message))]) })
    await expect.poll(() => seen).toHaveLength(1)
    await layered.countersign.close()
    const full = async () => Promise.reject(new Error("full"))
    const loggers: ReadonlyArray<LoggerOption> = [
      () => {
        throw new Error("full")
      },
      // Rejections of these methods stay unhandled: they would end the process, and they end this test.
      full,
      { debug: full, info: full, warn: full, error: full }
    ]
    for (const logger of loggers) {
      const failing = await refusing({ logger, tracer: { startSpan: () => ({ setAttribute: full, end: full }) } })
      await expect
        .poll(async () => (await failing.countersign.status({ requestId: failing.requestId })).authStatus)
        .toBe("FAILED")
      await failing.countersign.close()
    }
  })
})

describe("a custom tracer", () => {
  /** Ended OpenTelemetry spans by name. */
  const recorder = () => {
    const spans: Array<{ name: string; parent: string | undefined; failed: boolean; ended: boolean }> = []
    const tracer: PlainTracer = {
      startSpan: (name, { startTime }, parent) => {
        assert.isAbove(startTime, 0)
        const row = {
          name,
          parent: (parent as { row?: { name: string } } | undefined)?.row?.name,
          failed: false,
          ended: false
        }
        spans.push(row)
        const span: PlainSpan & { readonly row: typeof row } = {
          row,
          setStatus: () => void (row.failed = true),
          end: () => void (row.ended = true),
          spanContext: () => ({ traceId: "0".repeat(32), spanId: "1".repeat(16) })
        }
        return span
      }
    }
    return { spans, tracer }
  }

  it("receives a span for each method and request, with its failure", async () => {
    const { spans, tracer } = recorder()
    const { countersign, requestId } = await refusing({ tracer })
    await countersign.status({ requestId })
    await countersign.status({ requestId: "ver_none" }).catch(() => {})
    await countersign.handler(new Request("http://localhost/healthz"))
    await countersign.close()
    const names = spans.map(({ failed, name }) => `${name}${failed ? " failed" : ""}`)
    assert.includeMembers(names, ["Countersign.initiate", "Countersign.status", "Countersign.status failed"])
    assert.isTrue(spans.every(({ ended }) => ended))
    assert.isTrue(names.some((name) => /healthz|unknown/.test(name)))
  })

  it("of Effect is used unchanged", async () => {
    const names: Array<string> = []
    const tracer = Tracer.make({
      span: (options) => {
        names.push(options.name)
        return new Tracer.NativeSpan(options)
      }
    })
    const { countersign } = await refusing({ tracer })
    await countersign.close()
    assert.include(names, "Countersign.initiate")
  })
})

describe("a custom clock", () => {
  it("expires a code at its time, as a plain clock or as Effect's Clock", async () => {
    let ahead = 0
    const machine = Effect.runSync(Clock.Clock)
    const now = () => Date.now() + ahead
    const effect: Clock.Clock = {
      currentTimeMillisUnsafe: now,
      currentTimeMillis: Effect.sync(now),
      currentTimeNanosUnsafe: () => BigInt(now()) * 1_000_000n,
      currentTimeNanos: Effect.sync(() => BigInt(now()) * 1_000_000n),
      monotonicTimeNanosUnsafe: () => machine.monotonicTimeNanosUnsafe(),
      monotonicTimeNanos: machine.monotonicTimeNanos,
      sleep: (duration) => machine.sleep(duration)
    }
    for (const clock of [{ now }, effect]) {
      ahead = 0
      const countersign = await makeService({
        storage: MemoryStorage.layer,
        channels: [],
        secret,
        environment: "test",
        clock
      })
      const { requestId } = await countersign.initiate(person)
      ahead = 3_600_000
      await expect(countersign.verify({ requestId, otp: "123456" })).rejects.toMatchObject({ errorCode: "OTP_EXPIRED" })
      await countersign.close()
    }
  })
})

describe("a channel that is created at the start", () => {
  it("receives the service's URL, and is released with the service", async () => {
    const told: Array<string | undefined> = []
    let open = false
    const countersign = await makeService({
      storage: Layer.fresh(MemoryStorage.layer),
      channels: [
        {
          provider: "acme",
          make: ({ publicUrl }) =>
            Effect.gen(function* () {
              told.push(publicUrl)
              yield* Effect.acquireRelease(
                Effect.sync(() => (open = true)),
                () => Effect.sync(() => (open = false))
              )
              return []
            })
        }
      ],
      secret,
      baseUrl: "https://app.example.com/verify"
    })
    assert.deepStrictEqual([told, open], [["https://app.example.com/verify"], true])
    await countersign.close()
    assert.isFalse(open)
  })
})
