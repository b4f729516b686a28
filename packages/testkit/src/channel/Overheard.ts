import { Context, Effect, Exit, Layer, Logger, References, type Scope, Tracer } from "effect"
import { inspect } from "node:util"

/** Everything that printing a value would reveal. */
export const printed = (value: unknown): string =>
  inspect(value, { depth: 20, showHidden: true, maxStringLength: null, maxArrayLength: null })

const spoken = ["debug", "dir", "error", "info", "log", "trace", "warn"] as const

/** The exported result of a span: only its failure. */
const exported = ({ attributes, events, name, status }: Tracer.NativeSpan) =>
  printed([name, attributes, events, status._tag === "Ended" && Exit.isFailure(status.exit) ? status.exit.cause : null])

/** Collects a program's logs of every level, its traces and its console output. */
export const overheard: Effect.Effect<
  { readonly heard: Effect.Effect<string>; readonly layer: Layer.Layer<never> },
  never,
  Scope.Scope
> = Effect.gen(function* () {
  const lines: Array<string> = []
  const spans: Array<Tracer.NativeSpan> = []

  yield* Effect.acquireRelease(
    Effect.sync(() => {
      const voice = new Map(spoken.map((name) => [name, console[name]]))
      for (const name of spoken) console[name] = (...words: ReadonlyArray<unknown>) => void lines.push(printed(words))
      return voice
    }),
    (voice) =>
      Effect.sync(() => {
        for (const [name, speak] of voice) console[name] = speak as typeof console.log
      })
  )

  const logger = Logger.make(({ cause, fiber, message }) => {
    const annotations = fiber.getRef(References.CurrentLogAnnotations)
    lines.push(printed([message, cause, annotations, fiber.getRef(References.CurrentLogSpans)]))
  })
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  return {
    heard: Effect.sync(() => [...lines, ...spans.map(exported)].join("\n")),
    layer: Layer.mergeAll(
      Logger.layer([logger]),
      Layer.succeedContext(
        Context.empty().pipe(Context.add(References.MinimumLogLevel, "All"), Context.add(Tracer.Tracer, tracer))
      )
    )
  }
})
