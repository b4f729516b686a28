export interface ServerCallOptions {
  /** Stops immediately and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface ServerPostOptions extends ServerCallOptions {
  /** A UUID, if a call must have one effect across processes or restarts. Default: a new key per call. */
  readonly idempotencyKey?: string | undefined
}

export interface ServerFileOptions extends ServerCallOptions {
  /** Requests a file instead of JSON. */
  readonly accept: "text/csv"
}
