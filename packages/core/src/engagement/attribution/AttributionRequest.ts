/** An app's report that a user opened it, unchecked. A null field or an empty text counts as omitted. */
export interface LaunchRequest {
  readonly consent?: boolean | null | undefined
  readonly utm?:
    | {
        readonly source?: string | null | undefined
        readonly medium?: string | null | undefined
        readonly campaign?: string | null | undefined
        readonly term?: string | null | undefined
        readonly content?: string | null | undefined
      }
    | null
    | undefined
  /** The ad network's click id: `gclid`, `fbclid`, `qa_clid`, `ctwa_clid`. */
  readonly clickId?: string | null | undefined
  /** The install referrer that Google Play passes to the app. */
  readonly installReferrer?: string | null | undefined
  /** An identifier of the device or browser. The server stores only its HMAC. */
  readonly fingerprint?: string | null | undefined
  readonly platform?: string | null | undefined
  /** ISO 8601. Defaults to now. */
  readonly occurredAt?: string | null | undefined
}

/** An app's report that a user did what the merchant aims for. */
export interface ConversionRequest {
  readonly event: string
  readonly value?: number | null | undefined
  readonly currency?: string | null | undefined
  readonly launchId?: string | null | undefined
  readonly requestId?: string | null | undefined
  readonly properties?: { readonly [name: string]: unknown } | null | undefined
  readonly occurredAt?: string | null | undefined
}

/** A merchant's query for a report. */
export interface AttributionQuery {
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
  readonly model?: string | null | undefined
  readonly tz?: string | null | undefined
  readonly cursor?: string | null | undefined
}
