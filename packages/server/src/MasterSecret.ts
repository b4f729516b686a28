import { Effect, Redacted, Schema } from "effect"
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Configuration } from "./Configuration.ts"

/** The data directory cannot be used. */
export class DataDirectoryUnusable extends Schema.TaggedError<DataDirectoryUnusable>()("DataDirectoryUnusable", {
  directory: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `COUNTERSIGN_DATA_DIR: ${this.directory} cannot be read and written: ${String(this.cause)}`
  }
}

/** A fresh master secret. */
export const generate: Effect.Effect<string> = Effect.sync(() =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")
)

const isMissing = (cause: unknown) => cause instanceof Error && "code" in cause && cause.code === "ENOENT"

/** The secret kept in the data directory, made at the first start and readable by its owner alone. */
const kept = Effect.fnUntraced(function* (directory: string) {
  const fail = (cause: unknown) => new DataDirectoryUnusable({ directory, cause })
  const file = join(directory, "secret")
  const read = Effect.tryPromise({ try: () => readFile(file, "utf8"), catch: fail })
  return yield* Effect.catchIf(
    read,
    ({ cause }) => isMissing(cause),
    () =>
      Effect.gen(function* () {
        const secret = yield* generate
        yield* Effect.tryPromise({
          try: async () => {
            await mkdir(directory, { recursive: true, mode: 0o700 })
            await writeFile(file, `${secret}\n`, { mode: 0o600, flag: "wx" })
          },
          catch: fail
        })
        return secret
      })
  )
})

/** The configured master secret, or with the embedded database the one it keeps for itself. */
export const resolve = (configuration: Configuration): Effect.Effect<Redacted.Redacted, DataDirectoryUnusable> =>
  configuration.secret === undefined
    ? Effect.map(kept(configuration.dataDirectory), (secret) => Redacted.make(secret.trim()))
    : Effect.succeed(configuration.secret)
