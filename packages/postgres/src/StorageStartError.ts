import { Schema } from "effect"
import { latest } from "./Migrations.ts"
import { prereleaseProblem, type TableState } from "./TableState.ts"

/** Postgres was unreachable or refused the connection. `cause` holds no secret. */
export class Unreachable extends Schema.TaggedError<Unreachable>()("Unreachable", { cause: Schema.Defect() }) {}

/** The address of Postgres is invalid. `problem` quotes nothing of it. */
export class InvalidAddress extends Schema.TaggedError<InvalidAddress>()("InvalidAddress", {
  problem: Schema.String
}) {}

/** The pool cannot lend enough clients, or would leave too few for the application. */
export class InvalidPool extends Schema.TaggedError<InvalidPool>()("InvalidPool", { problem: Schema.String }) {}

/** The server or the session has settings that the service cannot rely on. */
export class UnsafeSetting extends Schema.TaggedError<UnsafeSetting>()("UnsafeSetting", {
  setting: Schema.String,
  value: Schema.String,
  required: Schema.String
}) {}

/** Postgres accepts no writes: it is a standby, or configured as read-only. */
export class ReadOnly extends Schema.TaggedError<ReadOnly>()("ReadOnly", { standby: Schema.Boolean }) {}

/** The schema name is invalid. */
export class InvalidSchema extends Schema.TaggedError<InvalidSchema>()("InvalidSchema", { problem: Schema.String }) {}

/**
 * The schema does not exist or is not accessible to this role, and the role may not change that. `statement` would fix
 * it.
 */
export class SchemaMissing extends Schema.TaggedError<SchemaMissing>()("SchemaMissing", {
  schema: Schema.String,
  role: Schema.String,
  statement: Schema.String
}) {}

/** Another role made the schema or the tables that would be used. */
export class ForeignTables extends Schema.TaggedError<ForeignTables>()("ForeignTables", {
  schema: Schema.String,
  owner: Schema.String,
  role: Schema.String
}) {}

/**
 * The tables had migrations that this version does not know, lack migrations that may not run here, or belong to an
 * unfinished restore.
 */
export class WrongSchema extends Schema.TaggedError<WrongSchema>()("WrongSchema", {
  /** The newest migration that the tables had. */
  found: Schema.Int,
  /** The newest migration of this version. */
  known: Schema.Int,
  missing: Schema.Array(Schema.String),
  unknown: Schema.Array(Schema.Int),
  isRestoring: Schema.Boolean,
  isPrerelease: Schema.Boolean
}) {
  static readonly of = (state: TableState): WrongSchema => new WrongSchema({ ...state, known: latest })

  /** The problem with the tables, and its solution. */
  get problem(): string {
    const { found, isPrerelease, isRestoring, known, missing, unknown } = this
    if (isPrerelease) return `The tables ${prereleaseProblem}`
    if (isRestoring) return "A restore into these tables was interrupted: restore again, then start the service"
    if (found > known)
      return `The tables are at version ${found}, newer than ${known}: start a newer version of the service`
    if (unknown.length > 0)
      return `The tables have migration ${unknown.join(", ")}, which this version does not know: start a version that knows it`
    return found < known
      ? `The tables are at version ${found}, older than ${known}: run the migrations`
      : `The tables lack ${missing.join(", ")}: run the migrations`
  }
}

/** A migration failed. Earlier migrations are committed; the next start continues with this migration. */
export class MigrationFailed extends Schema.TaggedError<MigrationFailed>()("MigrationFailed", {
  /** Null when the first migration failed. */
  migration: Schema.NullOr(Schema.String),
  /** The newest migration that the tables had already, if it is newer than the failed one. */
  after: Schema.NullOr(Schema.Int),
  /** The path of the copy that the embedded database had before the upgrade. */
  copy: Schema.NullOr(Schema.String),
  cause: Schema.Defect()
}) {}

/** Another process has the embedded database open. */
export class DirectoryInUse extends Schema.TaggedError<DirectoryInUse>()("DirectoryInUse", {
  directory: Schema.String,
  owner: Schema.String
}) {}

/** Other users can read the embedded database's directory, and its mode cannot be changed. */
export class NotPrivate extends Schema.TaggedError<NotPrivate>()("NotPrivate", { problem: Schema.String }) {}

/** The embedded database could not be opened: it is not installed, or its directory is unusable. */
export class EmbeddedUnavailable extends Schema.TaggedError<EmbeddedUnavailable>()("EmbeddedUnavailable", {
  problem: Schema.String,
  cause: Schema.Defect()
}) {}

