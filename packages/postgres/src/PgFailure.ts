import { StoreError } from "@countersign/core/storage"
import { Schema } from "effect"
import type { SqlError } from "effect/sql/SqlError"

/** Why Postgres failed. Its message may quote values and its detail quotes rows, so only the SQLSTATE is passed on. */
export class PgFailure extends Schema.TaggedError<PgFailure>()("PgFailure", {
  reason: Schema.Literals([
    /** No connection, a lost connection, or a server that is shutting down, full or read-only. */
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
  /** The name of the violated constraint. It is one of ours and reveals no data. */
  constraint: Schema.optionalKey(Schema.String),
  /** The connection's error, if known: a Node code, with the prefix `TLS` for a TLS failure. */
  connection: Schema.optionalKey(Schema.String)
}) {
  override get message() {
    return this.sqlState === null ? `Postgres: ${this.reason}` : `Postgres: ${this.reason} (${this.sqlState})`
  }

  /** Postgres does not respond, or not in time. The statement is not the cause. */
  get away(): boolean {
    return this.reason === "Unavailable" || (this.reason === "Timeout" && this.sqlState === null)
  }

  /**
   * Another session locked a row for too long. Possibly all changes of one environment need that row, and no others.
   */
  get waitedForLock(): boolean {
    return this.sqlState === "55P03"
  }

  /** The statement used up its time. */
  get tookTooLong(): boolean {
    return this.sqlState === "57014"
  }

  /**
   * The balance is too low, another change moved it, or the top-up exists already: the change has to be decided again.
   */
  get refusesMoney(): boolean {
    return this.constraint !== undefined && ofMoney.has(this.constraint)
  }

  /** Another writer took a unique name first. */
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

/** The code of a lost connection. Codes are Node's constants, and contain no data. */
const connectionOf = (cause: unknown): { readonly connection?: string } => {
  if (!(cause instanceof Error)) return {}
  if (cause.message === "The server does not support TLS") return { connection: "TLS_NOT_OFFERED" }
  if (!("code" in cause) || typeof cause.code !== "string" || !/^[A-Z_]+$/.test(cause.code)) return {}
  return { connection: ofCertificates.test(cause.code) ? `TLS_${cause.code}` : cause.code }
}

/** The parts of a client's error that contain no text of its own. */
export const fromSqlError = ({ reason }: SqlError): PgFailure => {
  const sqlState = sqlStateOf(reason.cause)
  if (sqlState !== null)
    return new PgFailure({ reason: reasonOfState(sqlState), sqlState, ...constraintOf(reason.cause) })
  // Without an SQLSTATE, the connection failed or a value could not be encoded.
  const connection = reason._tag === "ConnectionError" || reason._tag === "AuthenticationError"
  return new PgFailure({
    reason: connection ? "Unavailable" : "Rejected",
    sqlState,
    ...(connection ? connectionOf(reason.cause) : {})
  })
}
