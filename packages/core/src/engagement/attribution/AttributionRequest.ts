/** What an app says when somebody opened it, as it says it. A null field is an absent one, and so is an empty text. */
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
  /** What an ad network calls the click: `gclid`, `fbclid`, `qa_clid`, `ctwa_clid`. */
  readonly clickId?: string | null | undefined
  /** What Google Play passes to an app that it installed. */
  readonly installReferrer?: string | null | undefined
  /** Whatever tells one device or browser from another. It is kept as an HMAC alone. */
  readonly fingerprint?: string | null | undefined
  readonly platform?: string | null | undefined
  /** ISO 8601; now when it is absent. */
  readonly occurredAt?: string | null | undefined
}

/** What an app says when somebody did what the merchant hoped for. */
export interface ConversionRequest {
  readonly event: string
  readonly value?: number | null | undefined
  readonly currency?: string | null | undefined
  readonly launchId?: string | null | undefined
  readonly requestId?: string | null | undefined
  readonly properties?: { readonly [name: string]: unknown } | null | undefined
  readonly occurredAt?: string | null | undefined
}

/** What a merchant asks to see. */
export interface AttributionQuery {
  readonly from?: string | null | undefined
  readonly to?: string | null | undefined
  readonly model?: string | null | undefined
  readonly tz?: string | null | undefined
  readonly cursor?: string | null | undefined
}
