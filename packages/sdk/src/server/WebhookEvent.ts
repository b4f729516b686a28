interface EventOf<Type extends string, Data> {
  /** Stable over all tries: remember it, because an event may come more than once. */
  readonly id: string
  readonly type: Type
  /** ISO 8601. */
  readonly createdAt: string
  readonly environment: string
  readonly data: Data
}

/** What every event about a verification says. */
export interface VerificationData {
  readonly requestId: string
  readonly identity: string
  readonly identityType: "MOBILE" | "EMAIL"
  readonly mode: "OTP" | "OAUTH" | "MAGIC_LINK"
  readonly channel: string
  readonly orderId: string | null
}

export interface VerifiedData extends VerificationData {
  /** ISO 8601. */
  readonly verifiedAt: string
  /** How: `OTP`, `ONETAP` and others. */
  readonly method: string
}

export interface DeliveryFailedData extends VerificationData {
  readonly deliveries: ReadonlyArray<{
    readonly channel: string
    readonly type: string
    readonly deliveryStatus: string
    readonly attemptNumber: number
    /** Why it failed, in the provider's word or ours; null unless it FAILED. */
    readonly providerCode: string | null
  }>
}

export interface SessionCreatedData {
  readonly expiresAt: string
  readonly scope: string
}

export interface MessageReceivedData {
  readonly leadId: number
  readonly isNewLead: boolean
  readonly campaignId: string | null
  readonly contact: string
  readonly name: string | null
  readonly text: string | null
  readonly messageId: string
}

export interface CampaignDeliveredData {
  readonly campaignId: string
  readonly name: string
  readonly total: number
  readonly sent: number
  readonly failed: number
}

export interface WebhookDisabledData {
  readonly webhookId: string
  readonly url: string
  /** `GONE`: it answered 410. `FAILING`: nothing got through for five days. */
  readonly reason: string
}

/** Somebody tried the endpoint. */
export interface WebhookTestData {
  readonly webhookId: string
  readonly message: string
}

/**
 * An event that this version does not know. Its `type` is what the service says, not this word: TypeScript tells the
 * others apart only if this is one too. Answer 2xx and go on.
 */
export type UnknownEvent = EventOf<"(newer than this version)", Readonly<Record<string, unknown>>>

/** What a webhook brings. In a `switch` over `type`, each case knows its `data`. */
export type WebhookEvent =
  | EventOf<"otp.initiated", VerificationData>
  | EventOf<"otp.verified", VerifiedData>
  | EventOf<"otp.expired", VerificationData>
  | EventOf<"session.created", SessionCreatedData>
  | EventOf<"delivery.failed", DeliveryFailedData>
  | EventOf<"message.received", MessageReceivedData>
  | EventOf<"campaign.delivered", CampaignDeliveredData>
  | EventOf<"webhook.disabled", WebhookDisabledData>
  | EventOf<"webhook.test", WebhookTestData>
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
