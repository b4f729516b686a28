import { Layer, Logger, type LogLevel } from "effect"
import { safely } from "./safely.ts"

/** One line of the log. It never contains a secret or a code, and identities are masked. */
export interface LogEntry {
  readonly level: "trace" | "debug" | "info" | "warn" | "error" | "fatal"
  readonly message: string
  readonly at: Date
  /** Structured details, such as `requestId`, `channel`, `provider` and `cause`. */
  readonly fields: { readonly [name: string]: unknown }
}

/** A logger with a method for each level and fields before the message, like pino, bunyan and Fastify's `log`. */
export interface LeveledLogger {
  debug(fields: object, message: string): unknown
  info(fields: object, message: string): unknown
  warn(fields: object, message: string): unknown
  error(fields: object, message: string): unknown
}

/** A destination for the log: a function, an object with a method for each level, or a layer such as `Logger.layer`. */
export type LoggerOption = ((entry: LogEntry) => unknown) | LeveledLogger | Layer.Layer<never>

const levels: { readonly [level in LogLevel.LogLevel]?: LogEntry["level"] } = {
  Trace: "trace",
  Debug: "debug",
  Warn: "warn",
  Error: "error",
  Fatal: "fatal"
}

/** Maps `trace` and `fatal`, which many loggers lack, to the nearest common level. */
const leveled = { trace: "debug", debug: "debug", info: "info", warn: "warn", error: "error", fatal: "error" } as const

/** Splits the parts of a log line into the text and the fields. */
const parted = (message: unknown): Pick<LogEntry, "fields" | "message"> => {
  const parts: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
  const isFields = (part: unknown) => typeof part === "object" && part !== null && !Array.isArray(part)
  return {
    message: parts
      .filter((part) => !isFields(part))
      .map((part) => (typeof part === "string" ? part : JSON.stringify(part)))
      .join(" "),
    fields: Object.assign({}, ...parts.filter(isFields)) as LogEntry["fields"]
  }
}

const toFunction = (tell: (entry: LogEntry) => unknown): Layer.Layer<never> =>
  Logger.layer([
    Logger.make((options) => {
      const { annotations, cause, message: said } = Logger.formatStructured.log(options)
      const { fields, message } = parted(said)
      // A failing logger loses the line but must not fail the request.
      safely(() =>
        tell({
          level: levels[options.logLevel] ?? "info",
          message,
          at: options.date,
          fields: { ...annotations, ...fields, ...(cause === undefined ? {} : { cause }) }
        })
      )
    })
  ])

const isLayer = (logger: LoggerOption): logger is Layer.Layer<never> => Layer.isLayer(logger)

/** A layer that sends the log to the destination. */
export const layer = (logger: LoggerOption): Layer.Layer<never> => {
  if (isLayer(logger)) return logger
  if (typeof logger === "function") return toFunction(logger)
  return toFunction(({ fields, level, message }) => logger[leveled[level]](fields, message))
}

/** Why a value is not a valid logger; null when it is. */
export const problemOf = (logger: unknown): string | null => {
  const isLeveled = (value: object) =>
    (["debug", "info", "warn", "error"] as const).every((level) => typeof Reflect.get(value, level) === "function")
  if (typeof logger === "function" || Layer.isLayer(logger)) return null
  return typeof logger === "object" && logger !== null && isLeveled(logger)
    ? null
    : "must be a function that takes an entry, an object with debug, info, warn and error, or a layer"
}
