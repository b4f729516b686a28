import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { assert, it } from "@effect/vitest"
import { Cause, Context, Effect, Exit, Layer, Logger, References, Tracer } from "effect"
import { inspect } from "node:util"
import { channelFor, code, message, phone } from "./fixtures/channel.ts"

const plain = (_: string, value: unknown) => (typeof value === "bigint" ? String(value) : value)
const print = (value: unknown) => `${inspect(value, { depth: 20, showHidden: true })}\n${JSON.stringify(value, plain)}`

/** The request data that Meta repeats in its error messages. */
const details = `template with ${code} for ${phone} and 919812345678`

const modes: ReadonlyArray<WhatsAppSimulator.WhatsAppMode> = [
  "accepted",
  "garbled",
  "reset",
  "acceptThenDrop",
  ...[131026, 131048, 133010, 132018, 190, 199999].map((refused) => ({ refused, details })),
  { overloaded: 503 }
]

it.effect("no error, log or span of WhatsApp contains the token, the code, the number or Meta's message", () =>
  Effect.gen(function* () {
    const heard: Array<string> = []
    const spans: Array<Tracer.NativeSpan> = []
    const logger = Logger.make(({ cause, fiber, message: words }) => {
      heard.push(print([words, cause.reasons.map(String), fiber.getRef(References.CurrentLogAnnotations)]))
    })
    const tracer = Tracer.make({
      span: (options) => {
        const span = new Tracer.NativeSpan(options)
        spans.push(span)
        return span
      }
    })
    const layer = Layer.mergeAll(
      Logger.layer([logger]),
      Layer.succeedContext(Context.make(References.MinimumLogLevel, "All").pipe(Context.add(Tracer.Tracer, tracer)))
    )
    const meta = yield* WhatsAppSimulator.make({
      phoneNumberIds: ["11", "22"],
      script: WhatsAppSimulator.scripts.silent
    })
    const exits = yield* Effect.gen(function* () {
      const channel = yield* channelFor(meta)
      return yield* Effect.forEach(modes, (mode) =>
        meta.mode(mode).pipe(Effect.andThen(Effect.exit(channel.send(message()))))
      )
    }).pipe(Effect.provide(layer))
    for (const exit of exits) heard.push(print(exit), Exit.isFailure(exit) ? Cause.pretty(exit.cause) : "")
    heard.push(...spans.map((span) => print([span.name, [...span.attributes], span.events, span.status])))
    const text = heard.join("\n")
    assert.include(text, "131026", "the code of an error is there")
    assert.include(text, "A WhatsApp number became unhealthy")
    assert.isAbove(spans.length, 0)
    for (const secret of [
      meta.accessToken,
      meta.appSecret,
      meta.verifyToken,
      code,
      phone.slice(1),
      "does not exist",
      "template with"
    ]) {
      assert.notInclude(text, secret)
    }
  })
)
