import { type Exit, Layer, Option, Tracer } from "effect"
import { safely } from "./safely.ts"

/** The members of your spans that the service calls. OpenTelemetry spans have them. */
export interface PlainSpan {
  setAttribute?(name: string, value: string | number | boolean): unknown
  /** `code` 2 is a failure, as in OpenTelemetry. */
  setStatus?(status: { readonly code: 2; readonly message: string }): unknown
  /** Milliseconds since 1970. */
  end(at: number): unknown
  /** Returns the ids of your trace and span, which outgoing requests carry. */
  spanContext?(): { readonly traceId: string; readonly spanId: string }
}

/**
 * Starts a span of your own for each operation of the service.
 *
 * @example
 * ```ts
 * import type { PlainTracer } from "@countersign/http"
 *
 * // With OpenTelemetry: `otel` is trace.getTracer("app"), and `inside` is
 * // (parent) => (parent ? trace.setSpan(context.active(), parent) : context.active())
 * declare const otel: { startSpan: (name: string, options: object, context: unknown) => { end: (at: number) => void } }
 * declare const inside: (parent: unknown) => unknown
 *
 * export const tracer: PlainTracer = {
 *   startSpan: (name, options, parent) => otel.startSpan(name, options, inside(parent))
 * }
 * ```
 */
export interface PlainTracer {
  startSpan(name: string, options: PlainSpanOptions, parent: PlainSpan | undefined): PlainSpan
}

export interface PlainSpanOptions {
  /** Milliseconds since 1970. */
  readonly startTime: number
  /** 0 is internal, 1 server, 2 client, 3 producer, 4 consumer, as in OpenTelemetry. */
  readonly kind: number
}

/** Your tracer: an object that starts your own spans, or an Effect `Tracer`. */
export type TracerOption = PlainTracer | Tracer.Tracer

const kinds: { readonly [kind in Tracer.SpanKind]: number } = {
  internal: 0,
  server: 1,
  client: 2,
  producer: 3,
  consumer: 4
}

const millis = (nanos: bigint) => Number(nanos) / 1_000_000

const failure = 2

/**
 * An Effect span that copies its attributes and its end to your span. If your tracer throws, the span is lost but the
 * operation continues.
 */
class MirroredSpan extends Tracer.NativeSpan {
  readonly theirs: PlainSpan | undefined

  constructor(options: Parameters<Tracer.Tracer["span"]>[0], tracer: PlainTracer) {
    super(options)
    const parentSpan = Option.getOrUndefined(options.parent)
    const parent = parentSpan instanceof MirroredSpan ? parentSpan.theirs : undefined
    const spanOptions = { startTime: millis(options.startTime), kind: kinds[options.kind] }
    this.theirs = safely(() => tracer.startSpan(options.name, spanOptions, parent))
    const ids = safely(() => this.theirs?.spanContext?.())
    this._traceId = ids?.traceId
    this._spanId = ids?.spanId
  }

  override attribute(name: string, value: unknown): void {
    super.attribute(name, value)
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean")
      safely(() => this.theirs?.setAttribute?.(name, value))
  }

  /** Sets the message "failed", because an error's own message may contain data that does not belong in traces. */
  override end(endTime: bigint, exit: Exit.Exit<unknown, unknown>): void {
    super.end(endTime, exit)
    if (exit._tag === "Failure") safely(() => this.theirs?.setStatus?.({ code: failure, message: "failed" }))
    safely(() => this.theirs?.end(millis(endTime)))
  }
}

const isEffect = (tracer: TracerOption): tracer is Tracer.Tracer => "span" in tracer

/** A layer that sends every span to the tracer. */
export const layer = (tracer: TracerOption): Layer.Layer<never> =>
  Layer.succeed(
    Tracer.Tracer,
    isEffect(tracer) ? tracer : Tracer.make({ span: (options) => new MirroredSpan(options, tracer) })
  )

/** Returns why a value is not a valid tracer; null if it is valid. */
export const problemOf = (tracer: unknown): string | null =>
  typeof tracer === "object" &&
  tracer !== null &&
  ["startSpan", "span"].some((method) => typeof Reflect.get(tracer, method) === "function")
    ? null
    : "must be { startSpan(name, options, parent) }, or an Effect Tracer"
