import { Effect, Schema } from "effect"
import { existsSync } from "node:fs"
import { link, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { privateDirectory } from "./PrivateDirectory.ts"
import type { StorageStartError } from "./StorageStartError.ts"

/** The directory is not readable and writable. */
export class SecretUnusable extends Schema.TaggedError<SecretUnusable>()("SecretUnusable", {
  directory: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `${this.directory} is not readable and writable: ${String(this.cause)}`
  }
}

/** The data exists but its master secret is missing. A new secret would invalidate every stored code and token. */
export class SecretLost extends Schema.TaggedError<SecretLost>()("SecretLost", {
  file: Schema.String,
  directory: Schema.String,
  unreadable: Schema.Boolean
}) {
  override get message(): string {
    const what = this.unreadable ? "does not contain a secret" : "is missing"
    return `${this.file} ${what}, but the existing data needs it. Restore the file from your backup, or pass the secret as an option if you did so before. To discard the data and start over, remove ${this.directory}`
  }
}

/** Generates a new master secret. */
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

/**
 * Writes the file completely or not at all, and never overwrites it. Of several concurrent first starts, exactly one
 * creates the secret.
 */
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

/**
 * The master secret stored beside the embedded database's data. It is created at the first start and only its owner can
 * read it. It is written before the first row, so data without a secret means that the secret was lost.
 *
 * @example
 * ```ts
 * import { KeptSecret, PgStorage } from "@countersign/postgres"
 * import { Effect } from "effect"
 *
 * const directory = ".countersign"
 * const secret = await Effect.runPromise(KeptSecret.beside(directory))
 * const storage = PgStorage.layerEmbedded({ directory })
 * ```
 */
export const beside = Effect.fnUntraced(function* (
  path: string
): Effect.fn.Return<string, SecretUnusable | SecretLost | StorageStartError> {
  const directory = yield* privateDirectory(path)
  const file = join(directory, "secret")
  const attempt = <A>(run: () => Promise<A>) =>
    Effect.tryPromise({ try: run, catch: (cause) => new SecretUnusable({ directory, cause }) })
  const hasData = existsSync(join(directory, "data")) // before the secret, which another start writes first
  const found = yield* attempt(() => read(file))
  if (found !== undefined && isSecret(found)) return found
  if (found !== undefined || hasData) return yield* new SecretLost({ file, directory, unreadable: found !== undefined })
  const made = yield* generate
  return yield* attempt(async () => {
    await write(file, made)
    return (await read(file)) ?? made
  })
})
