import { type RetentionOptions, retentionRange, usualRetention } from "@countersign/core"
import { PgSchema, PgTls } from "@countersign/postgres"
import { Redacted, Result } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import { urlOf, wholeNumber } from "./parse.ts"
import type { VariableGroup } from "./Variable.ts"

export const group: VariableGroup = {
  id: "storage",
  title: "Storage",
  variables: [
    {
      name: "DATABASE_URL",
      about: "the connection URL of Postgres 15 or later",
      default: "the embedded database",
      example: "postgres://user:password@host:5432/db",
      secret: true,
      needs: ["COUNTERSIGN_SECRET"],
      more: "For a Unix socket add `?host=/var/run/postgresql`. See [what Postgres must be](#what-postgres-must-be)"
    },
    {
      name: "DATABASE_SCHEMA",
      about: "the schema of the tables",
      default: "the schema that already has the tables, or `countersign`",
      example: "auth",
      more: "See [the schema](#the-schema)"
    },
    {
      name: "COUNTERSIGN_DATA_DIR",
      about: "the directory of the embedded database and its secret",
      default: "`.countersign`",
      example: "/var/lib/countersign"
    },
    {
      name: "COUNTERSIGN_DATABASE_WAIT_SECONDS",
      about: "how long a start waits for a Postgres that does not answer yet, 0 to 3600",
      default: "`60`",
      example: "0",
      more: "Commands do not wait unless this is set"
    },
    {
      name: "COUNTERSIGN_RETENTION_DAYS",
      about:
        "how many days to keep verifications and events: one number for both, or two separated by a comma; 1 to 400",
      default: "`30`",
      example: "30,14",
      more: "See [privacy](privacy.md#retention)"
    }
  ]
}

/** Parses one number of days for both, or two: verifications, then events. */
const retention = (text: string): RetentionOptions | undefined => {
  const parts = text.split(",").map((part) => part.trim())
  if (parts.length > 2 || !parts.every((part) => /^[1-9][0-9]{0,2}$/.test(part))) return undefined
  const [verifications = 0, events = verifications] = parts.map(Number)
  return Math.max(verifications, events) > retentionRange.most ? undefined : { verifications, events }
}

/** Reads where data is stored and how long it is kept. */
export const read = (reader: VariableReader, purpose: "service" | "command") => {
  const url = reader.read(
    "DATABASE_URL",
    urlOf("postgres:", "postgresql:"),
    "must be postgres://user:password@host:5432/database; in the password write # as %23, / as %2F, @ as %40 and ? as %3F"
  )
  const tls = url === undefined ? undefined : PgTls.ways(url)
  if (tls !== undefined && Result.isFailure(tls)) reader.refuse("DATABASE_URL", tls.failure)
  const schema = reader.text("DATABASE_SCHEMA")
  const problem = schema === undefined ? undefined : PgSchema.problemOf(schema)
  if (problem !== undefined) reader.refuse("DATABASE_SCHEMA", problem)
  return {
    databaseSchema: schema,
    databaseUrl: url === undefined ? undefined : Redacted.make(url),
    dataDirectory: reader.text("COUNTERSIGN_DATA_DIR") ?? ".countersign",
    databaseWaitSeconds:
      reader.read("COUNTERSIGN_DATABASE_WAIT_SECONDS", wholeNumber(0, 3600), "must be a whole number from 0 to 3600") ??
      (purpose === "service" ? 60 : 0),
    retention:
      reader.read(
        "COUNTERSIGN_RETENTION_DAYS",
        retention,
        "must be 1 to 400 days: one number, or two separated by a comma, for verifications and for events"
      ) ?? usualRetention
  }
}
