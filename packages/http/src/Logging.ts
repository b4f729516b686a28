import { Layer, Logger, type LogLevel } from "effect"
import { safely } from "./safely.ts"

/** One line of the log. It holds no secret, no code, and of identities at most a mask. */
export interface LogEntry {
  readonly level: "trace" | "debug" | "info" | "warn" | "error" | "fatal"
  readonly message: string
  readonly at: Date
  /** What it is about: `requestId`, `channel`, `provider`, `cause` and the like. */
  readonly fields: { readonly [name: string]: unknown }
}

/** What pino, bunyan, Fastify's `log` and `console` have: a method for each level, the fields before the message. */
export interface LeveledLogger {
  debug(fields: object, message: string): unknown
  info(fields: object, message: string): unknown
  warn(fields: object, message: string): unknown
  error(fields: object, message: string): unknown
}

/** Where the log goes: a function, an object with a method for each level, or a layer such as `Logger.layer` gives. */
export type LoggerOption = ((entry: LogEntry) => unknown) | LeveledLogger | Layer.Layer<never>

const levels: { readonly [level in LogLevel.LogLevel]?: LogEntry["level"] } = {
  Trace: "trace",
  Debug: "debug",
  Warn: "warn",
  Error: "error",
  Fatal: "fatal"
}

/** Two levels that not everybody has, as the nearest that everybody has. */
const leveled = { trace: "debug", debug: "debug", info: "info", warn: "warn", error: "error", fatal: "error" } as const

/** A log line has a text and, after it, what the text is about. */
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
      // A log that fails loses the line, and never the request that it is about.
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

/** A layer that sends the log there. */
export const layer = (logger: LoggerOption): Layer.Layer<never> => {
  if (isLayer(logger)) return logger
  if (typeof logger === "function") return toFunction(logger)
  return toFunction(({ fields, level, message }) => logger[leveled[level]](fields, message))
}

/** What speaks against a value as a logger; null when nothing does. */
export const problemOf = (logger: unknown): string | null => {
  const isLeveled = (value: object) =>
    (["debug", "info", "warn", "error"] as const).every((level) => typeof Reflect.get(value, level) === "function")
  if (typeof logger === "function" || Layer.isLayer(logger)) return null
  return typeof logger === "object" && logger !== null && isLeveled(logger)
    ? null
    : "must be a function of one entry, an object with debug, info, warn and error, or a layer"
}
