import { StoreError } from "@countersign/core/storage"
import { Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/**
 * Why Postgres did not do what it was asked. Its own message may quote values, and its detail quotes rows, so nothing
 * but the SQLSTATE goes further than this.
 */
export class PgFailure extends Schema.TaggedError<PgFailure>()("PgFailure", {
  reason: Schema.Literals([
    /** No connection, a lost one, a server that shuts down, is full or is read-only. */
    "Unavailable",
    /** The statement, a lock or the whole exchange took too long. */
    "Timeout",
    /** Postgres chose this statement to end a deadlock. */
    "Deadlock",
    /** Postgres, or the encoder on the way to it, refuses a value. */
    "Rejected",
    "Unexpected"
  ]),
  sqlState: Schema.NullOr(Schema.String),
  /** The name of the constraint that was broken: it is one of ours, and says nothing of what was written. */
  constraint: Schema.optionalKey(Schema.String),
  /** What became of the connection, where that is known: a code of Node's, and with `TLS` before it where TLS failed. */
  connection: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    return this.sqlState === null ? `Postgres: ${this.reason}` : `Postgres: ${this.reason} (${this.sqlState})`
  }

  /** Nobody answers, or not in time: it is not this statement's fault. */
  get away(): boolean {
    return this.reason === "Unavailable" || (this.reason === "Timeout" && this.sqlState === null)
  }

  /** Somebody else had a row for too long: one that all of an environment's changes need, perhaps, and no others. */
  get waitedForLock(): boolean {
    return this.sqlState === "55P03"
  }

  /** The statement had all the time that one gets. */
  get tookTooLong(): boolean {
    return this.sqlState === "57014"
  }

  /**
   * Money that is not there, a balance that somebody else has changed, or a top-up that is there already: the change has
   * to be decided again.
   */
  get refusesMoney(): boolean {
    return this.constraint !== undefined && ofMoney.has(this.constraint)
  }

  /** Something new has a name that somebody else had first, by a moment. */
  get isTaken(): boolean {
    return this.sqlState === "23505" || this.sqlState === "23P01"
  }

  toStoreError(operation: string): StoreError {
    return new StoreError({ operation, cause: this, away: this.away })
  }
}

const ofMoney: ReadonlySet<string> = new Set(["balance_holds", "spending_holds", "ledger_top_up"])

const reasonOfState = (state: string): PgFailure["reason"] => {
  if (state === "57014" || state === "55P03" || state === "25P03") return "Timeout"
  if (state === "40P01" || state === "40001") return "Deadlock"
  if (state === "25006") return "Unavailable"
  switch (state.slice(0, 2)) {
    case "08":
    case "28":
    case "53":
    case "57":
    case "58":
      return "Unavailable"
    case "21":
    case "22":
    case "23":
    case "54":
    case "XX":
      return "Rejected"
    default:
      return "Unexpected"
  }
}

const sqlStateOf = (cause: unknown): string | null =>
  typeof cause === "object" &&
  cause !== null &&
  "code" in cause &&
  typeof cause.code === "string" &&
  /^[0-9A-Z]{5}$/.test(cause.code)
    ? cause.code
    : null

const constraintOf = (cause: unknown): { readonly constraint?: string } =>
  typeof cause === "object" && cause !== null && "constraint" in cause && typeof cause.constraint === "string"
    ? { constraint: cause.constraint }
    : {}

const ofCertificates =
  /^(CERT_|SELF_SIGNED_|DEPTH_ZERO_|UNABLE_TO_|ERR_TLS_|ERR_SSL_|HOSTNAME_MISMATCH|INVALID_CA|CRL_|ERROR_IN_CERT_)/

/** The code of a connection's end. Codes are Node's own words, and repeat nothing. */
const connectionOf = (cause: unknown): { readonly connection?: string } => {
  if (!(cause instanceof Error)) return {}
  if (cause.message === "The server does not support TLS") return { connection: "TLS_NOT_OFFERED" }
  if (!("code" in cause) || typeof cause.code !== "string" || !/^[A-Z_]+$/.test(cause.code)) return {}
  return { connection: ofCertificates.test(cause.code) ? `TLS_${cause.code}` : cause.code }
}

/** What can be said of a client's error without repeating any text in it. */
export const fromSqlError = ({ reason }: SqlError): PgFailure => {
  const sqlState = sqlStateOf(reason.cause)
  if (sqlState !== null)
    return new PgFailure({ reason: reasonOfState(sqlState), sqlState, ...constraintOf(reason.cause) })
  // Without a state it is the connection, or a value that could not be encoded.
  const connection = reason._tag === "ConnectionError" || reason._tag === "AuthenticationError"
  return new PgFailure({
    reason: connection ? "Unavailable" : "Rejected",
    sqlState,
    ...(connection ? connectionOf(reason.cause) : {})
  })
}