/** What the operator can do about a Postgres error, in words. */
const hints: { readonly [sqlState: string]: string } = {
  "08P01":
    "it rejects this session's settings: a pooler that drops startup parameters is not supported; connect to Postgres directly",
  "25006": "it is read-only: connect to the primary, not to a standby",
  "28P01": "the password is wrong",
  "28000": "the role does not exist, or may not log in from this machine",
  "3D000": "the database does not exist",
  "3F000": "no schema for the tables exists: create the schema in search_path",
  "42501":
    "the role may not create or change tables: grant it CREATE on the schema, or run the migrations as the owner of the tables",
  "42P07": "a table of another program already has that name: use a separate database or schema",
  "53100": "its disk is full",
  "53300": "it has no free connection: raise max_connections, or use fewer connections",
  "57P01": "it shut down during the connection",
  "57P03": "it is starting or shutting down"
}

const stateOf = (cause: unknown): string | null =>
  typeof cause === "object" && cause !== null && "sqlState" in cause && typeof cause.sqlState === "string"
    ? cause.sqlState
    : null

const untrusted = "its certificate is not from a trusted authority: set sslrootcert to the authority's certificate"

/** Explains a failure of a client from the application's pool. */
const ofPool: { readonly [code: string]: string } = {
  POOL_ENDED: "the pool was ended: close this service before the pool",
  POOL_EXHAUSTED: "all clients of the pool are in use: raise its max, or release clients sooner",
  POOL_FOREIGN:
    "the pool must be a node-postgres pool with the client `pg`, not `pg-native`: use it, or pass a URL instead",
  POOL_ROLE:
    "a client of the pool acts as a different role than its login role, even after `reset role`: pass a pool whose clients keep their login role",
  POOL_POOLER: "a pooler between the pool and Postgres does not keep sessions: connect the pool to Postgres directly"
}

/** Explains a connection failure to the operator. */
const whyNoConnection = (code: string): string => {
  if (code === "TLS_NOT_OFFERED") return "it offers no TLS, but sslmode requires it"
  if (code === "TLS_ERR_TLS_CERT_ALTNAME_INVALID") return "its certificate is for another host name than the URL's"
  if (code === "TLS_CERT_HAS_EXPIRED") return "its certificate has expired"
  if (/^TLS_(SELF_SIGNED|DEPTH_ZERO|UNABLE_TO)/.test(code)) return untrusted
  if (code.startsWith("TLS_")) return `TLS failed (${code.slice("TLS_".length)})`
  if (code === "ENOTFOUND") return "the host name does not exist"
  return ofPool[code] ?? "it does not answer, or not in time"
}

const why = (cause: unknown): string => {
  const sqlState = stateOf(cause)
  if (sqlState === null) {
    const known = typeof cause === "object" && cause !== null && "connection" in cause ? cause.connection : undefined
    return whyNoConnection(String(known))
  }
  return `${hints[sqlState] ?? "it refused"} (SQLSTATE ${sqlState})`
}

/** Storage is unusable, with the reason. The service does not start. */
export class StorageStartError extends Schema.TaggedError<StorageStartError>()("StorageStartError", {
  reason: Schema.Union([
    Unreachable,
    InvalidAddress,
    InvalidPool,
    ReadOnly,
    UnsafeSetting,
    InvalidSchema,
    SchemaMissing,
    ForeignTables,
    WrongSchema,
    MigrationFailed,
    DirectoryInUse,
    NotPrivate,
    EmbeddedUnavailable
  ])
}) {
  override get message(): string {
    const { reason } = this
    switch (reason._tag) {
      case "Unreachable":
        return `Postgres cannot be used: ${why(reason.cause)}`
      case "InvalidAddress":
      case "InvalidPool":
        return reason.problem
      case "ReadOnly":
        return reason.standby
          ? "Postgres is a standby and accepts no writes: connect to the primary, or promote the standby"
          : "Postgres is read-only: turn default_transaction_read_only off"
      case "InvalidSchema":
        return `The schema ${reason.problem}`
      case "SchemaMissing":
        return `The role ${reason.role} cannot use or create the schema ${reason.schema}. Ask the owner of the database to run: ${reason.statement}`
      case "ForeignTables":
        return `The schema ${reason.schema}, or tables of this service in it, belong to the role ${reason.owner}, but this role is ${reason.role}. To use them anyway, configure that schema; otherwise configure another schema`
      case "UnsafeSetting":
        return `Postgres has ${reason.setting} = ${reason.value}; it must be ${reason.required}`
      case "WrongSchema":
        return reason.problem
      case "MigrationFailed":
        return `The tables could not be migrated${reason.migration === null ? "" : ` (${reason.migration})`}: ${why(reason.cause)}${
          reason.after === null
            ? ""
            : `. It is older than migration ${reason.after}, which these tables already have, and may not work on them: continue with the previous version, and report this problem`
        }${reason.copy === null ? "" : `. The next start retries it. To go back instead, remove the directory data next to ${reason.copy}, rename the copy to data, and start the previous version`}`
      case "DirectoryInUse":
        return `${reason.directory} is in use by ${reason.owner}: stop it first, or choose another directory`
      case "NotPrivate":
        return reason.problem
      case "EmbeddedUnavailable":
        return `The embedded database cannot be opened: ${reason.problem}`
    }
  }
}
