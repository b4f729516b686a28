/** One of these words, or one that only a service newer than this package says: keep a default case. */
type Word<Known extends string> = Known | (string & Record<never, never>)

/** What each type of event carries as `data`. */
export interface WebhookEventData {
  // generated from the service's own events: npx -y pnpm@12 write-docs
  /** A verification was started. */
  readonly "otp.initiated": {
    readonly requestId: string
    /** As it was sent. */
    readonly identity: string
    readonly identityType: Word<"MOBILE" | "EMAIL">
    readonly mode: Word<"OTP" | "OAUTH" | "MAGIC_LINK">
    /** SMS, WHATSAPP, RCS, EMAIL or TRUECALLER, or a channel or number verifier that somebody else has written. */
    readonly channel: string
    /** Yours, if you gave one. */
    readonly orderId: string | null
  }
  /** The person entered the right code, approved a link, or came with a trusted device. */
  readonly "otp.verified": {
    readonly requestId: string
    /** As it was sent. */
    readonly identity: string
    readonly identityType: Word<"MOBILE" | "EMAIL">
    readonly mode: Word<"OTP" | "OAUTH" | "MAGIC_LINK">
    /** SMS, WHATSAPP, RCS, EMAIL or TRUECALLER, or a channel or number verifier that somebody else has written. */
    readonly channel: string
    /** Yours, if you gave one. */
    readonly orderId: string | null
    /** ISO 8601. */
    readonly verifiedAt: string
    /** OTP: a code was entered. ONETAP: a trusted device was let in without one. LINK: a link was approved. TRUECALLER, or another number verifier: it knows the number. */
    readonly method: string
  }
  /** The code's time is over, and nobody had entered it. */
  readonly "otp.expired": {
    readonly requestId: string
    /** As it was sent. */
    readonly identity: string
    readonly identityType: Word<"MOBILE" | "EMAIL">
    readonly mode: Word<"OTP" | "OAUTH" | "MAGIC_LINK">
    /** SMS, WHATSAPP, RCS, EMAIL or TRUECALLER, or a channel or number verifier that somebody else has written. */
    readonly channel: string
    /** Yours, if you gave one. */
    readonly orderId: string | null
  }
  /** A session token was made for an app. */
  readonly "session.created": {
    /** ISO 8601. */
    readonly expiresAt: string
    readonly scope: Word<"sdk">
  }
  /** No message could be delivered, on any channel; the verification has failed. */
  readonly "delivery.failed": {
    readonly requestId: string
    /** As it was sent. */
    readonly identity: string
    readonly identityType: Word<"MOBILE" | "EMAIL">
    readonly mode: Word<"OTP" | "OAUTH" | "MAGIC_LINK">
    /** SMS, WHATSAPP, RCS, EMAIL or TRUECALLER, or a channel or number verifier that somebody else has written. */
    readonly channel: string
    /** Yours, if you gave one. */
    readonly orderId: string | null
    readonly deliveries: ReadonlyArray<{
      /** SMS, WHATSAPP, RCS, EMAIL or TRUECALLER, or a channel or number verifier that somebody else has written. */
      readonly channel: string
      readonly type: Word<"OTP" | "LINK">
      readonly deliveryStatus: Word<"PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED">
      readonly attemptNumber: number
      /** The provider that was asked to send it; null where none was. */
      readonly carrier: string | null
      /** Why it failed, in the provider's word or ours; null unless it FAILED. */
      readonly providerCode: string | null
    }>
  }
  /** A campaign's messages have all been handed to their provider, or failed. */
  readonly "campaign.delivered": {
    readonly campaignId: string
    readonly name: string
    readonly total: number
    readonly sent: number
    readonly failed: number
  }
  /** A customer wrote to the WhatsApp inbox. */
  readonly "message.received": {
    readonly leadId: number
    readonly isNewLead: boolean
    readonly campaignId: string | null
    readonly contact: string
    readonly name: string | null
    readonly text: string | null
    readonly messageId: string
  }
  /** The balance has fallen below what you set: once for each fall. */
  readonly "balance.low": {
    /** What there is, in the smallest unit of the currency: below zero by credit. */
    readonly balance: number
    /** The setting `balanceLowAt`. */
    readonly threshold: number
    readonly currency: string
  }
  /** A webhook endpoint was switched off. */
  readonly "webhook.disabled": {
    readonly webhookId: string
    readonly url: string
    /** It answered 410, or nothing got through for five days. */
    readonly reason: Word<"GONE" | "FAILING">
  }
  /** Somebody pressed the button that tries a webhook endpoint. */
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
