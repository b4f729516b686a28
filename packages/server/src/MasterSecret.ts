import { KeptSecret, type StorageStartError } from "@countersign/postgres"
import { Effect, Redacted, Schema } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Configuration } from "./Configuration.ts"

/** The data directory cannot be read or written. */
export class DataDirectoryUnusable extends Schema.TaggedError<DataDirectoryUnusable>()("DataDirectoryUnusable", {
  directory: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return `COUNTERSIGN_DATA_DIR: ${this.directory} is not readable and writable: ${String(this.cause)}`
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
    return `COUNTERSIGN_DATA_DIR: ${this.file} ${what}, but the existing data needs it. Restore the file from your backup, or set COUNTERSIGN_SECRET if you used it before. To discard the data and start over, remove ${this.directory}`
  }
}

/** Generates a master secret. */
export const generate = KeptSecret.generate

/** The secret stored in the data directory. Its errors name the environment variable. */
const kept = (path: string): Effect.Effect<string, DataDirectoryUnusable | SecretLost | StorageStartError> =>
  KeptSecret.beside(path).pipe(
    Effect.catchTags({
      SecretUnusable: ({ cause, directory }) => Effect.fail(new DataDirectoryUnusable({ directory, cause })),
      SecretLost: ({ directory, file, unreadable }) => Effect.fail(new SecretLost({ directory, file, unreadable }))
    })
  )

/**
 * Generates the secret of an embedded database before its first row is written, also when a command writes that row. So
 * data without a secret always means that the secret was lost. With existing data, commands do not need the secret.
 */
export const beforeData = (configuration: Configuration) =>
  configuration.databaseUrl !== undefined || existsSync(join(configuration.dataDirectory, "data"))
    ? Effect.void
    : Effect.asVoid(resolve(configuration))

/** The error when storage was written with another secret than the configured one. */
export const unknown = ({ databaseUrl, dataDirectory, secret }: Configuration): string => {
  const data = databaseUrl === undefined ? `the data in ${dataDirectory}` : "the database of DATABASE_URL"
  if (secret === undefined)
    return `COUNTERSIGN_DATA_DIR: ${join(dataDirectory, "secret")} is not the secret that ${data} was written with. Restore the right file, or set COUNTERSIGN_SECRET if you used it before`
  return `COUNTERSIGN_SECRET: ${data} was written with another secret. Set that one. To rotate secrets, add the old one to COUNTERSIGN_SECRET_PREVIOUS`
}

/** The configured master secret. Without one, the secret that the embedded database stores beside its data. */
export const resolve = (
  configuration: Configuration
): Effect.Effect<Redacted.Redacted, DataDirectoryUnusable | SecretLost | StorageStartError> =>
  configuration.secret === undefined
    ? Effect.map(kept(configuration.dataDirectory), (secret) => Redacted.make(secret))
    : Effect.succeed(configuration.secret)
