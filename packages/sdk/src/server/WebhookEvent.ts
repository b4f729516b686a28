/** One of these words, or one that only a service newer than this package says: keep a default case. */
type Word<Known extends string> = Known | (string & Record<never, never>)

/** What each type of event carries as `data`. */
export interface WebhookEventData {
  // generated from the service's own events: npx -y pnpm@12 write-docs
  /** A verification was started. */
  readonly "otp.initiated": {
    readonly requestId: string
    /** As you sent it. */
    readonly identity: string
    readonly identityType: Word<"MOBILE" | "EMAIL">
    readonly mode: Word<"OTP" | "OAUTH" | "MAGIC_LINK">
    /** SMS, WHATSAPP, RCS, EMAIL, TRUECALLER, or the name of a custom channel or number verifier. */
    readonly channel: string
    /** The orderId of your request, if any. */
    readonly orderId: string | null
  }
  /** The end user entered the right code, approved a link, used a trusted device, or was confirmed by a number verifier. */
  readonly "otp.verified": {
    readonly requestId: string
    /** As you sent it. */
    readonly identity: string
    readonly identityType: Word<"MOBILE" | "EMAIL">
    readonly mode: Word<"OTP" | "OAUTH" | "MAGIC_LINK">
    /** SMS, WHATSAPP, RCS, EMAIL, TRUECALLER, or the name of a custom channel or number verifier. */
    readonly channel: string
    /** The orderId of your request, if any. */
    readonly orderId: string | null
    /** ISO 8601. */
    readonly verifiedAt: string
    /** OTP: a code was entered. ONETAP: a trusted device needed no code. LINK: a link was approved. TRUECALLER or another number verifier: it confirmed the number. */
    readonly method: string
  }
  /** The code or link expired before the verification succeeded. */
  readonly "otp.expired": {
    readonly requestId: string
    /** As you sent it. */
    readonly identity: string
    readonly identityType: Word<"MOBILE" | "EMAIL">
    readonly mode: Word<"OTP" | "OAUTH" | "MAGIC_LINK">
    /** SMS, WHATSAPP, RCS, EMAIL, TRUECALLER, or the name of a custom channel or number verifier. */
    readonly channel: string
    /** The orderId of your request, if any. */
    readonly orderId: string | null
  }
  /** A session token was created for an app. */
  readonly "session.created": {
    /** ISO 8601. */
    readonly expiresAt: string
    readonly scope: Word<"sdk">
  }
  /** No message could be delivered on any channel, so the verification failed. */
  readonly "delivery.failed": {
    readonly requestId: string
    /** As you sent it. */
    readonly identity: string
    readonly identityType: Word<"MOBILE" | "EMAIL">
    readonly mode: Word<"OTP" | "OAUTH" | "MAGIC_LINK">
    /** SMS, WHATSAPP, RCS, EMAIL, TRUECALLER, or the name of a custom channel or number verifier. */
    readonly channel: string
    /** The orderId of your request, if any. */
    readonly orderId: string | null
    readonly deliveries: ReadonlyArray<{
      /** SMS, WHATSAPP, RCS, EMAIL, TRUECALLER, or the name of a custom channel or number verifier. */
      readonly channel: string
      readonly type: Word<"OTP" | "LINK">
      readonly deliveryStatus: Word<"PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED">
      readonly attemptNumber: number
      /** The provider that should send the message; null if none was called. */
      readonly carrier: string | null
      /** The error code of the provider or of Countersign; null unless FAILED. */
      readonly providerCode: string | null
    }>
  }
  /** A message with a relayed code was sent, delivered, read or failed. */
  readonly "delivery.updated": {
    /** The id of the delivery. */
    readonly requestId: string
    /** As you sent it. */
    readonly identity: string
    readonly identityType: Word<"MOBILE" | "EMAIL">
    /** SMS, WHATSAPP, RCS, EMAIL, TRUECALLER, or the name of a custom channel or number verifier. */
    readonly channel: string
    /** The status of the message that came furthest. */
    readonly deliveryStatus: Word<"PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED">
    readonly deliveries: ReadonlyArray<{
      /** SMS, WHATSAPP, RCS, EMAIL, TRUECALLER, or the name of a custom channel or number verifier. */
      readonly channel: string
      readonly type: Word<"OTP" | "LINK">
      readonly deliveryStatus: Word<"PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED">
      readonly attemptNumber: number
      /** The provider that should send the message; null if none was called. */
      readonly carrier: string | null
      /** The error code of the provider or of Countersign; null unless FAILED. */
      readonly providerCode: string | null
    }>
  }
  /** All messages of a campaign were sent or failed. */
  readonly "campaign.delivered": {
    readonly campaignId: string
    readonly name: string
    readonly total: number
    readonly sent: number
    readonly failed: number
  }
  /** A customer sent a message to the WhatsApp inbox. */
  readonly "message.received": {
    readonly leadId: number
    readonly isNewLead: boolean
    readonly campaignId: string | null
    readonly contact: string
    readonly name: string | null
    readonly text: string | null
    readonly messageId: string
  }
  /** The balance fell below the threshold. Sent once for each fall. */
  readonly "balance.low": {
    /** The balance in the smallest unit of the currency; negative when credit is used. */
    readonly balance: number
    /** The setting `balanceLowAt`. */
    readonly threshold: number
    readonly currency: string
  }
  /** The guard stopped a block of numbers, a range or a country, or keeps it stopped for longer. */
  readonly "guard.tripped": {
    readonly reason: Word<"PREFIX_UNVERIFIED" | "RANGE_UNVERIFIED" | "COUNTRY_UNVERIFIED">
    /** PREFIX_UNVERIFIED: the digits before the last four. RANGE_UNVERIFIED: those before the last six. COUNTRY_UNVERIFIED: an ISO 3166 country, or digits where countries share a calling code. */
    readonly place: string
    /** ISO 8601. */
    readonly since: string
    /** ISO 8601. */
    readonly until: string
    /** Whether requests are refused. False: the trip is only recorded. */
    readonly enforced: boolean
    /** Codes of the last day that were not entered. */
    readonly codes: number
    /** Codes of the last day that were entered. */
    readonly typed: number
    /** About what those codes cost, in the smallest unit of money; null without a price. */
    readonly cost: number | null
  }
  /** The guard refused requests. Each process sends at most one a minute for each reason. */
  readonly "guard.blocked": {
    readonly reason: Word<"PREFIX_UNVERIFIED" | "RANGE_UNVERIFIED" | "COUNTRY_UNVERIFIED" | "ADDRESS_UNVERIFIED" | "DEVICE_UNVERIFIED" | "COUNTRY_TOO_FAST" | "ADJACENT_NUMBERS" | "LINE_TYPE" | "SIM_SWAPPED" | "NUMBER_RECYCLED">
    /** Refused requests. */
    readonly count: number
    /** ISO 8601. */
    readonly from: string
    /** ISO 8601. */
    readonly to: string
  }
  /** A webhook endpoint was disabled. */
  readonly "webhook.disabled": {
    readonly webhookId: string
    readonly url: string
    /** GONE: it answered 410. FAILING: every attempt failed for five days. */
    readonly reason: Word<"GONE" | "FAILING">
  }
  /** A test of a webhook endpoint, requested by you. */
  readonly "webhook.test": {
    readonly webhookId: string
    readonly message: string
  }
  // /generated
}

