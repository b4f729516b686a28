import { type RetentionOptions, retentionRange, usualRetention } from "@countersign/core"
import { PgSchema, PgTls } from "@countersign/postgres"
import { Redacted, Result } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import { urlOf, wholeNumber } from "./parse.ts"
import type { VariableGroup } from "./Variable.ts"

export const group: VariableGroup = {
  id: "storage",
  title: "Where it keeps things",
  variables: [
    {
      name: "DATABASE_URL",
      about: "the address of Postgres 15 or later",
      default: "the embedded database",
      example: "postgres://user:password@host:5432/db",
      secret: true,
      needs: ["COUNTERSIGN_SECRET"],
      more: "A unix socket with `?host=/var/run/postgresql`. See [what Postgres must be](#what-postgres-must-be)"
    },
    {
      name: "DATABASE_SCHEMA",
      about: "the schema that the tables are in",
      default: "`countersign`, or where the tables are already",
      example: "auth",
      more: "See [the schema](#the-schema)"
    },
    {
      name: "COUNTERSIGN_DATA_DIR",
      about: "where the embedded database and its secret live",
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
        "for how many days verifications and events are kept: one number for both, or two with a comma between; 1 to 400",
      default: "`30`",
      example: "30,14",
      more: "See [privacy](privacy.md#retention)"
    }
  ]
}

/** One number of days for both, or verifications and events apart. */
const retention = (text: string): RetentionOptions | undefined => {
  const parts = text.split(",").map((part) => part.trim())
  if (parts.length > 2 || !parts.every((part) => /^[1-9][0-9]{0,2}$/.test(part))) return undefined
  const [verifications = 0, events = verifications] = parts.map(Number)
  return Math.max(verifications, events) > retentionRange.most ? undefined : { verifications, events }
}

/** Where things are kept, and for how long. */
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
        "must be days from 1 to 400: one number, or two with a comma between, of verifications and of events"
      ) ?? usualRetention
  }
}
