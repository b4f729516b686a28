import { privateDirectory, type StorageStartError } from "@countersign/postgres"
import { Effect, Redacted, Schema } from "effect"
import { existsSync } from "node:fs"
import { link, readFile, rm, writeFile } from "node:fs/promises"
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

/** There is data, and the secret it was written with is gone. A new one would make every code and token in it worthless. */
export class SecretLost extends Schema.TaggedError<SecretLost>()("SecretLost", {
  file: Schema.String,
  directory: Schema.String,
  unreadable: Schema.Boolean
}) {
  override get message(): string {
    const what = this.unreadable ? "holds no secret" : "is missing"
    return `COUNTERSIGN_DATA_DIR: ${this.file} ${what}, and there is data that was written with it. Put it back from your backup, or set COUNTERSIGN_SECRET if you had set it before. To start anew without the data, remove ${this.directory}`
  }
}

/** A fresh master secret. */
export const generate: Effect.Effect<string> = Effect.sync(() =>
  Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString("base64url")
)

const isSecret = (text: string) => /^([0-9a-fA-F]{64}|[A-Za-z0-9_-]{43}=?)$/.test(text)
const hasCode = (cause: unknown, code: string) => cause instanceof Error && "code" in cause && cause.code === code

const read = async (file: string): Promise<string | undefined> => {
  try {
    return (await readFile(file, "utf8")).trim()
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined
    throw error
  }
}

/** Writes the file whole or not at all, and never over another: of several first starts at once, one makes the secret. */
const write = async (file: string, secret: string): Promise<void> => {
  const whole = `${file}.${process.pid}.${crypto.randomUUID()}`
  try {
    await writeFile(whole, `${secret}\n`, { mode: 0o600, flag: "wx" })
    await link(whole, file)
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error
  } finally {
    await rm(whole, { force: true })
  }
}

/** The secret kept in the data directory, made at the first start and readable by its owner alone. */
const kept = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<string, DataDirectoryUnusable | SecretLost | StorageStartError> {
  const directory = yield* privateDirectory(path)
  const file = join(directory, "secret")
  const attempt = <A>(run: () => Promise<A>) =>
    Effect.tryPromise({ try: run, catch: (cause) => new DataDirectoryUnusable({ directory, cause }) })
  const found = yield* attempt(() => read(file))
  if (found !== undefined && isSecret(found)) return found
  if (found !== undefined || existsSync(join(directory, "data")))
    return yield* new SecretLost({ file, directory, unreadable: found !== undefined })
  const made = yield* generate
  return yield* attempt(async () => {
    await write(file, made)
    return (await read(file)) ?? made
  })
})

/**
 * The secret of an embedded database is made before its first row, whatever makes that row: so data without a secret
 * means that it was lost. A command works on data without needing it.
 */
export const beforeData = (configuration: Configuration) =>
  configuration.databaseUrl !== undefined || existsSync(join(configuration.dataDirectory, "data"))
    ? Effect.void
    : Effect.asVoid(resolve(configuration))

/** What to say where storage was written with another secret than the one that is given. */
export const unknown = ({ databaseUrl, dataDirectory, secret }: Configuration): string => {
  const data = databaseUrl === undefined ? `the data in ${dataDirectory}` : "the database of DATABASE_URL"
  if (secret === undefined)
    return `COUNTERSIGN_DATA_DIR: ${join(dataDirectory, "secret")} is not the secret that ${data} was written with. Put the right one back, or set COUNTERSIGN_SECRET if you had set it before`
  return `COUNTERSIGN_SECRET: ${data} was written with another secret. Give that one; to change it, give the old one in COUNTERSIGN_SECRET_PREVIOUS`
}

/** The configured master secret, or with the embedded database the one it keeps for itself. */
export const resolve = (
  configuration: Configuration
): Effect.Effect<Redacted.Redacted, DataDirectoryUnusable | SecretLost | StorageStartError> =>
  configuration.secret === undefined
    ? Effect.map(kept(configuration.dataDirectory), (secret) => Redacted.make(secret))
    : Effect.succeed(configuration.secret)