export type WebhookEventType = keyof WebhookEventData

interface EventOf<Type extends string, Data> {
  /** Stable over all tries: remember it, because an event may come more than once. */
  readonly id: string
  readonly type: Type
  /** ISO 8601. */
  readonly createdAt: string
  readonly environment: string
  readonly data: Data
}

/**
 * An event that this version does not know. Its `type` is what the service says, not this word: TypeScript tells the
 * others apart only if this is one too. Answer 2xx and go on.
 */
export type UnknownEvent = EventOf<"(newer than this version)", Readonly<Record<string, unknown>>>

/** What a webhook brings. In a `switch` over `type`, each case knows its `data`. */
export type WebhookEvent =
  | { readonly [Type in WebhookEventType]: EventOf<Type, WebhookEventData[Type]> }[WebhookEventType]
  | UnknownEvent

/** Its data is believed as it is: it is the service's, which signed it. */
export const isWebhookEvent = (value: unknown): value is WebhookEvent =>
  typeof value === "object" &&
  value !== null &&
  "id" in value &&
  typeof value.id === "string" &&
  "type" in value &&
  typeof value.type === "string" &&
  "createdAt" in value &&
  typeof value.createdAt === "string" &&
  "data" in value &&
  typeof value.data === "object" &&
  value.data !== null
