export interface ServerCallOptions {
  /** Stops at once and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface ServerPostOptions extends ServerCallOptions {
  /** A UUID, if a call must have one effect over several processes or restarts. Each call has its own by default. */
  readonly idempotencyKey?: string | undefined
}

export interface ServerFileOptions extends ServerCallOptions {
  /** Asks for a file instead of JSON. */
  readonly accept: "text/csv"
}
