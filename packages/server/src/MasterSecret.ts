import { KeptSecret, type StorageStartError } from "@countersign/postgres"
import { Effect, Redacted, Schema } from "effect"
import { existsSync } from "node:fs"
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
export const generate = KeptSecret.generate

/** The secret kept in the data directory; what speaks against it is told in the words of the environment. */
const kept = (path: string): Effect.Effect<string, DataDirectoryUnusable | SecretLost | StorageStartError> =>
  KeptSecret.beside(path).pipe(
    Effect.catchTags({
      SecretUnusable: ({ cause, directory }) => Effect.fail(new DataDirectoryUnusable({ directory, cause })),
      SecretLost: ({ directory, file, unreadable }) => Effect.fail(new SecretLost({ directory, file, unreadable }))
    })
  )

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
