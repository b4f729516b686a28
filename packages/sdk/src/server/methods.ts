import type { ServerCallOptions, ServerFileOptions, ServerPostOptions } from "./options.ts"

/** One of these words, or one that only a service newer than this package says: keep a default case. */
type Word<Known extends string> = Known | (string & Record<never, never>)

/** What a method sends, and what its answer has to be. */
export interface Endpoint {
  /** `POST /v1/dashboard/keys/:id/roll` */
  readonly at: string
  /**
   * `nothing`, `file`, `[]` for a list, or the fields that it must have: `requestId:s verified:b`, with `s` for text, `n` for
   * a number, `b` for true or false, `t` for true, `f` for false, `a` for a list. `null` is an alternative,
   * with ` | ` before the next.
   */
  readonly answer: string
  /** Where the input goes. Without it there is none. */
  readonly input?: "query" | "body"
  /** What of an input that goes into the body goes into the query. */
  readonly query?: ReadonlyArray<string>
  readonly defaults?: Readonly<Record<string, unknown>>
}

/** Endpoints by the name of their method, and by group. */
export interface Endpoints {
  readonly [name: string]: Endpoint | { readonly [name: string]: Endpoint }
}

// generated from the contract: npx -y pnpm@12 write-docs
export interface InitiateRequest {
  readonly identity: string
  readonly identityType: "MOBILE" | "EMAIL"
  readonly mode: "OTP" | "OAUTH" | "MAGIC_LINK"
  /** SMS, WHATSAPP, RCS, EMAIL, another channel of this server, or a number verifier such as TRUECALLER, which sends no message. */
  readonly channel?: string | null | undefined
  readonly orderId?: string | null | undefined
  /** OAUTH and MAGIC_LINK: resends the link of this live login. A login without `state` and `codeChallenge` can be resent only this way. */
  readonly requestId?: string | null | undefined
  readonly otpLength?: number | null | undefined
  /** SMS only: the DLT template id, 19 digits. */
  readonly templateId?: string | null | undefined
  /** SMS only: the DLT sender id, 6 letters. */
  readonly header?: string | null | undefined
  /** WhatsApp only: the phone number id to send from. */
  readonly wabaId?: string | null | undefined
  readonly redirectUri?: string | null | undefined
  readonly state?: string | null | undefined
  /** OAUTH and MAGIC_LINK: a PKCE challenge (S256). The exchange then requires its `codeVerifier`. */
  readonly codeChallenge?: string | null | undefined
  /** The `launchId` of the launch that led to this verification. */
  readonly launchId?: string | null | undefined
  readonly deviceToken?: string | null | undefined
  /** The end user's IP address, for the setting `hourlyLimitPerAddress`. Stored, IPv6 as its /64. */
  readonly clientIp?: string | null | undefined
  /** The end user's browser or app. Stored. */
  readonly userAgent?: string | null | undefined
  /** Your own id of the end user's device. Stored. */
  readonly deviceId?: string | null | undefined
  /** At most 10 labels of your own, each with a name and a value of 1 to 64 characters. Stored. The dashboard can search by one. */
  readonly tags?: { readonly [name: string]: string } | null | undefined
  readonly deviceInfo?: { readonly [name: string]: unknown } | null | undefined
}

export interface InitiateAnswer {
  readonly requestId: string
  readonly message: string
  readonly oneTapApplied: boolean
  readonly deviceToken: string | null
  /** With `linkNumberMatch`: show this number where the user waits. The link's page asks for it. */
  readonly matchNumber?: string | undefined
  /** Test environments only: the link, because no message is sent. */
  readonly link?: string | undefined
}

/** Facts about the number's line to return with a right code. The answer waits up to 2 seconds for them. */
export interface LineQuestion {
  /** The facts to look up. Providers charge for each of them. */
  readonly facts: ReadonlyArray<"type" | "carrier" | "simSwapped" | "simSwappedAt" | "recycled">
  /** For `simSwapped`: the age in hours up to which a swap counts. Default: 240. */
  readonly simSwapHours?: number | null | undefined
  /** Required for `recycled`: a past date, since which a new owner of the number counts. */
  readonly recycledSince?: string | null | undefined
}

export interface VerifyRequest {
  readonly requestId?: string | null | undefined
  readonly orderId?: string | null | undefined
  /** The code as the user typed it. */
  readonly otp: string
  readonly deviceToken?: string | null | undefined
  readonly deviceInfo?: { readonly [name: string]: unknown } | null | undefined
  readonly line?: LineQuestion | null | undefined
}

/** The requested facts about the line. Absent unless requested, or for a wrong code. */
export interface LineAnswer {
  /** `mobile`, `landline`, `fixedVoip`, `nonFixedVoip`, or another word of the provider. */
  readonly type?: string | null | undefined
  /** The name of the operator. */
  readonly carrier?: string | null | undefined
  /** Whether the number moved to another SIM in `simSwapHours`. */
  readonly simSwapped?: boolean | null | undefined
  /** When it last did; ISO 8601. */
  readonly simSwappedAt?: string | null | undefined
  /** Whether the number has another owner since `recycledSince`. */
  readonly recycled?: boolean | null | undefined
  /** Why a requested fact is null: no configured provider tells it (NO_PROVIDER), the provider did not answer in time (UNAVAILABLE), or it does not know (NOT_KNOWN). */
  readonly missing: Word<"NO_PROVIDER" | "UNAVAILABLE" | "NOT_KNOWN"> | null
}

export interface VerifyAnswer {
  readonly requestId: string
  readonly verified: boolean
  readonly message: string
  readonly idToken: string | null
  /** True when it was verified before this request; absent otherwise. */
  readonly already?: true | undefined
  readonly line?: LineAnswer | undefined
}

export interface LoginRequest {
  /** The `requestId` that initiate returned for this login. */
  readonly requestId: string
  /** The code as the user typed it. Leave it out only when initiate returned `oneTapApplied: true`. */
  readonly otp?: string | null | undefined
  /** With OneTap on, this device becomes trusted. */
  readonly deviceToken?: string | null | undefined
  readonly deviceInfo?: { readonly [name: string]: unknown } | null | undefined
}

export interface Login {
  readonly requestId: string
  /** The verified identity in one canonical spelling: a number with `+` and country code, or an e-mail address in lower case. */
  readonly identity: string
  readonly identityType: Word<"MOBILE" | "EMAIL">
  readonly countryCode: string | null
  readonly nationalPhoneNumber: string | null
  readonly orderId: string | null
  /** ISO 8601. */
  readonly verifiedAt: string
}

export interface TokenRequest {
  /** The authorisation code from the redirect or from status. */
  readonly code: string
  /** The PKCE verifier. Required if initiate received a `codeChallenge`. */
  readonly codeVerifier?: string | null | undefined
  /** The token of the browser that requested the link. With OneTap on, it becomes trusted if the login had number matching and a `codeChallenge`. Ignored otherwise. */
  readonly deviceToken?: string | null | undefined
}

export interface TokenAnswer {
  readonly requestId: string
  readonly identity: string
  readonly identityType: Word<"MOBILE" | "EMAIL">
  readonly idToken: string
  /** Whether the device of `deviceToken` is now trusted. False without number matching or a `codeChallenge`. */
  readonly deviceTrusted: boolean
}

export interface Verification {
  readonly requestId: string
  readonly identity: string
  readonly identityType: Word<"MOBILE" | "EMAIL">
  readonly mode: Word<"OTP" | "OAUTH" | "MAGIC_LINK">
  readonly authStatus: Word<"PENDING" | "VERIFIED" | "EXPIRED" | "FAILED">
  /** ISO 8601. */
  readonly verifiedAt: string | null
  readonly orderId: string | null
  /** For an approved OAUTH or MAGIC_LINK: the authorisation code, valid for 60 seconds. */
  readonly code: string | null
  /** With `linkNumberMatch`: show this number where the user waits. The link's page asks for it. */
  readonly matchNumber?: string | undefined
  readonly deliveries: ReadonlyArray<{
    readonly channel: string
    readonly type: Word<"OTP" | "LINK">
    readonly deliveryStatus: Word<"PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED">
    readonly attemptNumber: number
    /** The provider that was asked to send it; null if none was. */
    readonly carrier: string | null
    /** Why it failed: the provider's code or one of ours. Null unless FAILED. */
    readonly providerCode: string | null
  }>
}

export interface ConfirmRequest {
  readonly requestId?: string | null | undefined
  readonly idToken?: string | null | undefined
}

export type Confirmation = {
  readonly success: true
  /** The verified number or e-mail address, as sent to initiate. Sign in this identity only. */
  readonly phoneNumber: string
  readonly countryCode: string | null
  readonly nationalPhoneNumber: string | null
  readonly identityType: Word<"MOBILE" | "EMAIL">
  /** When it was verified, in Unix seconds. Reject values older than a few minutes. */
  readonly authTime: number
  readonly requestId: string
} | {
  readonly success: false
  readonly phoneNumber: null
  readonly countryCode: null
  readonly nationalPhoneNumber: null
  readonly identityType: null
  readonly authTime: null
  readonly requestId: string
}

export interface SdkSessionRequest {
  readonly scope?: "sdk" | null | undefined
}

export interface SdkSession {
  readonly sessionToken: string
  readonly scope: Word<"sdk">
  /** Seconds. */
  readonly expiresIn: number
  /** ISO 8601. */
  readonly expiresAt: string
}

export interface DeliveryRequest {
  /** A phone number, or an e-mail address if it contains `@`. */
  readonly identity: string
  /** The code that your sign-in system made and will check: 4 to 10 letters and digits. */
  readonly code: string
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly channel?: string | null | undefined
  /** The language of the message, instead of the setting's. */
  readonly locale?: string | null | undefined
  /** How long the code is valid. No message is sent later. Default: 300. */
  readonly expiresInSeconds?: number | null | undefined
  /** The end user's IP address, for the setting `hourlyLimitPerAddress`. Stored, IPv6 as its /64. */
  readonly clientIp?: string | null | undefined
  /** What the code is for. A note for the dashboard: it changes no text. */
  readonly purpose?: string | null | undefined
}

export interface NewDelivery {
  readonly id: string
  /** The status of the message that came furthest. FAILED: no message can arrive. PENDING after `expiresAt`: a provider did not answer. */
  readonly deliveryStatus: Word<"PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED">
  /** No message is sent from then on; ISO 8601. */
  readonly expiresAt: string
  readonly deliveries: ReadonlyArray<{
    readonly channel: string
    readonly type: Word<"OTP" | "LINK">
    readonly deliveryStatus: Word<"PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED">
    readonly attemptNumber: number
    /** The provider that was asked to send it; null if none was. */
    readonly carrier: string | null
    /** Why it failed: the provider's code or one of ours. Null unless FAILED. */
    readonly providerCode: string | null
  }>
}

export type Delivery = NewDelivery

export interface AttributionRow {
  readonly day: string
  readonly source: string | null
  readonly medium: string | null
  readonly campaign: string | null
  readonly launches: number
  readonly verifications: number
  readonly conversions: number
  readonly leads: number
  readonly values: ReadonlyArray<{
    readonly currency: string | null
    readonly value: number
  }>
}

export interface SettingsGetAnswer {
  readonly codeLength: number
  readonly codeExpirySeconds: number
  readonly maxAttempts: number
  readonly hourlyLimit: number
  readonly canonicalHourlyLimit: number | null
  readonly hourlyLimitPerAddress: number
  readonly hourlyLimitPerPrefix: number | null
  readonly hourlyLimitPerCountry: number | null
  readonly hourlyLimitPerMerchant: number | null
  readonly maxConsecutiveFailures: number
  readonly resendCooldownSeconds: number
  readonly maxResends: number
  readonly maxLifetimeSeconds: number
  readonly defaultCountry: string | null
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly primaryChannel: string
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly fallbackChannel: string | null
  readonly fallbackAfterSeconds: number
  readonly oneTap: boolean
  readonly oneTapDays: number
  readonly oneTapMaxDays: number
  readonly strictReverify: boolean
  readonly requirePasskey: boolean
  readonly answerAssigns: boolean
  readonly redirectUris: ReadonlyArray<string>
  readonly linkNumberMatch: boolean
  readonly allowedOrigins: ReadonlyArray<string>
  readonly serverAddresses: ReadonlyArray<string>
  readonly sdkInitiatesPerIpPerHour: number
  readonly sdkMessagesPerHour: number
  readonly attributionPerHour: number
  readonly allowedCountries: ReadonlyArray<string> | null
  readonly blockedPrefixes: ReadonlyArray<string>
  readonly blockedNumberTypes: ReadonlyArray<Word<"PREMIUM_RATE" | "SHARED_COST" | "TOLL_FREE" | "VOIP" | "PERSONAL_NUMBER" | "PAGER" | "UAN" | "VOICEMAIL" | "FIXED_LINE">>
  readonly guardEnforces: ReadonlyArray<Word<"PREFIX_UNVERIFIED" | "RANGE_UNVERIFIED" | "COUNTRY_UNVERIFIED" | "ADDRESS_UNVERIFIED" | "DEVICE_UNVERIFIED" | "COUNTRY_TOO_FAST" | "ADJACENT_NUMBERS" | "LINE_TYPE" | "SIM_SWAPPED" | "NUMBER_RECYCLED">>
  readonly guardLineTypes: ReadonlyArray<Word<"landline" | "fixedVoip" | "nonFixedVoip" | "personal" | "tollFree" | "premium" | "sharedCost" | "uan" | "voicemail" | "pager">>
  readonly guardSimSwapHours: number
  readonly guardRecycledDays: number
  readonly safeList: ReadonlyArray<string>
  readonly brand: string
  readonly brandColor: string | null
  readonly brandLogo: string | null
  readonly locale: string
  readonly appHash: string | null
  readonly domain: string | null
  readonly timeZone: string
  readonly quietHours: {
    readonly from: string
    readonly to: string
  } | null
  readonly billing: Word<"OFF" | "PREPAID">
  readonly prices: { readonly [name: string]: number | {
    readonly default: number
    readonly prefixes: { readonly [name: string]: number }
  } }
  readonly dailyCap: { readonly [name: string]: number | null }
  readonly balanceLowAt: number | null
  readonly campaignFloor: number | null
  /** Settings that are valid but do not work as expected. Ignored in a change. */
  readonly warnings: ReadonlyArray<{
    readonly field: string
    readonly problem: string
    /** Stable, or null for a provider's own sentence. A later version may have more codes. */
    readonly code: string | null
    /** What the sentence names. */
    readonly params: { readonly [name: string]: string | number }
  }>
}

export interface SettingsUpdateInput {
  readonly codeLength?: number | undefined
  readonly codeExpirySeconds?: number | undefined
  readonly maxAttempts?: number | undefined
  readonly hourlyLimit?: number | undefined
  readonly canonicalHourlyLimit?: number | null | undefined
  readonly hourlyLimitPerAddress?: number | undefined
  readonly hourlyLimitPerPrefix?: number | null | undefined
  readonly hourlyLimitPerCountry?: number | null | undefined
  readonly hourlyLimitPerMerchant?: number | null | undefined
  readonly maxConsecutiveFailures?: number | undefined
  readonly resendCooldownSeconds?: number | undefined
  readonly maxResends?: number | undefined
  readonly maxLifetimeSeconds?: number | undefined
  readonly defaultCountry?: string | null | undefined
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly primaryChannel?: string | undefined
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly fallbackChannel?: string | null | undefined
  readonly fallbackAfterSeconds?: number | undefined
  readonly oneTap?: boolean | undefined
  readonly oneTapDays?: number | undefined
  readonly oneTapMaxDays?: number | undefined
  readonly strictReverify?: boolean | undefined
  readonly requirePasskey?: boolean | undefined
  readonly answerAssigns?: boolean | undefined
  readonly redirectUris?: ReadonlyArray<string> | undefined
  readonly linkNumberMatch?: boolean | undefined
  readonly allowedOrigins?: ReadonlyArray<string> | undefined
  readonly serverAddresses?: ReadonlyArray<string> | undefined
  readonly sdkInitiatesPerIpPerHour?: number | undefined
  readonly sdkMessagesPerHour?: number | undefined
  readonly attributionPerHour?: number | undefined
  readonly allowedCountries?: ReadonlyArray<string> | null | undefined
  readonly blockedPrefixes?: ReadonlyArray<string> | undefined
  readonly blockedNumberTypes?: ReadonlyArray<"PREMIUM_RATE" | "SHARED_COST" | "TOLL_FREE" | "VOIP" | "PERSONAL_NUMBER" | "PAGER" | "UAN" | "VOICEMAIL" | "FIXED_LINE"> | undefined
  readonly guardEnforces?: ReadonlyArray<"PREFIX_UNVERIFIED" | "RANGE_UNVERIFIED" | "COUNTRY_UNVERIFIED" | "ADDRESS_UNVERIFIED" | "DEVICE_UNVERIFIED" | "COUNTRY_TOO_FAST" | "ADJACENT_NUMBERS" | "LINE_TYPE" | "SIM_SWAPPED" | "NUMBER_RECYCLED"> | undefined
  readonly guardLineTypes?: ReadonlyArray<"landline" | "fixedVoip" | "nonFixedVoip" | "personal" | "tollFree" | "premium" | "sharedCost" | "uan" | "voicemail" | "pager"> | undefined
  readonly guardSimSwapHours?: number | undefined
  readonly guardRecycledDays?: number | undefined
  readonly safeList?: ReadonlyArray<string> | undefined
  readonly brand?: string | undefined
  readonly brandColor?: string | null | undefined
  readonly brandLogo?: string | null | undefined
  readonly locale?: string | undefined
  readonly appHash?: string | null | undefined
  readonly domain?: string | null | undefined
  readonly timeZone?: string | undefined
  readonly quietHours?: {
    readonly from: string
    readonly to: string
  } | null | undefined
  readonly billing?: "OFF" | "PREPAID" | undefined
  readonly prices?: { readonly [name: string]: number | {
    readonly default: number
    readonly prefixes: { readonly [name: string]: number }
  } } | undefined
  readonly dailyCap?: { readonly [name: string]: number | null } | undefined
  readonly balanceLowAt?: number | null | undefined
  readonly campaignFloor?: number | null | undefined
}

export interface SettingsUpdateAnswer {
  readonly codeLength: number
  readonly codeExpirySeconds: number
  readonly maxAttempts: number
  readonly hourlyLimit: number
  readonly canonicalHourlyLimit: number | null
  readonly hourlyLimitPerAddress: number
  readonly hourlyLimitPerPrefix: number | null
  readonly hourlyLimitPerCountry: number | null
  readonly hourlyLimitPerMerchant: number | null
  readonly maxConsecutiveFailures: number
  readonly resendCooldownSeconds: number
  readonly maxResends: number
  readonly maxLifetimeSeconds: number
  readonly defaultCountry: string | null
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly primaryChannel: string
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly fallbackChannel: string | null
  readonly fallbackAfterSeconds: number
  readonly oneTap: boolean
  readonly oneTapDays: number
  readonly oneTapMaxDays: number
  readonly strictReverify: boolean
  readonly requirePasskey: boolean
  readonly answerAssigns: boolean
  readonly redirectUris: ReadonlyArray<string>
  readonly linkNumberMatch: boolean
  readonly allowedOrigins: ReadonlyArray<string>
  readonly serverAddresses: ReadonlyArray<string>
  readonly sdkInitiatesPerIpPerHour: number
  readonly sdkMessagesPerHour: number
  readonly attributionPerHour: number
  readonly allowedCountries: ReadonlyArray<string> | null
  readonly blockedPrefixes: ReadonlyArray<string>
  readonly blockedNumberTypes: ReadonlyArray<Word<"PREMIUM_RATE" | "SHARED_COST" | "TOLL_FREE" | "VOIP" | "PERSONAL_NUMBER" | "PAGER" | "UAN" | "VOICEMAIL" | "FIXED_LINE">>
  readonly guardEnforces: ReadonlyArray<Word<"PREFIX_UNVERIFIED" | "RANGE_UNVERIFIED" | "COUNTRY_UNVERIFIED" | "ADDRESS_UNVERIFIED" | "DEVICE_UNVERIFIED" | "COUNTRY_TOO_FAST" | "ADJACENT_NUMBERS" | "LINE_TYPE" | "SIM_SWAPPED" | "NUMBER_RECYCLED">>
  readonly guardLineTypes: ReadonlyArray<Word<"landline" | "fixedVoip" | "nonFixedVoip" | "personal" | "tollFree" | "premium" | "sharedCost" | "uan" | "voicemail" | "pager">>
  readonly guardSimSwapHours: number
  readonly guardRecycledDays: number
  readonly safeList: ReadonlyArray<string>
  readonly brand: string
  readonly brandColor: string | null
  readonly brandLogo: string | null
  readonly locale: string
  readonly appHash: string | null
  readonly domain: string | null
  readonly timeZone: string
  readonly quietHours: {
    readonly from: string
    readonly to: string
  } | null
  readonly billing: Word<"OFF" | "PREPAID">
  readonly prices: { readonly [name: string]: number | {
    readonly default: number
    readonly prefixes: { readonly [name: string]: number }
  } }
  readonly dailyCap: { readonly [name: string]: number | null }
  readonly balanceLowAt: number | null
  readonly campaignFloor: number | null
  /** Settings that are valid but do not work as expected. Ignored in a change. */
  readonly warnings: ReadonlyArray<{
    readonly field: string
    readonly problem: string
    /** Stable, or null for a provider's own sentence. A later version may have more codes. */
    readonly code: string | null
    /** What the sentence names. */
    readonly params: { readonly [name: string]: string | number }
  }>
}

export interface Event {
  readonly id: string
  readonly type: Word<"otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "delivery.updated" | "campaign.delivered" | "message.received" | "balance.low" | "guard.tripped" | "guard.blocked" | "webhook.disabled" | "webhook.test">
  /** ISO 8601. */
  readonly createdAt: string
  readonly environment: Word<"live" | "test">
  readonly data: { readonly [name: string]: unknown }
}

export interface Device {
  readonly id: string
  /** The device's name, as the app reported it. */
  readonly label: string | null
  /** ISO 8601. */
  readonly trustedAt: string
  /** ISO 8601. */
  readonly lastUsedAt: string
  /** When the trust ends, unless the device is used before; ISO 8601. */
  readonly expiresAt: string
}

export interface Balance {
  /** In the smallest unit of the currency. */
  readonly balance: number
  readonly currency: string
  /** How far below zero the balance may go. */
  readonly creditLimit: number
  /** The balance plus the credit limit. */
  readonly available: number
  /** Whether the balance is below the setting `balanceLowAt`. */
  readonly low: boolean
  /** Channels with costs today or with a cap. */
  readonly spentToday: ReadonlyArray<{
    readonly channel: string
    /** In the smallest unit of the currency. */
    readonly amount: number
    /** The setting `dailyCap`; null for no limit. */
    readonly cap: number | null
  }>
  /** Today in the time zone of the setting `timeZone`. */
  readonly day: string
  /** Who tops up the balance and sets prices: the merchant's owners or the operator. */
  readonly billedBy: Word<"merchant" | "operator">
}

export interface TopUpRequest {
  /** 1 to 1000000000000, in the smallest unit of the currency. */
  readonly amount: number
  /** The payment's id. Repeating a top-up with the same id has no effect. */
  readonly reference?: string | null | undefined
}

export interface MovedMoney {
  /** Counted from 1 in each environment, without gaps. */
  readonly id: number
  /** Negative when the balance was charged. */
  readonly amount: number
  /** The balance after this entry. */
  readonly balance: number
  readonly kind: Word<"SEND" | "REFUND" | "TOP_UP" | "CORRECTION">
  readonly channel: string | null
  /** The verification that was charged or refunded. */
  readonly requestId: string | null
  /** The verification, message, campaign or payment that it was for, or the reason of a correction. */
  readonly reference: string | null
  /** ISO 8601. */
  readonly createdAt: string
}

export type LedgerEntry = MovedMoney

export interface StatementLine {
  readonly kind: Word<"SEND" | "REFUND" | "TOP_UP" | "CORRECTION">
  readonly channel: string | null
  /** What a charged or refunded message was for: a code or a link, a campaign, or the inbox. */
  readonly use: Word<"VERIFICATION" | "CAMPAIGN" | "MESSAGE"> | null
  /** Ledger entries in this line. */
  readonly count: number
  /** Negative when the balance was charged. */
  readonly amount: number
}

export interface Statement {
  readonly month: string
  /** The start of the month in the time zone of the setting `timeZone`; ISO 8601. */
  readonly from: string
  /** The end of the month (exclusive); ISO 8601. */
  readonly to: string
  readonly currency: string
  /** The balance at the start of the month. */
  readonly opening: number
  /** The balance at the end of the month, or now. `opening` and all amounts of `lines` add up to it. */
  readonly closing: number
  readonly lines: ReadonlyArray<StatementLine>
}

export interface Key {
  /** The client id or the public key. */
  readonly id: string
  readonly type: Word<"SERVER" | "PUBLIC">
  /** What a server key may call; a public key has none. */
  readonly scopes: ReadonlyArray<Word<"auth" | "leads" | "dashboard">>
  readonly name: string | null
  /** ISO 8601. */
  readonly createdAt: string
  /** The last use, rounded down to the hour; ISO 8601. */
  readonly lastUsedAt: string | null
  /** When all secrets except the newest stop working; ISO 8601. */
  readonly retiringAt: string | null
  /** Null for a public key. */
  readonly clientId: string | null
  /** Null for a server key. */
  readonly publicKey: string | null
}

export interface NewKeyRequest {
  readonly type: "SERVER" | "PUBLIC"
  /** Default: all scopes. */
  readonly scopes?: ReadonlyArray<"auth" | "leads" | "dashboard"> | null | undefined
  /** A name to recognise the key by, at most 60 characters. */
  readonly name?: string | null | undefined
}

export interface NewKey {
  /** The client id or the public key. */
  readonly id: string
  readonly type: Word<"SERVER" | "PUBLIC">
  /** What a server key may call; a public key has none. */
  readonly scopes: ReadonlyArray<Word<"auth" | "leads" | "dashboard">>
  readonly name: string | null
  /** ISO 8601. */
  readonly createdAt: string
  /** The last use, rounded down to the hour; ISO 8601. */
  readonly lastUsedAt: string | null
  /** When all secrets except the newest stop working; ISO 8601. */
  readonly retiringAt: string | null
  /** Null for a public key. */
  readonly clientId: string | null
  /** Null for a server key. */
  readonly publicKey: string | null
  /** Returned only here. Null for a public key. */
  readonly clientSecret: string | null
}

export interface RollKeyRequest {
  /** How many hours the previous secret stays valid. Default: 24. 0 revokes all older secrets immediately. */
  readonly overlapHours?: number | null | undefined
}

export type RolledKey = NewKey

export interface TemplateFinding {
  readonly severity: Word<"error" | "warning">
  readonly field: string
  readonly problem: string
  /** Stable, or null for a provider's own sentence. A later version may have more codes. */
  readonly code: string | null
  /** What the sentence names. */
  readonly params: { readonly [name: string]: string | number }
}

export interface Template {
  readonly id: string
  /** Increases with each change of the text. Verifications that have started keep their version. */
  readonly version: number
  readonly name: string
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly channel: string
  readonly purpose: Word<"CODE" | "LINK" | "MESSAGE">
  /** Null: used for every language. */
  readonly locale: string | null
  /** WhatsApp only: the approval status. Null when no approval is needed. */
  readonly status: Word<"APPROVED" | "PENDING" | "REJECTED" | "PAUSED" | "DISABLED" | "MISSING" | "UNKNOWN"> | null
  readonly dltTemplateId: string | null
  readonly dltText: string | null
  readonly header: string | null
  readonly subject: string | null
  readonly body: string | null
  readonly html: string | null
  readonly whatsappName: string | null
  readonly whatsappLanguage: string | null
  /** ISO 8601. */
  readonly createdAt: string
  /** ISO 8601. */
  readonly updatedAt: string
  /** Problems of the template. An error prevents saving, a warning does not. */
  readonly findings: ReadonlyArray<TemplateFinding>
}

export interface NewTemplateRequest {
  /** Requests without a template use `default`. */
  readonly name: string
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly channel: string
  readonly purpose?: "CODE" | "LINK" | "MESSAGE" | null | undefined
  /** Absent: used for every language. */
  readonly locale?: string | null | undefined
  /** SMS only: the DLT template id, 19 digits. */
  readonly dltTemplateId?: string | null | undefined
  /** SMS only: the text registered at DLT. Messages are compared with it. */
  readonly dltText?: string | null | undefined
  /** SMS only: the sender id. */
  readonly header?: string | null | undefined
  /** The text. Placeholders: `{{code}}` or `{{link}}`, and `{{brand}}`, `{{minutes}}`, `{{domain}}`, `{{appHash}}`. */
  readonly body?: string | null | undefined
  /** EMAIL only. */
  readonly subject?: string | null | undefined
  /** EMAIL only: the text as HTML. Placeholder values are escaped. */
  readonly html?: string | null | undefined
  /** WHATSAPP only: the name of the approved template. */
  readonly whatsappName?: string | null | undefined
  /** WHATSAPP only: the template's language. Default: `locale`, or `en`. */
  readonly whatsappLanguage?: string | null | undefined
}

export type NewTemplate = Template

export interface PreviewRequest {
  readonly name?: string | null | undefined
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly channel: string
  readonly purpose?: "CODE" | "LINK" | "MESSAGE" | null | undefined
  /** Absent: used for every language. */
  readonly locale?: string | null | undefined
  /** SMS only: the DLT template id, 19 digits. */
  readonly dltTemplateId?: string | null | undefined
  /** SMS only: the text registered at DLT. Messages are compared with it. */
  readonly dltText?: string | null | undefined
  /** SMS only: the sender id. */
  readonly header?: string | null | undefined
  /** The text. Placeholders: `{{code}}` or `{{link}}`, and `{{brand}}`, `{{minutes}}`, `{{domain}}`, `{{appHash}}`. */
  readonly body?: string | null | undefined
  /** EMAIL only. */
  readonly subject?: string | null | undefined
  /** EMAIL only: the text as HTML. Placeholder values are escaped. */
  readonly html?: string | null | undefined
  /** WHATSAPP only: the name of the approved template. */
  readonly whatsappName?: string | null | undefined
  /** WHATSAPP only: the template's language. Default: `locale`, or `en`. */
  readonly whatsappLanguage?: string | null | undefined
  /** Values by placeholder. Absent ones get sample values, which cannot verify anyone. */
  readonly values?: { readonly [name: string]: string } | null | undefined
  /** The recipient. */
  readonly identity?: string | null | undefined
}

export interface TemplatePreview {
  readonly to: string | null
  /** Null if only WhatsApp has the text. */
  readonly text: string | null
  readonly subject: string | null
  readonly html: string | null
  /** SMS only. */
  readonly encoding: Word<"GSM-7" | "UCS-2"> | null
  /** SMS only: the length in septets, or in UTF-16 code units. */
  readonly units: number | null
  /** SMS only: the number of billed segments. */
  readonly segments: number | null
  readonly header: string | null
  readonly dltTemplateId: string | null
  /** WHATSAPP only: `template` of the request to WhatsApp: name, language and components. */
  readonly whatsapp: { readonly [name: string]: unknown } | null
  /** Problems of the template. An error prevents saving, a warning does not. */
  readonly findings: ReadonlyArray<TemplateFinding>
}

export interface ChangeTemplateRequest {
  readonly name?: string | null | undefined
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly channel?: string | null | undefined
  readonly purpose?: "CODE" | "LINK" | "MESSAGE" | null | undefined
  /** Absent: used for every language. */
  readonly locale?: string | null | undefined
  /** SMS only: the DLT template id, 19 digits. */
  readonly dltTemplateId?: string | null | undefined
  /** SMS only: the text registered at DLT. Messages are compared with it. */
  readonly dltText?: string | null | undefined
  /** SMS only: the sender id. */
  readonly header?: string | null | undefined
  /** The text. Placeholders: `{{code}}` or `{{link}}`, and `{{brand}}`, `{{minutes}}`, `{{domain}}`, `{{appHash}}`. */
  readonly body?: string | null | undefined
  /** EMAIL only. */
  readonly subject?: string | null | undefined
  /** EMAIL only: the text as HTML. Placeholder values are escaped. */
  readonly html?: string | null | undefined
  /** WHATSAPP only: the name of the approved template. */
  readonly whatsappName?: string | null | undefined
  /** WHATSAPP only: the template's language. Default: `locale`, or `en`. */
  readonly whatsappLanguage?: string | null | undefined
}

export interface PreviewOfRequest {
  /** Values by placeholder. Absent ones get sample values, which cannot verify anyone. */
  readonly values?: { readonly [name: string]: string } | null | undefined
  /** The recipient. */
  readonly identity?: string | null | undefined
}

export interface SenderId {
  readonly header: string
  /** ISO 8601. */
  readonly createdAt: string
}

export interface NewSenderIdRequest {
  readonly header: string
}

export type NewSenderId = SenderId

export interface Campaign {
  readonly id: string
  readonly name: string
  readonly channel: Word<"WHATSAPP" | "SMS">
  readonly template: string
  /** The version of the template. Later changes to the template do not affect the campaign. */
  readonly templateVersion: number
  readonly status: Word<"SCHEDULED" | "RUNNING" | "PAUSED" | "DONE" | "CANCELLED">
  /** Why the campaign is PAUSED. */
  readonly pausedFor: Word<"PERSON" | "MONEY" | "CHANNEL"> | null
  /** What to fix before the campaign can be resumed. */
  readonly problem: string | null
  /** All recipients, without duplicates. */
  readonly total: number
  /** Invalid lines of the list that were left out with `skipInvalid`. */
  readonly skippedLines: number
  /** Recipients not sent to yet. */
  readonly pending: number
  /** Messages sent to the provider, with any later status. */
  readonly sent: number
  /** Sent messages that were delivered. */
  readonly delivered: number
  /** Sent messages that were read. */
  readonly read: number
  /** Messages that could not be delivered. */
  readonly failed: number
  /** Recipients who opted out, or whom the campaign had not reached when it was cancelled. */
  readonly skipped: number
  /** ISO 8601. */
  readonly startAt: string
  /** ISO 8601. */
  readonly createdAt: string
  /** ISO 8601. */
  readonly finishedAt: string | null
}

export interface NewCampaignRequest {
  /** A name to recognise the campaign by, at most 100 characters. */
  readonly name: string
  readonly channel: "WHATSAPP" | "SMS"
  /** The id or name of a template with the purpose MESSAGE. */
  readonly template: string
  /** A header line with a column `phone` and one column per placeholder of the template, then one line per recipient. At most 5 MB. */
  readonly csv: string
  /** Within a year. Default: immediately; ISO 8601. */
  readonly startAt?: string | null | undefined
  /** Leave out invalid lines of the list. Their numbers get no message, even when a later line repeats them. Default: a list with an invalid line is refused. */
  readonly skipInvalid?: boolean | null | undefined
}

export interface CsvProblem {
  /** The line in the file, counted from 1. */
  readonly line: number
  readonly column: string | null
  readonly problem: string
  /** Stable, or null for a provider's own sentence. A later version may have more codes. */
  readonly code: string | null
  /** What the sentence names. */
  readonly params: { readonly [name: string]: string | number }
}

export interface CampaignDryRun {
  /** All recipients, without duplicates and invalid lines. */
  readonly total: number
  /** Lines with the recipient of an earlier line. The earlier line counts. */
  readonly duplicates: number
  /** The first 100 problems to fix, or as many as `problems` asks for. */
  readonly invalid: ReadonlyArray<CsvProblem>
  readonly invalidTotal: number
  /** Lines with a problem. `skipInvalid` leaves them out. */
  readonly invalidLines: number
  /** Whether the list can be sent without its invalid lines. False when a problem concerns the file or its header. */
  readonly skippable: boolean
  /** Columns that the template does not use. */
  readonly unused: ReadonlyArray<string>
  /** Recipients in `total` who opted out and would be skipped. */
  readonly optedOut: number
  /** SMS only: the segments of all messages, and of the longest message. */
  readonly segments: {
    readonly total: number
    readonly most: number
  } | null
  /** The cost of all messages except those to `optedOut`. Null when the channel has no price. */
  readonly cost: number | null
  /** ISO 4217. `cost` is in its smallest unit. */
  readonly currency: string
}

export type NewCampaign = Campaign

export interface CampaignRecipient {
  /** The line of the list on which the recipient stands, from 1. The header is a line too. */
  readonly number: number
  /** Masked for a VIEWER. */
  readonly phone: string
  /** The values of the template's placeholders, in order. */
  readonly values: ReadonlyArray<string>
  readonly status: Word<"PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED">
  /** Why the message FAILED or was SKIPPED. */
  readonly problem: string | null
  /** The carrier that sent the message. */
  readonly carrier: string | null
  readonly providerId: string | null
  /** ISO 8601. */
  readonly handedAt: string | null
}

export interface Webhook {
  readonly id: string
  readonly url: string
  /** Null for all types. */
  readonly events: ReadonlyArray<Word<"otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "delivery.updated" | "campaign.delivered" | "message.received" | "balance.low" | "guard.tripped" | "guard.blocked" | "webhook.disabled" | "webhook.test">> | null
  readonly description: string | null
  readonly status: Word<"ACTIVE" | "DISABLED">
  readonly disabledReason: Word<"GONE" | "FAILING" | "MERCHANT"> | null
  /** When deliveries started to fail; ISO 8601. */
  readonly failingSince: string | null
  /** When all secrets except the newest stop signing; ISO 8601. */
  readonly retiringAt: string | null
  /** ISO 8601. */
  readonly createdAt: string
}

export interface NewWebhookRequest {
  readonly url: string
  /** Event types; null for all. */
  readonly events?: ReadonlyArray<"otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "delivery.updated" | "campaign.delivered" | "message.received" | "balance.low" | "guard.tripped" | "guard.blocked" | "webhook.disabled" | "webhook.test"> | null | undefined
  readonly description?: string | null | undefined
}

export interface NewWebhook {
  readonly id: string
  readonly url: string
  /** Null for all types. */
  readonly events: ReadonlyArray<Word<"otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "delivery.updated" | "campaign.delivered" | "message.received" | "balance.low" | "guard.tripped" | "guard.blocked" | "webhook.disabled" | "webhook.test">> | null
  readonly description: string | null
  readonly status: Word<"ACTIVE" | "DISABLED">
  readonly disabledReason: Word<"GONE" | "FAILING" | "MERCHANT"> | null
  /** When deliveries started to fail; ISO 8601. */
  readonly failingSince: string | null
  /** When all secrets except the newest stop signing; ISO 8601. */
  readonly retiringAt: string | null
  /** ISO 8601. */
  readonly createdAt: string
  /** Returned only here. */
  readonly secret: string
}

export interface ChangeWebhookRequest {
  readonly url?: string | null | undefined
  /** Event types; null for all. */
  readonly events?: ReadonlyArray<"otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "delivery.updated" | "campaign.delivered" | "message.received" | "balance.low" | "guard.tripped" | "guard.blocked" | "webhook.disabled" | "webhook.test"> | null | undefined
  readonly description?: string | null | undefined
  readonly status?: "ACTIVE" | "DISABLED" | null | undefined
}

export interface RotateRequest {
  /** Revokes all older secrets immediately, for example after a leak. Default: false. */
  readonly endOthers?: boolean | null | undefined
}

export type RotatedWebhook = NewWebhook

export interface WebhookDeliveryDetail {
  readonly id: string
  readonly eventId: string
  readonly eventType: Word<"otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "delivery.updated" | "campaign.delivered" | "message.received" | "balance.low" | "guard.tripped" | "guard.blocked" | "webhook.disabled" | "webhook.test">
  readonly attempt: number
  /** A FAILED delivery is retried at `nextAttemptAt`. A DEAD one is not, unless you redeliver it. */
  readonly status: Word<"DELIVERED" | "FAILED" | "DEAD">
  readonly responseStatus: number | null
  /** Why the endpoint did not answer. */
  readonly error: string | null
  readonly durationMs: number
  /** ISO 8601. */
  readonly createdAt: string
  /** ISO 8601. */
  readonly nextAttemptAt: string | null
  readonly request: {
    readonly url: string
    /** Null once the event is older than 30 days. */
    readonly body: string | null
  }
  /** The first 1 KB. */
  readonly responseBody: string | null
}

export interface WebhookDelivery {
  readonly id: string
  readonly eventId: string
  readonly eventType: Word<"otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "delivery.updated" | "campaign.delivered" | "message.received" | "balance.low" | "guard.tripped" | "guard.blocked" | "webhook.disabled" | "webhook.test">
  readonly attempt: number
  /** A FAILED delivery is retried at `nextAttemptAt`. A DEAD one is not, unless you redeliver it. */
  readonly status: Word<"DELIVERED" | "FAILED" | "DEAD">
  readonly responseStatus: number | null
  /** Why the endpoint did not answer. */
  readonly error: string | null
  readonly durationMs: number
  /** ISO 8601. */
  readonly createdAt: string
  /** ISO 8601. */
  readonly nextAttemptAt: string | null
}

export interface WebhookEvent {
  readonly id: string
  readonly type: Word<"otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "delivery.updated" | "campaign.delivered" | "message.received" | "balance.low" | "guard.tripped" | "guard.blocked" | "webhook.disabled" | "webhook.test">
  /** ISO 8601. */
  readonly createdAt: string
  /** The verification of the event, if it has one. */
  readonly requestId: string | null
  /** DELIVERED: the endpoint answered 2xx. WAITING: retried at `nextAttemptAt`. FAILED: not retried, unless you retry it. */
  readonly state: Word<"DELIVERED" | "WAITING" | "FAILED">
  /** ISO 8601. */
  readonly nextAttemptAt: string | null
  /** Oldest first, at most 20. */
  readonly attempts: ReadonlyArray<WebhookDelivery>
}

export interface WebhookRetry {
  /** How many events are sent now. */
  readonly events: number
}

export interface WebhookBacklog {
  /** NO_EVENT_YET, WORKS, WAITING (events wait for a retry), NOT_DELIVERED (events are missing and not retried), FAILING (no attempt succeeded since `since`) or DISABLED. */
  readonly health: Word<"NO_EVENT_YET" | "WORKS" | "WAITING" | "NOT_DELIVERED" | "FAILING" | "DISABLED">
  /** Since when it fails, or since when events wait; ISO 8601. */
  readonly since: string | null
  /** The answer to the last attempt. */
  readonly lastResponseStatus: number | null
  /** Why the last attempt had no answer. */
  readonly lastError: string | null
  /** How many events wait for a retry. */
  readonly pending: number
  /** How many events are not retried, unless you redeliver or replay them. */
  readonly givenUp: number
  /** Whether there may be more: only the latest failed attempts are counted. */
  readonly more: boolean
}

export interface ReplayCount {
  /** How many events would be sent, of the newest 1,000 in the range. With `onlyMissing` this includes events outside the range that wait for a retry. */
  readonly events: number
  /** Whether the range has more than 1,000 events. */
  readonly more: boolean
}

export interface ReplayRequest {
  /** ISO 8601. */
  readonly since: string
  /** Default: now; ISO 8601. */
  readonly until?: string | null | undefined
  /** Skips events that this endpoint has already received. Events that wait for a retry are sent within a minute, also those outside the range. */
  readonly onlyMissing?: boolean | null | undefined
}

export interface Replay {
  /** ISO 8601. */
  readonly since: string
  /** ISO 8601. */
  readonly until: string
}

export interface Hook {
  readonly id: string
  readonly kind: Word<"supabase-sms" | "supabase-email" | "zitadel-sms" | "zitadel-email" | "kratos" | "auth0" | "generic">
  readonly name: string
  /** The address that the sign-in system calls. */
  readonly url: string
  /** When all secrets except the newest end; ISO 8601. */
  readonly retiringAt: string | null
  /** ISO 8601. */
  readonly createdAt: string
}

export interface NewHookRequest {
  readonly kind: "supabase-sms" | "supabase-email" | "zitadel-sms" | "zitadel-email" | "kratos" | "auth0" | "generic"
  /** A name to recognise it by. */
  readonly name: string
  /** The secret that the sign-in system made. Without it, the server makes one. */
  readonly secret?: string | null | undefined
}

export interface NewHook {
  readonly id: string
  readonly kind: Word<"supabase-sms" | "supabase-email" | "zitadel-sms" | "zitadel-email" | "kratos" | "auth0" | "generic">
  readonly name: string
  /** The address that the sign-in system calls. */
  readonly url: string
  /** When all secrets except the newest end; ISO 8601. */
  readonly retiringAt: string | null
  /** ISO 8601. */
  readonly createdAt: string
  /** Returned only here. */
  readonly secret: string
}

export interface RotateHookRequest {
  /** The secret that the sign-in system made. Without it, the server makes one. */
  readonly secret?: string | null | undefined
  /** Ends all older secrets immediately, for example after a leak. Default: false. */
  readonly endOthers?: boolean | null | undefined
}

export type RotatedHook = NewHook

export interface HookRequest {
  readonly id: string
  /** ISO 8601. */
  readonly createdAt: string
  /** SENT: a delivery started. REPEATED: an earlier try started it. REFUSED: see `errorCode`. FAILED: a fault of this service. UNSIGNED: no secret of this hook signed it. */
  readonly outcome: Word<"SENT" | "REPEATED" | "REFUSED" | "FAILED" | "UNSIGNED">
  /** Masked. */
  readonly recipients: ReadonlyArray<string>
  /** What the sign-in system sends the code for. */
  readonly purpose: string | null
  readonly deliveries: ReadonlyArray<{
    readonly id: string
    /** The current status. Null for a delivery that was deleted. */
    readonly deliveryStatus: string | null
  }>
  readonly errorCode: string | null
  /** Why nothing was sent, in a sentence. */
  readonly problem: string | null
}

export interface Lead {
  readonly id: number
  /** The customer's WhatsApp number as digits with country code, or a WhatsApp id if the customer hides the number. */
  readonly contact: string
  /** The customer's profile name on WhatsApp. */
  readonly name: string | null
  readonly status: Word<"OPEN" | "CLOSED">
  /** The e-mail address of the agent who owns the lead. */
  readonly assignedTo: string | null
  readonly teamName: string | null
  /** INBOUND: the customer wrote first. CAMPAIGN: the customer replied to a campaign. LEAD: an agent created it. */
  readonly origin: Word<"INBOUND" | "CAMPAIGN" | "LEAD">
  /** Indian time, with milliseconds and without an offset. */
  readonly lastMessageAt: string | null
  readonly unreadCount: number
}

export interface Agent {
  readonly id: number
  readonly email: string
  readonly role: Word<"OWNER" | "ADMIN" | "AGENT" | "VIEWER">
  readonly status: Word<"INVITED" | "ACTIVE" | "SUSPENDED">
}

export interface Team {
  readonly id: number
  readonly name: string
}

export interface AssignRequest {
  /** An active agent's e-mail address. Absent or empty: the lead becomes unassigned. */
  readonly agentEmail?: string | null | undefined
}

export interface AssignByPhoneRequest {
  /** A customer's number with country code, in any spelling. Ten digits are read as an Indian number. */
  readonly phone: string
  /** An active agent's e-mail address. Absent or empty: the lead becomes unassigned. */
  readonly agentEmail?: string | null | undefined
}

export interface LeadTeamRequest {
  /** A team's name, case-insensitive. Absent: the lead leaves its team. */
  readonly teamName?: string | null | undefined
}

export interface LeadTeamByPhoneRequest {
  /** A customer's number with country code, in any spelling. Ten digits are read as an Indian number. */
  readonly phone: string
  /** A team's name, case-insensitive. Absent: the lead leaves its team. */
  readonly teamName?: string | null | undefined
}

/** The advertisement that the customer came from. */
export interface Referral {
  readonly sourceType: string | null
  readonly sourceId: string | null
  readonly sourceUrl: string | null
  readonly headline: string | null
  readonly clickId: string | null
}

export interface InboxLeadRow {
  readonly id: number
  /** The customer's WhatsApp number as digits with country code, or a WhatsApp id if the customer hides the number. */
  readonly contact: string
  /** The customer's profile name on WhatsApp. */
  readonly name: string | null
  readonly status: Word<"OPEN" | "CLOSED">
  /** The e-mail address of the agent who owns the lead. */
  readonly assignedTo: string | null
  readonly teamName: string | null
  /** INBOUND: the customer wrote first. CAMPAIGN: the customer replied to a campaign. LEAD: an agent created it. */
  readonly origin: Word<"INBOUND" | "CAMPAIGN" | "LEAD">
  /** Indian time, with milliseconds and without an offset. */
  readonly lastMessageAt: string | null
  readonly unreadCount: number
  readonly labels: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly colour: Word<"GREY" | "RED" | "ORANGE" | "YELLOW" | "GREEN" | "TEAL" | "BLUE" | "PURPLE">
  }>
  /** The customer's reference as a person. Null if the customer hides the number. */
  readonly person: string | null
  /** The campaign that the customer replied to. */
  readonly campaignId: string | null
  readonly referral: Referral | null
  /** The customer's latest message. Free text may be sent for 24 hours after it; ISO 8601. */
  readonly lastInboundAt: string | null
  /** The customer's first message that got no answer, or the end of a snooze. Null if each message got an answer, none is needed, or the lead is closed or snoozed; ISO 8601. */
  readonly waitingSince: string | null
  /** When a snoozed lead waits again. Null if it is not snoozed; ISO 8601. */
  readonly snoozedUntil: string | null
  /** ISO 8601. */
  readonly createdAt: string
  /** The latest message or note. Null before the first one. */
  readonly lastMessage: {
    /** From the customer (IN), to the customer (OUT), or an internal note (NOTE). */
    readonly direction: Word<"IN" | "OUT" | "NOTE">
    readonly type: Word<"text" | "image" | "video" | "audio" | "document" | "sticker" | "location" | "contacts" | "button" | "list" | "order" | "template" | "unknown">
    /** The beginning of the text, on one line. Null if there is no text. */
    readonly text: string | null
    /** The delivery status of an outgoing message; null for others. */
    readonly status: Word<"PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED"> | null
    /** The agent who wrote it. */
    readonly sentBy: string | null
    /** When it was written: WhatsApp's time for incoming messages, the server's for others; ISO 8601. */
    readonly at: string
    /** Whether the customer deleted it. Its text and files are removed. */
    readonly deleted: boolean
  } | null
}

export interface InboxLeads {
  readonly items: ReadonlyArray<InboxLeadRow>
  readonly nextCursor: string | null
  /** Whether there are more leads: continue with `nextCursor`, or narrow the search. */
  readonly more: boolean
}

export interface NewLeadRequest {
  readonly phone: string
  readonly name?: string | null | undefined
}

export interface NewLead {
  readonly id: number
  /** The customer's WhatsApp number as digits with country code, or a WhatsApp id if the customer hides the number. */
  readonly contact: string
  /** The customer's profile name on WhatsApp. */
  readonly name: string | null
  readonly status: Word<"OPEN" | "CLOSED">
  /** The e-mail address of the agent who owns the lead. */
  readonly assignedTo: string | null
  readonly teamName: string | null
  /** INBOUND: the customer wrote first. CAMPAIGN: the customer replied to a campaign. LEAD: an agent created it. */
  readonly origin: Word<"INBOUND" | "CAMPAIGN" | "LEAD">
  /** Indian time, with milliseconds and without an offset. */
  readonly lastMessageAt: string | null
  readonly unreadCount: number
  readonly labels: ReadonlyArray<{
    readonly id: string
    readonly name: string
    readonly colour: Word<"GREY" | "RED" | "ORANGE" | "YELLOW" | "GREEN" | "TEAL" | "BLUE" | "PURPLE">
  }>
  /** The customer's reference as a person. Null if the customer hides the number. */
  readonly person: string | null
  /** The campaign that the customer replied to. */
  readonly campaignId: string | null
  readonly referral: Referral | null
  /** The customer's latest message. Free text may be sent for 24 hours after it; ISO 8601. */
  readonly lastInboundAt: string | null
  /** The customer's first message that got no answer, or the end of a snooze. Null if each message got an answer, none is needed, or the lead is closed or snoozed; ISO 8601. */
  readonly waitingSince: string | null
  /** When a snoozed lead waits again. Null if it is not snoozed; ISO 8601. */
  readonly snoozedUntil: string | null
  /** ISO 8601. */
  readonly createdAt: string
}

export interface WaitingLeads {
  /** How many leads wait for an answer, at most 1,000. */
  readonly count: number
  /** Whether there are more than `count`. */
  readonly more: boolean
  /** Since when the first one waits; ISO 8601. */
  readonly since: string | null
}

export interface BulkRequest {
  /** 1 to 100 leads. */
  readonly ids: ReadonlyArray<number>
  readonly action: "ASSIGN" | "CLOSE" | "REOPEN" | "SNOOZE" | "UNSNOOZE" | "LABEL" | "UNLABEL"
  /** For `ASSIGN`: the e-mail address of an ACTIVE agent; without it, no agent. */
  readonly agentEmail?: string | null | undefined
  /** For `SNOOZE`: in the future, at most a year from now; ISO 8601. */
  readonly until?: string | null | undefined
  /** For `LABEL` and `UNLABEL`: a label's id. */
  readonly label?: string | null | undefined
}

export interface BulkResult {
  readonly items: ReadonlyArray<{
    readonly id: number
    /** `DONE`: the lead is as requested, also if it was before. `CLOSED`: it is closed, so it was not snoozed. `FULL`: it has 10 labels already. `BUSY`: others kept changing it; repeat the request. */
    readonly outcome: Word<"DONE" | "CLOSED" | "FULL" | "NOT_FOUND" | "BUSY">
  }>
}

export interface Assignee {
  readonly id: number
  readonly email: string
  /** The display name that the agent chose. */
  readonly name: string | null
  /** Open leads assigned to the agent, up to 1,000. */
  readonly openLeads: number
}

export type InboxLead = NewLead

export interface SnoozeRequest {
  /** In the future, at most a year from now; ISO 8601. */
  readonly until: string
}

export interface LeadLabelsRequest {
  /** Ids of labels to put on. */
  readonly add?: ReadonlyArray<string> | null | undefined
  /** Ids of labels to take off. */
  readonly remove?: ReadonlyArray<string> | null | undefined
}

export interface ReplyRequest {
  /** Free text, allowed within 24 hours of the customer's latest message. Send either `text` or `template`. With `attachment`, the caption of the file, at most 1,024 characters. */
  readonly text?: string | null | undefined
  /** A file that a team member uploaded for this lead, allowed within the same 24 hours. */
  readonly attachment?: string | null | undefined
  /** The name of the file, which the customer sees if it is a document. It gets the ending of its type. */
  readonly fileName?: string | null | undefined
  /** The name of an approved template, or `name/language`. */
  readonly template?: string | null | undefined
  /** The values of the template's placeholders, in order. */
  readonly values?: ReadonlyArray<string> | null | undefined
}

export interface NewLeadMessage {
  readonly id: string
  /** From the customer (IN), to the customer (OUT), or an internal note (NOTE). */
  readonly direction: Word<"IN" | "OUT" | "NOTE">
  readonly type: Word<"text" | "image" | "video" | "audio" | "document" | "sticker" | "location" | "contacts" | "button" | "list" | "order" | "template" | "unknown">
  /** The text, a caption, or the label of a pressed button. Null if the message has no text. */
  readonly text: string | null
  readonly media: {
    readonly id: string
    readonly type: string | null
    readonly caption: string | null
    readonly fileName: string | null
    /** In bytes, if WhatsApp reports it. */
    readonly size: number | null
  } | null
  /** The delivery status of an outgoing message; null for others. */
  readonly status: Word<"PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED"> | null
  /** Why it failed: the provider's code or one of ours. */
  readonly error: string | null
  /** The agent who wrote it. */
  readonly sentBy: string | null
  /** When it was written: WhatsApp's time for incoming messages, the server's for others; ISO 8601. */
  readonly at: string
  /** The payload of the pressed button or chosen row. */
  readonly payload: string | null
  readonly location: {
    readonly latitude: number
    readonly longitude: number
  } | null
  /** An order or contact cards, as WhatsApp's JSON. */
  readonly details: string | null
  readonly template: {
    readonly name: string
    readonly language: string
    readonly values: ReadonlyArray<string>
  } | null
  readonly forwarded: boolean
  readonly edited: boolean
  /** Whether the customer deleted it. Its text and files are removed. */
  readonly deleted: boolean
  readonly reactions: {
    /** An emoji. */
    readonly customer: string | null
    readonly merchant: string | null
  }
}

export interface NoteRequest {
  readonly text: string
}

export type LeadMessage = NewLeadMessage

export interface LeadHistoryEntry {
  /** ISO 8601. */
  readonly at: string
  /** Who did it; null for automatic changes. */
  readonly by: string | null
  readonly kind: Word<"CREATED" | "ASSIGNED" | "TEAM" | "CLOSED" | "REOPENED" | "ANSWERED" | "UNANSWERED" | "SNOOZED" | "UNSNOOZED" | "LABELLED" | "UNLABELLED">
  /** The previous agent's e-mail address, the previous team's name, or the name of a label taken off. */
  readonly from: string | null
  readonly to: string | null
}

export interface SavedReply {
  readonly id: string
  readonly name: string
  readonly text: string
  /** ISO 8601. */
  readonly createdAt: string
}

export interface NewSavedReplyRequest {
  readonly name: string
  readonly text: string
}

export type NewSavedReply = SavedReply

export interface ChangeSavedReplyRequest {
  readonly name?: string | null | undefined
  readonly text?: string | null | undefined
}

export interface Label {
  readonly id: string
  readonly name: string
  readonly colour: Word<"GREY" | "RED" | "ORANGE" | "YELLOW" | "GREEN" | "TEAL" | "BLUE" | "PURPLE">
  /** ISO 8601. */
  readonly createdAt: string
}

export interface NewLabelRequest {
  /** 1 to 40 characters, unique at the merchant, ignoring case. */
  readonly name: string
  readonly colour?: "GREY" | "RED" | "ORANGE" | "YELLOW" | "GREEN" | "TEAL" | "BLUE" | "PURPLE" | null | undefined
}

export type NewLabel = Label

export interface ChangeLabelRequest {
  readonly name?: string | null | undefined
  readonly colour?: "GREY" | "RED" | "ORANGE" | "YELLOW" | "GREEN" | "TEAL" | "BLUE" | "PURPLE" | null | undefined
}

export interface StaffAgent {
  readonly id: number
  readonly email: string
  readonly role: Word<"OWNER" | "ADMIN" | "AGENT" | "VIEWER">
  readonly status: Word<"INVITED" | "ACTIVE" | "SUSPENDED">
  /** ISO 8601. */
  readonly createdAt: string
}

export interface NewAgentRequest {
  readonly email: string
  readonly role?: "OWNER" | "ADMIN" | "AGENT" | "VIEWER" | null | undefined
  readonly status?: "INVITED" | "ACTIVE" | "SUSPENDED" | null | undefined
}

export type NewStaffAgent = StaffAgent

export interface Invitation {
  /** Returned only here. */
  readonly url: string
  /** ISO 8601. */
  readonly expiresAt: string
}

export interface ChangeAgentRequest {
  readonly email?: string | null | undefined
  readonly role?: "OWNER" | "ADMIN" | "AGENT" | "VIEWER" | null | undefined
  readonly status?: "INVITED" | "ACTIVE" | "SUSPENDED" | null | undefined
}

export interface StaffTeam {
  readonly id: number
  readonly name: string
  /** How a new or reopened lead without an owner is assigned within the team. */
  readonly assignment: Word<"OFF" | "ROUND_ROBIN" | "LEAST_OPEN">
  /** Agent ids, in round-robin order. */
  readonly members: ReadonlyArray<number>
  /** Whether new and reopened leads without a team go to this team. */
  readonly takesNew: boolean
  /** ISO 8601. */
  readonly createdAt: string
}

export interface NewTeamRequest {
  readonly name: string
  readonly assignment?: "OFF" | "ROUND_ROBIN" | "LEAST_OPEN" | null | undefined
  readonly members?: ReadonlyArray<number> | null | undefined
  /** At most one team can have this. Setting it clears it on the previous team. */
  readonly takesNew?: boolean | null | undefined
}

export type NewStaffTeam = StaffTeam

export interface ChangeTeamRequest {
  readonly name?: string | null | undefined
  readonly assignment?: "OFF" | "ROUND_ROBIN" | "LEAST_OPEN" | null | undefined
  readonly members?: ReadonlyArray<number> | null | undefined
  /** At most one team can have this. Setting it clears it on the previous team. */
  readonly takesNew?: boolean | null | undefined
}

export interface ConnectRequest {
  readonly phoneNumberId: string
  readonly wabaId: string
  /** A system user's access token. It is stored encrypted and never returned. */
  readonly accessToken: string
}

export interface NewWhatsAppNumber {
  /** The `phoneNumberId`. Pass it as `wabaId` to initiate. */
  readonly id: string
  /** The WhatsApp business account that the number belongs to. */
  readonly wabaId: string
  readonly displayNumber: string | null
  /** The name that customers see. */
  readonly displayName: string | null
  /** ISO 8601. */
  readonly connectedAt: string
}

export type WhatsAppNumber = NewWhatsAppNumber

export interface OptOut {
  /** E.164 with `+`. Masked for a VIEWER. */
  readonly phone: string
  /** The source: the customer's own message, an agent, or the provider. */
  readonly by: Word<"MESSAGE" | "PERSON" | "PROVIDER">
  /** ISO 8601. */
  readonly at: string
}

export interface NewOptOutRequest {
  readonly phone: string
}

export type NewOptOut = OptOut

export interface UnlockRequest {
  readonly identity: string
  /** Default: EMAIL if the identity contains `@`, otherwise MOBILE. */
  readonly identityType?: "MOBILE" | "EMAIL" | null | undefined
}

export interface Unlock {
  /** False if no wrong codes were counted. */
  readonly unlocked: boolean
}

export interface FoundPerson {
  /** The person's reference: the same for all their records in this environment. It does not show the identity. */
  readonly person: string
  /** Masked. */
  readonly identity: string
  readonly identityType: Word<"MOBILE" | "EMAIL">
  /** The part of the search that matched: the whole identity, a request id, an order id, the last four digits (ENDING), or a lead's name. */
  readonly foundBy: Word<"IDENTITY" | "REQUEST" | "ORDER" | "ENDING" | "NAME">
  /** The customer's profile name, masked if it contains a number. */
  readonly name: string | null
  readonly leadId: number | null
  /** The verification that matched, or their newest one. */
  readonly requestId: string | null
}

export interface FoundPeople {
  readonly items: ReadonlyArray<FoundPerson>
}

export interface Person {
  /** The person's reference: the same for all their records in this environment. It does not show the identity. */
  readonly person: string
  /** Masked. */
  readonly identity: string
  readonly identityType: Word<"MOBILE" | "EMAIL">
  /** ISO 3166 country code. */
  readonly country: string | null
  /** One for requests of backends (SERVER) and one for requests of apps (SDK). */
  readonly locks: ReadonlyArray<{
    readonly path: Word<"SERVER" | "SDK">
    /** The current number of wrong codes in a row. */
    readonly wrongCodes: number
    /** Code requests are refused until then. Null if they are allowed; ISO 8601. */
    readonly lockedUntil: string | null
  }>
  /** Sign-in links are refused until then, after wrong numbers on their page; ISO 8601. */
  readonly linksPausedUntil: string | null
  /** Trusted devices, most recently used first. */
  readonly devices: ReadonlyArray<Device>
  readonly lead: {
    readonly id: number
    /** The customer's profile name, masked if it contains a number. */
    readonly name: string | null
    readonly status: Word<"OPEN" | "CLOSED">
    /** ISO 8601. */
    readonly lastMessageAt: string | null
    /** Since when the customer waits for a reply. Null if you wrote last; ISO 8601. */
    readonly waitingSince: string | null
  } | null
  /** The opt-out from campaigns. Codes and replies are always sent. */
  readonly optOut: {
    readonly by: Word<"MESSAGE" | "PERSON" | "PROVIDER">
    /** ISO 8601. */
    readonly at: string
  } | null
}

export interface EraseRequest {
  /** A phone number or an e-mail address, in any spelling. */
  readonly identity: string
  readonly identityType?: "MOBILE" | "EMAIL" | null | undefined
}

export interface BegunErasure {
  readonly erasureId: string
}

export interface Erasure {
  readonly id: string
  readonly status: Word<"RUNNING" | "DONE">
  /** ISO 8601. */
  readonly startedAt: string
  /** ISO 8601. */
  readonly finishedAt: string | null
  /** The number of erased records so far. */
  readonly removed: {
    readonly verifications: number
    readonly devices: number
    readonly leads: number
    readonly messages: number
  }
}

export interface ExampleDayRequest {
  /** The same seed creates the same day: the same people at the same hours. Default: 1. */
  readonly seed?: number | null | undefined
}

export interface ExampleDay {
  readonly seed: number
  /** How many people the example day contains. */
  readonly scenes: number
}

export interface ExampleDayState {
  readonly isPlaying: boolean
}

export interface AuditActor {
  readonly kind: Word<"AGENT" | "KEY" | "OPERATOR" | "SYSTEM">
  /** An agent's id or a client id. Null for the operator and the service. */
  readonly id: string | null
  readonly label: string | null
}

export interface AuditEntry {
  readonly id: string
  /** ISO 8601. */
  readonly at: string
  readonly actor: AuditActor
  /** The IP address of the request. */
  readonly address: string | null
  readonly from: { readonly [name: string]: unknown } | null
  readonly to: { readonly [name: string]: unknown } | null
  /** Null for changes to the merchant itself. */
  readonly environment: Word<"live" | "test"> | null
  readonly action: string
  readonly target: {
    readonly kind: string
    readonly id: string
  }
}

export interface SettingsChange {
  readonly id: string
  /** ISO 8601. */
  readonly at: string
  readonly actor: AuditActor
  /** The IP address of the request. */
  readonly address: string | null
  readonly from: { readonly [name: string]: unknown } | null
  readonly to: { readonly [name: string]: unknown } | null
}

/** What happened, why, and the next step, as codes. Null while it is pending, and when it is verified. */
export interface Outcome {
  /** What happened. */
  readonly code: Word<"NOT_SENT" | "NOT_DELIVERED" | "NO_RECEIPT" | "DELIVERED_UNUSED" | "SENT_UNUSED" | "NOT_CONFIRMED" | "NO_ATTEMPTS_LEFT" | "WRONG_NUMBER">
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly channel: string | null
  /** Why the message did not arrive. */
  readonly reason: Word<"RECIPIENT" | "OPTED_OUT" | "CHANNEL" | "CONTENT" | "TEMPLATE" | "SENDER" | "ACCOUNT" | "LIMIT" | "SETTINGS" | "OPERATOR" | "PROVIDER" | "TIME" | "SILENCE" | "UNKNOWN"> | null
  /** The provider's code, or one of the service. */
  readonly cause: string | null
  /** Null if a fallback could not have changed the outcome. */
  readonly fallback: {
    /** What the fallback did. */
    readonly state: Word<"NOT_SET" | "USED" | "SAME_CHANNEL" | "NOT_NEEDED" | "TOO_LATE" | "NO_PRICE" | "NO_BALANCE" | "CAP_REACHED" | "LIMIT_REACHED">
    /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
    readonly channel: string | null
    /** Why the message did not arrive. */
    readonly reason: Word<"RECIPIENT" | "OPTED_OUT" | "CHANNEL" | "CONTENT" | "TEMPLATE" | "SENDER" | "ACCOUNT" | "LIMIT" | "SETTINGS" | "OPERATOR" | "PROVIDER" | "TIME" | "SILENCE" | "UNKNOWN"> | null
    /** The provider's code, or one of the service. */
    readonly cause: string | null
  } | null
  /** The user is locked out until then. Null in the live stream; ISO 8601. */
  readonly lockedUntil: string | null
  /** The next step. */
  readonly advice: Word<"ADD_FALLBACK" | "SHORTEN_FALLBACK" | "SET_PRICE" | "TOP_UP" | "RAISE_CAP" | "CHECK_IDENTITY" | "ASK_OPT_IN" | "USE_OTHER_CHANNEL" | "FIX_TEMPLATE" | "FIX_PROVIDER" | "CHANGE_DESTINATIONS" | "ASK_OPERATOR" | "REQUEST_AGAIN" | "UNLOCK">
}

export interface Verification_1 {
  readonly requestId: string
  /** The person's reference: the same for all their records in this environment. It does not show the identity. */
  readonly person: string
  /** Masked. */
  readonly identity: string
  readonly identityType: Word<"MOBILE" | "EMAIL">
  readonly mode: Word<"OTP" | "OAUTH" | "MAGIC_LINK">
  /** The channel that was requested last. */
  readonly channel: string
  /** The caller: the merchant's backend (SERVER) or an app with the public key (SDK). */
  readonly path: Word<"SERVER" | "SDK">
  readonly orderId: string | null
  /** Whether it was started with "Try it" in the dashboard. */
  readonly trial: boolean
  /** A code of another sign-in system, which alone knows whether it was typed. Null for a verification. */
  readonly relayed: {
    readonly deliveryStatus: Word<"PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED">
    readonly purpose: string | null
    /** The hook that brought it. Null for the API. */
    readonly origin: string | null
  } | null
  /** EXPIRED as soon as its time is over, even without an attempt. */
  readonly authStatus: Word<"PENDING" | "VERIFIED" | "EXPIRED" | "FAILED">
  /** How many attempts are left. */
  readonly attemptsLeft: number
  /** OTP, ONETAP, LINK, or the number verifier that verified the number, such as TRUECALLER. */
  readonly method: string | null
  /** ISO 3166 country code. */
  readonly country: string | null
  /** What the backend said about the user's request. Null if it said nothing. */
  readonly context: {
    /** Null for who sees masked identities. */
    readonly clientIp: string | null
    readonly userAgent: string | null
    /** Null for who sees masked identities. */
    readonly deviceId: string | null
    readonly tags: { readonly [name: string]: string }
  } | null
  /** How the guard judged the latest send. A code with reasons was sent because none of them was enforced. */
  readonly guard: {
    readonly verdict: Word<"allow" | "delay" | "challenge" | "block">
    readonly reasons: ReadonlyArray<{
      readonly reason: Word<"PREFIX_UNVERIFIED" | "RANGE_UNVERIFIED" | "COUNTRY_UNVERIFIED" | "ADDRESS_UNVERIFIED" | "DEVICE_UNVERIFIED" | "COUNTRY_TOO_FAST" | "ADJACENT_NUMBERS" | "LINE_TYPE" | "SIM_SWAPPED" | "NUMBER_RECYCLED">
      readonly score: number
    }>
  }
  /** ISO 8601. */
  readonly createdAt: string
  /** ISO 8601. */
  readonly verifiedAt: string | null
  readonly outcome: Outcome | null
  readonly deliveries: ReadonlyArray<{
    readonly id: string
    /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
    readonly channel: string
    readonly type: Word<"OTP" | "LINK">
    readonly deliveryStatus: Word<"PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED">
    readonly attemptNumber: number
    /** The provider that was asked to send it; null if none was. */
    readonly carrier: string | null
    readonly providerId: string | null
    /** Why the delivery FAILED. */
    readonly providerCode: string | null
    /** ISO 8601. */
    readonly createdAt: string
  }>
}

export interface Timeline {
  readonly items: ReadonlyArray<{
    /** ISO 8601. */
    readonly at: string
    /** Milliseconds since the start of the verification. */
    readonly sinceStartMs: number
    readonly kind: Word<"INITIATED" | "RESENT" | "SEND_TRIED" | "SENT" | "SEND_FAILED" | "RECEIPT" | "FALLBACK_STARTED" | "FALLBACK_SKIPPED" | "CODE_TRIED" | "VERIFIED" | "EXPIRED" | "FAILED" | "EVENT" | "WEBHOOK_TRIED">
    /** A text for people. It may change. */
    readonly reason: string
    readonly data: { readonly [name: string]: unknown }
  }>
}

export interface SeenMessages {
  readonly items: ReadonlyArray<{
    readonly deliveryId: string
    /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
    readonly channel: string
    /** Null for the built-in text. */
    readonly templateId: string | null
    readonly templateVersion: number | null
    /** EMAIL only. */
    readonly subject: string | null
    /** Null if only the provider has the text, or if it is no longer stored. */
    readonly text: string | null
  }>
}

export interface Unmasked {
  /** The identity as it was sent. */
  readonly identity: string
}

export interface Lock {
  /** Code requests for this identity are refused until then. Null if it is not locked; ISO 8601. */
  readonly lockedUntil: string | null
  /** `WRONG_NUMBERS`: only links are refused, after wrong numbers on their pages. */
  readonly reason: Word<"WRONG_CODES" | "WRONG_NUMBERS"> | null
  /** The current number of wrong codes in a row. */
  readonly wrongCodes: number
}

export interface Refusal {
  /** ISO 8601. */
  readonly at: string
  readonly path: Word<"SERVER" | "SDK">
  readonly errorCode: string
  /** The limit or field that caused the refusal. Refusals are counted by it. */
  readonly reason: string
  /** Masked. */
  readonly identity: string | null
  /** The person's reference: the same for all their records in this environment. It does not show the identity. */
  readonly person: string | null
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly channel: string | null
  /** ISO 3166 country code. */
  readonly country: string | null
}

export interface Protection {
  readonly currency: string
  /** The places that the guard stopped, the latest first. */
  readonly trips: ReadonlyArray<{
    readonly reason: Word<"PREFIX_UNVERIFIED" | "RANGE_UNVERIFIED" | "COUNTRY_UNVERIFIED">
    /** The digits that the numbers share, or an ISO 3166 country (digits where countries share a calling code). */
    readonly place: string
    /** ISO 8601. */
    readonly since: string
    /** When the guard judges the place by its evidence alone again; ISO 8601. */
    readonly until: string
    /** Whether requests are refused. False: they are only counted. */
    readonly enforced: boolean
    /** Codes of the day before that were not entered. */
    readonly codes: number
    /** Codes of the day before that were entered. */
    readonly typed: number
    /** About what those codes cost, in the smallest unit. Null without a price. */
    readonly cost: number | null
    /** Requests since then that it refused, or would have refused. */
    readonly met: number
  }>
  /** If every reason were enforced. A code with two reasons counts once. */
  readonly would: {
    /** Codes that were sent, and that it would have refused. */
    readonly refused: number
    /** Of those, the codes that people entered. */
    readonly typed: number
    /** The cost of their messages, in the smallest unit. Null when none had a price. */
    readonly saved: number | null
  }
  readonly reasons: ReadonlyArray<{
    readonly reason: Word<"PREFIX_UNVERIFIED" | "RANGE_UNVERIFIED" | "COUNTRY_UNVERIFIED" | "ADDRESS_UNVERIFIED" | "DEVICE_UNVERIFIED" | "COUNTRY_TOO_FAST" | "ADJACENT_NUMBERS" | "LINE_TYPE" | "SIM_SWAPPED" | "NUMBER_RECYCLED">
    /** Whether it refuses codes now. */
    readonly enforced: boolean
    readonly would: {
      /** Codes that were sent, and that it would have refused. */
      readonly refused: number
      /** Of those, the codes that people entered. */
      readonly typed: number
      /** The cost of their messages, in the smallest unit. Null when none had a price. */
      readonly saved: number | null
    }
    /** Requests that it refused because it was enforced. */
    readonly refused: number
  }>
}

export interface TryRequest {
  /** A phone number, or an e-mail address if it contains `@`. */
  readonly identity: string
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly channel?: string | null | undefined
  /** The language of the message, instead of the setting's. */
  readonly locale?: string | null | undefined
}

export interface TryAnswer {
  readonly requestId: string
}

export interface TryVerifyRequest {
  /** The code as the user typed it. */
  readonly otp: string
}

export interface Tried {
  readonly requestId: string
  readonly verified: boolean
  readonly authStatus: Word<"PENDING" | "VERIFIED" | "EXPIRED" | "FAILED">
  /** How many attempts are left. */
  readonly attemptsLeft: number
}

export interface Channel {
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly channel: string
  /** The channel's display name. */
  readonly label: string
  readonly provider: string | null
  /** Whether a provider for the channel is configured. */
  readonly enabled: boolean
  readonly role: Word<"PRIMARY" | "FALLBACK"> | null
  readonly breaker: {
    /** The circuit breaker of the process that answers: OPEN while the provider gets no messages, HALF_OPEN while one message tests it. */
    readonly state: Word<"CLOSED" | "OPEN" | "HALF_OPEN">
    /** ISO 8601. */
    readonly until: string | null
  }
  /** How many messages per second each process sends to the provider; null for no limit. */
  readonly perSecond: number | null
  /** The providers of the channel. The channel works while one of them does. */
  readonly carriers: ReadonlyArray<{
    readonly carrier: string
    readonly breaker: {
      /** The circuit breaker of the process that answers: OPEN while the provider gets no messages, HALF_OPEN while one message tests it. */
      readonly state: Word<"CLOSED" | "OPEN" | "HALF_OPEN">
      /** ISO 8601. */
      readonly until: string | null
    }
    /** How many messages per second each process sends to the provider; null for no limit. */
    readonly perSecond: number | null
    /** The number prefixes that this carrier is tried first for; empty for every number. */
    readonly prefixes: ReadonlyArray<string>
  }>
  /** Due messages of this environment that are not being sent yet. 1,000 means 1,000 or more. */
  readonly waiting: number
  /** ISO 8601. */
  readonly oldestWaitingAt: string | null
  /** ISO 8601. */
  readonly lastSentAt: string | null
  readonly lastFailure: {
    /** ISO 8601. */
    readonly at: string
    readonly providerCode: string
  } | null
  /** ISO 8601. */
  readonly lastReceiptAt: string | null
}

export interface Channels {
  readonly items: ReadonlyArray<Channel>
  readonly nextCursor: null
  /** The number verifiers of this environment: they send nothing. */
  readonly verifiers: ReadonlyArray<{
    /** What a login names as its channel. */
    readonly verifier: string
    /** What people call it. */
    readonly label: string
  }>
}

export interface SeriesItem {
  /** The start of the bucket. A day starts at local midnight; ISO 8601. */
  readonly at: string
  /** Null without `groupBy`, and for data without a group: an e-mail address has no country. */
  readonly group: string | null
  readonly asked: number
  readonly sent: number
  readonly delivered: number
  readonly verified: number
  readonly failed: number
  readonly expired: number
  readonly resent: number
  readonly fallbacks: number
  readonly oneTap: number
  readonly refused: number
}

export interface SeriesAnswer {
  readonly bucket: Word<"15m" | "1h" | "1d">
  readonly items: ReadonlyArray<SeriesItem>
}

export interface FunnelAnswer {
  readonly items: ReadonlyArray<{
    /** Null without `groupBy`, and for data without a group: an e-mail address has no country. */
    readonly group: string | null
    readonly asked: number
    readonly sent: number
    readonly delivered: number
    readonly verified: number
    /** Codes of another sign-in system. They are in no other count here. */
    readonly relayed: {
      readonly requested: number
      readonly sent: number
      readonly delivered: number
      readonly failed: number
    }
    /** Verifications that ended without success, by outcome. `NO_RECEIPT` includes `SENT_UNUSED`. */
    readonly losses: ReadonlyArray<{
      readonly code: string
      readonly count: number
    }>
  }>
}

export interface LatencyAnswer {
  readonly items: ReadonlyArray<{
    /** Null without `groupBy`, and for data without a group: an e-mail address has no country. */
    readonly group: string | null
    /** In milliseconds. Null if nothing was measured. */
    readonly toSend: {
      readonly p50: number
      readonly p95: number
      readonly p99: number
    } | null
    /** In milliseconds. Null if nothing was measured. */
    readonly toDeliver: {
      readonly p50: number
      readonly p95: number
      readonly p99: number
    } | null
    /** In milliseconds. Null if nothing was measured. */
    readonly toVerify: {
      readonly p50: number
      readonly p95: number
      readonly p99: number
    } | null
  }>
}

export interface SpendAnswer {
  readonly currency: string
  readonly items: ReadonlyArray<{
    /** Null without `groupBy`, and for data without a group: an e-mail address has no country. */
    readonly group: string | null
    readonly sends: number
    /** In the smallest unit of the currency. Null if no prices are set and no message had one. */
    readonly amount: number | null
    readonly costPerVerified: number | null
  }>
}

export interface StatRefusalsAnswer {
  readonly items: ReadonlyArray<{
    /** Null without `groupBy`, and for data without a group: an e-mail address has no country. */
    readonly group: string | null
    readonly reason: string
    readonly count: number
  }>
}

export type Attention = {
  readonly code: Word<"NO_CHANNEL">
} | {
  readonly code: Word<"CHANNEL_OFF">
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly channel: string
  readonly role: Word<"PRIMARY" | "FALLBACK">
} | {
  readonly code: Word<"CHANNEL_PAUSED">
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly channel: string
  /** ISO 8601. */
  readonly until: string | null
} | {
  readonly code: Word<"CARRIER_PAUSED">
  readonly carrier: string
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly channel: string
  /** ISO 8601. */
  readonly until: string | null
} | {
  readonly code: Word<"CHANNEL_LATE">
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly channel: string
  readonly count: number
  /** ISO 8601. */
  readonly since: string
} | {
  readonly code: Word<"NO_BALANCE" | "BALANCE_LOW">
  readonly balance: number
  readonly currency: string
} | {
  readonly code: Word<"CAP_REACHED">
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly channel: string
  readonly cap: number
  readonly currency: string
} | {
  readonly code: Word<"WEBHOOK_OFF">
  readonly webhookId: string
  readonly url: string
  readonly reason: Word<"GONE" | "FAILING">
} | {
  readonly code: Word<"WEBHOOK_FAILING">
  readonly webhookId: string
  readonly url: string
  /** ISO 8601. */
  readonly since: string
} | {
  readonly code: Word<"CUSTOMERS_WAITING">
  readonly count: number
  /** Whether more than `count` wait. */
  readonly more: boolean
  /** ISO 8601. */
  readonly since: string
} | {
  readonly code: Word<"KEY_RETIRING">
  readonly keyId: string
  readonly name: string | null
  /** ISO 8601. */
  readonly until: string
} | {
  readonly code: Word<"CONVERSION_LOW" | "DELIVERY_LOW">
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel of this server. */
  readonly channel: string
  readonly country: string | null
  readonly count: number
  /** From 0 to 1. */
  readonly share: number
  /** From 0 to 1. */
  readonly usual: number
  /** ISO 8601. */
  readonly from: string
  /** ISO 8601. */
  readonly to: string
} | {
  readonly code: Word<"STARTS_UNUSUAL">
  readonly country: string
  readonly count: number
  /** The highest count of the same hours in the last four weeks. */
  readonly usual: number
  /** From 0 to 1. */
  readonly share: number
  /** The beginning of most of the numbers. */
  readonly prefix: string | null
  /** ISO 8601. */
  readonly from: string
  /** ISO 8601. */
  readonly to: string
}

export interface AttentionAnswer {
  readonly items: ReadonlyArray<Attention>
}

/** Every endpoint that a server key may call. */
export interface ServerMethods {
  /** Send a code or a link. Starts a verification, or resends a live one with the same `requestId`. A 200 means that the message is queued. */
  readonly initiate: (input: Omit<InitiateRequest, "mode"> & { readonly mode?: InitiateRequest["mode"] | undefined }, options?: ServerPostOptions) => Promise<InitiateAnswer>
  /** Check a code. A wrong code is a 200 with `verified: false`. Branch on `verified`, not on the HTTP status. */
  readonly verify: (input: VerifyRequest, options?: ServerPostOptions) => Promise<VerifyAnswer>
  /** Sign a user in. Checks a code and returns the verified identity, once per verification. Returns `null` for a wrong code and for a verification that was already used. Sign in the returned `identity` only. */
  readonly login: (input: LoginRequest, options?: ServerPostOptions) => Promise<Login | null>
  /** Exchange an authorisation code. A code can be exchanged once, within 60 seconds of the approval. A repeat with the same `codeVerifier` gets the same answer. Sign in the returned `identity` only. */
  readonly token: (input: TokenRequest, options?: ServerPostOptions) => Promise<TokenAnswer>
  /** Read a verification. `requestId` wins if both are sent. */
  readonly status: (input?: { readonly requestId?: string | undefined; readonly orderId?: string | undefined }, options?: ServerCallOptions) => Promise<Verification>
  /** Confirm who was verified. Read-only: does not check a code. When `success` is false, do not sign the user in. */
  readonly confirm: (input?: ConfirmRequest, options?: ServerPostOptions) => Promise<Confirmation>
  /** Create a session token. Your backend creates it for one of your apps. It is valid for 10 minutes. */
  readonly createSession: (input?: SdkSessionRequest, options?: ServerPostOptions) => Promise<SdkSession>
  readonly deliveries: {
    /** Deliver a code of your own. For a sign-in system that makes and checks its codes itself. The code is stored encrypted until its message was delivered, and cannot be verified here. Send an `Idempotency-Key`, or each request sends a message. */
    readonly create: (input: DeliveryRequest, options?: ServerPostOptions) => Promise<NewDelivery>
    /** Read a delivery. The answer never contains the code. */
    readonly get: (id: string, options?: ServerCallOptions) => Promise<Delivery>
  }
  readonly attribution: {
    /** Sums by origin and day. `model` selects the last touch (the launch that led to the result) or the first touch (the visitor's first launch). Default range: the last 30 days. With `Accept: text/csv` the answer is a file with all rows that match the filters, at most 1,000,000; `cursor` and `limit` are ignored. A file that reached the limit ends with a line about it. The audit log records the export. */
    readonly report: {
      (input?: { readonly from?: string | undefined; readonly to?: string | undefined; readonly model?: "last" | "first" | undefined; readonly tz?: string | undefined; readonly cursor?: string | undefined }, options?: ServerCallOptions): Promise<{
      readonly items: ReadonlyArray<AttributionRow>
      readonly nextCursor: string | null
    }>
      (input: { readonly from?: string | undefined; readonly to?: string | undefined; readonly model?: "last" | "first" | undefined; readonly tz?: string | undefined; readonly cursor?: string | undefined }, options: ServerFileOptions): Promise<Response>
    }
  }
  readonly settings: {
    readonly get: (options?: ServerCallOptions) => Promise<SettingsGetAnswer>
    /** Send only the fields to change. The change takes effect within 5 seconds in every process. */
    readonly update: (input?: SettingsUpdateInput, options?: ServerCallOptions) => Promise<SettingsUpdateAnswer>
  }
  readonly events: {
    /** Newest first. Pass `nextCursor` as `cursor` for the next page. */
    readonly list: (input?: { readonly type?: "otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "delivery.updated" | "campaign.delivered" | "message.received" | "balance.low" | "guard.tripped" | "guard.blocked" | "webhook.disabled" | "webhook.test" | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Event>
      readonly nextCursor: string | null
    }>
  }
  readonly devices: {
    /** The devices that OneTap trusts for this identity, most recently used first. */
    readonly list: (input: { readonly identity: string }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Device>
      readonly nextCursor: string | null
    }>
    /** The device's next login needs a code. */
    readonly revoke: (id: string, options?: ServerCallOptions) => Promise<void>
  }
  readonly billing: {
    /** Read the balance. Includes today's costs by channel. */
    readonly balance: (options?: ServerCallOptions) => Promise<Balance>
    /** Top up the balance. Repeating a `reference` has no effect and returns the first ledger entry. Without a `reference`, the `Idempotency-Key` is used as the reference. Answers 403 when the operator bills. */
    readonly topUp: (input: TopUpRequest, options?: ServerPostOptions) => Promise<MovedMoney>
    /** List ledger entries. All entries, newest first. With `Accept: text/csv` the answer is a file with the whole range from `from` to `to`, without a limit of rows; `cursor` and `limit` are ignored. The audit log records the export. */
    readonly ledger: {
      (input?: { readonly cursor?: number | undefined; readonly limit?: number | undefined; readonly from?: string | undefined; readonly to?: string | undefined }, options?: ServerCallOptions): Promise<{
      readonly items: ReadonlyArray<LedgerEntry>
      readonly nextCursor: string | null
    }>
      (input: { readonly cursor?: number | undefined; readonly limit?: number | undefined; readonly from?: string | undefined; readonly to?: string | undefined }, options: ServerFileOptions): Promise<Response>
    }
    /** Read the statement of a month. The ledger of a month in sums by kind, channel and use. They add up from the opening to the closing balance. */
    readonly statement: (input: { readonly month: string }, options?: ServerCallOptions) => Promise<Statement>
  }
  readonly keys: {
    /** List keys. Oldest first, without secrets. There are at most 100. */
    readonly list: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Key>
      readonly nextCursor: string | null
    }>
    /** Create a key. Store the `clientSecret`: it is returned only here. */
    readonly create: (input: NewKeyRequest, options?: ServerPostOptions) => Promise<NewKey>
    /** Roll a server key. Creates a new secret. The client id stays. The previous secret works for `overlapHours`. */
    readonly roll: (id: string, input?: RollKeyRequest, options?: ServerPostOptions) => Promise<RolledKey>
    /** Revoke a key. Permanently revokes the key, all its secrets and the session tokens that it created. The last key with the scope `dashboard` cannot be revoked. */
    readonly revoke: (id: string, options?: ServerCallOptions) => Promise<void>
  }
  readonly templates: {
    /** List templates. Oldest first. There are at most 300. */
    readonly list: (input?: { readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Template>
      readonly nextCursor: string | null
    }>
    /** Create a template. The name must be unique for its channel, purpose and locale. A template that breaks a rule is `INVALID_TEMPLATE_CONFIG`; one that lacks a field is `INCOMPLETE_TEMPLATE_CONFIG`. Warnings are returned in `findings`. */
    readonly create: (input: NewTemplateRequest, options?: ServerPostOptions) => Promise<NewTemplate>
    /** Preview an unsaved template. Returns the exact message that would be sent. */
    readonly preview: (input: PreviewRequest, options?: ServerPostOptions) => Promise<TemplatePreview>
    /** Read a template. Refreshes the approval status from WhatsApp at most once a minute. */
    readonly get: (id: string, options?: ServerCallOptions) => Promise<Template>
    /** Change a template. Send only the fields to change; null removes a value. The change takes effect within 5 seconds in every process. Verifications that have started keep their text. */
    readonly update: (id: string, input?: ChangeTemplateRequest, options?: ServerCallOptions) => Promise<Template>
    readonly delete: (id: string, options?: ServerCallOptions) => Promise<void>
    /** Preview a template. Returns the exact message that is sent. */
    readonly previewOf: (id: string, input?: PreviewOfRequest, options?: ServerPostOptions) => Promise<TemplatePreview>
    /** Submit a template to WhatsApp. For a template that WhatsApp does not have yet. Approval takes from minutes to a day. */
    readonly submit: (id: string, options?: ServerPostOptions) => Promise<Template>
  }
  readonly senderIds: {
    /** List sender ids. Oldest first. */
    readonly list: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<SenderId>
      readonly nextCursor: string | null
    }>
    /** Register a sender id. Once one is registered, initiate accepts only registered ids as `header`. */
    readonly create: (input: NewSenderIdRequest, options?: ServerPostOptions) => Promise<NewSenderId>
    readonly delete: (header: string, options?: ServerCallOptions) => Promise<void>
  }
  readonly campaigns: {
    /** List campaigns. Newest first, at most 50 per page. */
    readonly list: (input?: { readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Campaign>
      readonly nextCursor: string | null
    }>
    /** Start a campaign. The whole list is checked before the first message is sent. With `dryRun=true` nothing is created, and the answer is a 200 with recipients, problems and cost. A dry run needs no recent sign-in and lists up to `problems` problems. */
    readonly create: {
      (input: NewCampaignRequest & { readonly dryRun: true }, options?: ServerPostOptions): Promise<CampaignDryRun>
      (input: NewCampaignRequest, options?: ServerPostOptions): Promise<NewCampaign>
    }
    /** Read a campaign. Includes the status of its messages so far. */
    readonly get: (id: string, options?: ServerCallOptions) => Promise<Campaign>
    /** List a campaign's recipients. In the order of the list. `status` filters them. With `Accept: text/csv` the answer is a file with all rows that match the filters, at most 1,000,000; `cursor` and `limit` are ignored. A file that reached the limit ends with a line about it. The audit log records the export. */
    readonly recipients: {
      (id: string, input?: { readonly status?: "PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED" | undefined; readonly cursor?: number | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions): Promise<{
      readonly items: ReadonlyArray<CampaignRecipient>
      readonly nextCursor: string | null
    }>
      (id: string, input: { readonly status?: "PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED" | undefined; readonly cursor?: number | undefined; readonly limit?: number | undefined }, options: ServerFileOptions): Promise<Response>
    }
    /** Pause a campaign. Messages that are being sent still go out. Repeating it has no effect. */
    readonly pause: (id: string, options?: ServerPostOptions) => Promise<Campaign>
    /** Resume a campaign. Repeating it has no effect. */
    readonly resume: (id: string, options?: ServerPostOptions) => Promise<Campaign>
    /** Cancel a campaign. Cannot be undone. Recipients not sent to yet become SKIPPED. Repeating it has no effect. */
    readonly cancel: (id: string, options?: ServerPostOptions) => Promise<Campaign>
  }
  readonly webhooks: {
    /** List endpoints. Oldest first. There are at most 50. */
    readonly list: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Webhook>
      readonly nextCursor: string | null
    }>
    /** Register an endpoint. Store the `secret`: it is returned only here. */
    readonly create: (input: NewWebhookRequest, options?: ServerPostOptions) => Promise<NewWebhook>
    readonly get: (id: string, options?: ServerCallOptions) => Promise<Webhook>
    /** Change an endpoint. Send only the fields to change. `status: ACTIVE` enables the endpoint again. Changing `url` needs a recent sign-in. */
    readonly update: (id: string, input?: ChangeWebhookRequest, options?: ServerCallOptions) => Promise<Webhook>
    readonly delete: (id: string, options?: ServerCallOptions) => Promise<void>
    /** Rotate the secret. For 24 hours, `webhook-signature` also contains a signature with the old secret. At most 4 secrets sign at the same time. `endOthers` revokes all older ones immediately. */
    readonly rotateSecret: (id: string, input?: RotateRequest, options?: ServerPostOptions) => Promise<RotatedWebhook>
    /** Send a test event. Sends the event immediately and returns the result. If it succeeds, events that wait for a retry are sent immediately. */
    readonly test: (id: string, options?: ServerPostOptions) => Promise<WebhookDeliveryDetail>
    /** List deliveries. Every attempt of the last 30 days, newest first. `status=DEAD` lists dead letters. */
    readonly deliveries: (id: string, input?: { readonly status?: "DELIVERED" | "FAILED" | "DEAD" | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<WebhookDelivery>
      readonly nextCursor: string | null
    }>
    /** Read a delivery. Includes the request and the answer. */
    readonly delivery: (id: string, deliveryId: string, options?: ServerCallOptions) => Promise<WebhookDeliveryDetail>
    /** Redeliver an event. Sends the event immediately with the same `webhook-id` and returns the result. If it succeeds, events that wait for a retry follow. */
    readonly redeliver: (id: string, deliveryId: string, options?: ServerPostOptions) => Promise<WebhookDeliveryDetail>
    /** List the events of an endpoint. The events of the last 30 days that were sent to it, newest first, each with its attempts. With a filter, a page may have fewer items than `limit` and still a `nextCursor`. */
    readonly events: (id: string, input?: { readonly state?: "DELIVERED" | "WAITING" | "FAILED" | undefined; readonly type?: "otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "delivery.updated" | "campaign.delivered" | "message.received" | "balance.low" | "guard.tripped" | "guard.blocked" | "webhook.disabled" | "webhook.test" | undefined; readonly find?: string | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<WebhookEvent>
      readonly nextCursor: string | null
    }>
    /** Retry an event. Sends an event that the endpoint has not received, in the background. An event that it has received, or that is being sent, is not sent again. The attempt counts like an automatic one. */
    readonly retry: (id: string, eventId: string, options?: ServerPostOptions) => Promise<WebhookRetry>
    /** Retry all waiting events. Sends all events that wait for a retry, in the background. Events that are being sent, or are due within a minute, keep their time. */
    readonly retryWaiting: (id: string, options?: ServerPostOptions) => Promise<WebhookRetry>
    /** Read the health of an endpoint. How the endpoint is doing, and how many events it has not received. `pending` events are retried. Send `givenUp` events with a redelivery, or a replay with `onlyMissing`. */
    readonly backlog: (id: string, options?: ServerCallOptions) => Promise<WebhookBacklog>
    /** Count the events of a replay. Sends nothing. Accepts the same parameters as the replay. */
    readonly replayable: (id: string, input: { readonly since: string; readonly until?: string | undefined; readonly onlyMissing?: boolean | undefined }, options?: ServerCallOptions) => Promise<ReplayCount>
    /** Replay a range of events. Sends every event of the range that the endpoint subscribes to, in the background. An endpoint can have one replay at a time. With `onlyMissing`, events that wait for a retry are sent within a minute. */
    readonly replay: (id: string, input: ReplayRequest, options?: ServerPostOptions) => Promise<Replay>
  }
  readonly hooks: {
    /** List hooks. Oldest first. There are at most 50. */
    readonly list: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Hook>
      readonly nextCursor: string | null
    }>
    /** Create a hook. Enter `url` and `secret` in the sign-in system. Store the `secret`: it is returned only here. */
    readonly create: (input: NewHookRequest, options?: ServerPostOptions) => Promise<NewHook>
    readonly delete: (id: string, options?: ServerCallOptions) => Promise<void>
    /** Rotate the secret. For 24 hours, requests signed with the old secret are accepted too. At most 4 secrets are valid at the same time. `endOthers` ends all older ones immediately. */
    readonly rotateSecret: (id: string, input?: RotateHookRequest, options?: ServerPostOptions) => Promise<RotatedHook>
    /** List requests. What came in at the hook and its outcome, newest first: the last 500 signed requests of 30 days, and the last 50 unsigned ones. It has no codes. */
    readonly requests: (id: string, input?: { readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<HookRequest>
      readonly nextCursor: string | null
    }>
  }
  readonly leads: {
    /** List leads. Most recently active first. Request pages until one contains fewer than `size` leads. A lead that becomes active in the meantime moves to the first page, and another lead appears twice. */
    readonly list: (input?: { readonly phone?: string | undefined; readonly assignedTo?: string | undefined; readonly unassignedOnly?: boolean | undefined; readonly page?: number | undefined; readonly size?: number | undefined }, options?: ServerCallOptions) => Promise<ReadonlyArray<Lead>>
    /** List agents. Without removed agents. Leads can be assigned to ACTIVE agents. */
    readonly agents: (options?: ServerCallOptions) => Promise<ReadonlyArray<Agent>>
    /** List teams. Oldest first. */
    readonly teams: (options?: ServerCallOptions) => Promise<ReadonlyArray<Team>>
    /** Assign a lead. Without `agentEmail` the lead becomes unassigned. */
    readonly assign: (leadId: number, input?: AssignRequest, options?: ServerPostOptions) => Promise<Lead>
    /** Assign a lead by phone number. Without `agentEmail` the lead becomes unassigned. */
    readonly assignByPhone: (input: AssignByPhoneRequest, options?: ServerPostOptions) => Promise<Lead>
    /** Move a lead to a team. Without `teamName` the lead leaves its team. Its owner does not change. */
    readonly moveToTeam: (leadId: number, input?: LeadTeamRequest, options?: ServerPostOptions) => Promise<Lead>
    /** Move a lead to a team by phone number. Without `teamName` the lead leaves its team. Its owner does not change. */
    readonly moveToTeamByPhone: (input: LeadTeamByPhoneRequest, options?: ServerPostOptions) => Promise<Lead>
  }
  readonly inbox: {
    /** List leads. Most recently active first; with `waitingOnly`, longest waiting first; with `snoozedOnly`, the next to wait again first. A lead must match all filters. Reading all pages with `nextCursor` returns every lead that matched all the time; leads that become active meanwhile may appear twice. */
    readonly list: (input?: { readonly status?: "OPEN" | "CLOSED" | undefined; readonly assignedTo?: string | undefined; readonly unassignedOnly?: boolean | undefined; readonly waitingOnly?: boolean | undefined; readonly snoozedOnly?: boolean | undefined; readonly team?: string | undefined; readonly label?: string | undefined; readonly search?: string | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<InboxLeads>
    /** Create a lead. For a customer who has not written yet. */
    readonly create: (input: NewLeadRequest, options?: ServerPostOptions) => Promise<NewLead>
    /** Count waiting leads. How many customers wait for an answer, and since when. */
    readonly waiting: (options?: ServerCallOptions) => Promise<WaitingLeads>
    /** Change several leads. Runs one action on each lead, as the endpoint for a single lead does. The leads change one by one, and the answer has the outcome of each, in the order of `ids`. You may repeat the request: it changes nothing twice. */
    readonly bulk: (input: BulkRequest, options?: ServerPostOptions) => Promise<BulkResult>
    /** List assignees. The ACTIVE agents, oldest first, with the number of their open leads. */
    readonly assignees: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Assignee>
      readonly nextCursor: string | null
    }>
    readonly get: (id: number, options?: ServerCallOptions) => Promise<InboxLead>
    /** Close a lead. The customer's next message opens it again. */
    readonly close: (id: number, options?: ServerPostOptions) => Promise<InboxLead>
    readonly reopen: (id: number, options?: ServerPostOptions) => Promise<InboxLead>
    /** Mark a lead as answered. Ends the wait without a message: none is needed, or you answered elsewhere. The customer's next message starts a new wait. */
    readonly answered: (id: number, options?: ServerPostOptions) => Promise<InboxLead>
    /** Mark a lead as unanswered. It waits again, since the customer's latest message. Nothing changes if the lead is closed or its customer never wrote. */
    readonly unanswered: (id: number, options?: ServerPostOptions) => Promise<InboxLead>
    /** Snooze a lead. It is neither listed nor counted as waiting until the given time, or until its customer writes. Then it waits. Nothing changes if the lead is closed. */
    readonly snooze: (id: number, input: SnoozeRequest, options?: ServerPostOptions) => Promise<InboxLead>
    /** End a snooze. The lead waits again if its customer's message is unanswered. A lead that came back stays. */
    readonly unsnooze: (id: number, options?: ServerPostOptions) => Promise<InboxLead>
    /** Label a lead. Puts labels on and takes labels off, by their ids. A lead has at most 10 labels. A repeat changes nothing. */
    readonly label: (id: number, input?: LeadLabelsRequest, options?: ServerPostOptions) => Promise<InboxLead>
    /** Mark a lead as read. Its `unreadCount` is 0 until the customer writes again: for the signed-in agent alone, or with a key for the team. */
    readonly read: (id: number, options?: ServerPostOptions) => Promise<InboxLead>
    /** Mark a lead as unread. Sets `unreadCount` to at least 1: for the signed-in agent alone, or with a key for the team. */
    readonly unread: (id: number, options?: ServerPostOptions) => Promise<InboxLead>
    /** Reply to a customer. The message is queued when this call returns. Its `status` shows the delivery. */
    readonly reply: (id: number, input?: ReplyRequest, options?: ServerPostOptions) => Promise<NewLeadMessage>
    /** Write a note. The note appears in the conversation. Customers never see it. */
    readonly note: (id: number, input: NoteRequest, options?: ServerPostOptions) => Promise<NewLeadMessage>
    /** List a lead's messages. Newest first, in both directions, including notes. */
    readonly messages: (id: number, input?: { readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<LeadMessage>
      readonly nextCursor: string | null
    }>
    /** Download a message's file. Files are not masked, so a signed-in agent needs at least the role AGENT. The file is streamed from WhatsApp and not stored. PNG, JPEG, WebP and GIF are shown inline; everything else is a download. */
    readonly media: (id: number, mid: string, options?: ServerCallOptions) => Promise<Response>
    /** List a lead's history. Every change of owner, team and status, newest first. */
    readonly history: (id: number, input?: { readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<LeadHistoryEntry>
      readonly nextCursor: string | null
    }>
  }
  readonly savedReplies: {
    /** List saved replies. Oldest first. */
    readonly list: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<SavedReply>
      readonly nextCursor: string | null
    }>
    readonly create: (input: NewSavedReplyRequest, options?: ServerPostOptions) => Promise<NewSavedReply>
    readonly update: (id: string, input?: ChangeSavedReplyRequest, options?: ServerCallOptions) => Promise<SavedReply>
    readonly delete: (id: string, options?: ServerCallOptions) => Promise<void>
  }
  readonly labels: {
    /** List labels. Oldest first. All environments of a merchant share them. */
    readonly list: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Label>
      readonly nextCursor: string | null
    }>
    /** Create a label. A merchant has at most 50. */
    readonly create: (input: NewLabelRequest, options?: ServerPostOptions) => Promise<NewLabel>
    /** Change a label. Leads have the label's id, so each of them shows the new name. */
    readonly update: (id: string, input?: ChangeLabelRequest, options?: ServerCallOptions) => Promise<Label>
    /** Delete a label. It goes from every lead. The histories of leads keep its name. */
    readonly delete: (id: string, options?: ServerCallOptions) => Promise<void>
  }
  readonly agents: {
    /** List agents. Oldest first, without removed agents. */
    readonly list: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<StaffAgent>
      readonly nextCursor: string | null
    }>
    readonly create: (input: NewAgentRequest, options?: ServerPostOptions) => Promise<NewStaffAgent>
    readonly get: (id: number, options?: ServerCallOptions) => Promise<StaffAgent>
    /** Create an invitation link. Give the link to an INVITED agent. It works once: it signs them in and makes them ACTIVE. A new link revokes the previous one. The service does not send the link. */
    readonly invite: (id: number, options?: ServerPostOptions) => Promise<Invitation>
    /** Change an agent. Send only the fields to change. When an agent is no longer ACTIVE, their leads become unassigned. */
    readonly update: (id: number, input?: ChangeAgentRequest, options?: ServerCallOptions) => Promise<StaffAgent>
    /** Remove an agent. The agent leaves all teams, and their leads become unassigned. */
    readonly delete: (id: number, options?: ServerCallOptions) => Promise<void>
  }
  readonly teams: {
    /** List teams. Oldest first. */
    readonly list: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<StaffTeam>
      readonly nextCursor: string | null
    }>
    readonly create: (input: NewTeamRequest, options?: ServerPostOptions) => Promise<NewStaffTeam>
    readonly get: (id: number, options?: ServerCallOptions) => Promise<StaffTeam>
    /** Change a team. Send only the fields to change. */
    readonly update: (id: number, input?: ChangeTeamRequest, options?: ServerCallOptions) => Promise<StaffTeam>
    /** Remove a team. Its leads have no team afterwards. Their owners do not change. */
    readonly delete: (id: number, options?: ServerCallOptions) => Promise<void>
  }
  readonly numbers: {
    /** Connect a number. Checks the number with WhatsApp first; `WHATSAPP_CONNECT_FAILED` contains WhatsApp's answer. To replace the token, connect the number again. */
    readonly connect: (input: ConnectRequest, options?: ServerPostOptions) => Promise<NewWhatsAppNumber>
    /** List connected numbers. Oldest connection first, without tokens. */
    readonly list: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<WhatsAppNumber>
      readonly nextCursor: string | null
    }>
    /** Disconnect a number. Deletes the token. Messages that customers send to the number afterwards are ignored. */
    readonly disconnect: (id: string, options?: ServerCallOptions) => Promise<void>
  }
  readonly optOuts: {
    /** List opt-outs. Numbers that receive no campaigns, ordered by number. */
    readonly list: (input?: { readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<OptOut>
      readonly nextCursor: string | null
    }>
    /** Add an opt-out. The number receives no more campaigns. Codes, links and replies are still sent. If the opt-out exists, it is returned unchanged. */
    readonly add: (input: NewOptOutRequest, options?: ServerPostOptions) => Promise<NewOptOut>
    /** Remove an opt-out. Only at the recipient's request. Write the number with `%2B` or without `+`. */
    readonly remove: (phone: string, options?: ServerCallOptions) => Promise<void>
  }
  readonly identities: {
    /** Lets an identity that `maxConsecutiveFailures` locked request codes again. The hourly limit does not change. */
    readonly unlock: (input: UnlockRequest, options?: ServerPostOptions) => Promise<Unlock>
    /** Find a person. Finds up to 10 people by a whole phone number or e-mail address in any spelling, the last four digits of a number (last 30 days), a request id, an order id, or the start of a word of a lead's name. Best matches first. Identities are masked. */
    readonly find: (input: { readonly search: string }, options?: ServerCallOptions) => Promise<FoundPeople>
    /** Read a person. Locks, trusted devices, conversation and opt-out of a person. Their verifications and refused requests are lists with the filter `person`. After an erasure or the retention period, everything is empty. */
    readonly person: (person: string, options?: ServerCallOptions) => Promise<Person>
    /** Unlock a person. Same as `POST /v1/dashboard/unlock`, without revealing the identity. The hourly limit does not change. */
    readonly unlockPerson: (person: string, options?: ServerPostOptions) => Promise<Unlock>
    /** Erase an identity. Runs in the background. Erases verifications, devices, leads with their conversations, and attribution, in every spelling of the identity. Events stay, with masked identities. Data created afterwards also stays. */
    readonly erase: (input: EraseRequest, options?: ServerPostOptions) => Promise<BegunErasure>
    /** Read an erasure's progress. The answer does not contain the identity. */
    readonly erasure: (id: string, options?: ServerCallOptions) => Promise<Erasure>
    /** Export an identity. One JSON object per line, with a `kind`: `person` first, then `verification`, `launch`, `refusal`, `device`, `limits`, `optOut`, `recipient`, `lead`, `message`, `history`, `event`. The last line has the kind `end`. Without it, the file is incomplete. */
    readonly export: (input: { readonly identity: string }, options?: ServerCallOptions) => Promise<Response>
  }
  readonly exampleDay: {
    /** Create an example day. Fills a test environment in the background: a few hundred verifications of the last 24 hours and of the same day a week before, refused requests, conversations and launches, all of invented people. Sends no messages, calls no webhooks and changes no settings. Only one example day can run at a time. */
    readonly start: (input?: ExampleDayRequest, options?: ServerPostOptions) => Promise<ExampleDay>
    /** Check whether an example day is running. */
    readonly get: (options?: ServerCallOptions) => Promise<ExampleDayState>
  }
  readonly audit: {
    /** List audit log entries. The last year, newest first. A key sees its own environment and entries without an environment. A signed-in agent sees both environments. With `Accept: text/csv` the answer is a file with all rows that match the filters, at most 1,000,000; `cursor` and `limit` are ignored. A file that reached the limit ends with a line about it. The audit log records the export. */
    readonly list: {
      (input?: { readonly action?: string | undefined; readonly actor?: string | undefined; readonly target?: string | undefined; readonly text?: string | undefined; readonly environment?: "live" | "test" | "none" | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions): Promise<{
      readonly items: ReadonlyArray<AuditEntry>
      readonly nextCursor: string | null
    }>
      (input: { readonly action?: string | undefined; readonly actor?: string | undefined; readonly target?: string | undefined; readonly text?: string | undefined; readonly environment?: "live" | "test" | "none" | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options: ServerFileOptions): Promise<Response>
    }
    /** List changes of settings. Newest first, with the changed fields. */
    readonly settings: (input?: { readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<SettingsChange>
      readonly nextCursor: string | null
    }>
  }
  readonly verifications: {
    /** Search verifications. Newest first. A verification must match all filters. A page examines at most 5,000 verifications, so it may contain fewer than `limit`, even none, and still have a `nextCursor`. Identities are masked. With `Accept: text/csv` the answer is a file with all rows that match the filters, at most 1,000,000; `cursor` and `limit` are ignored. A file that reached the limit ends with a line about it. The audit log records the export. */
    readonly search: {
      (input?: { readonly identity?: string | undefined; readonly person?: string | undefined; readonly orderId?: string | undefined; readonly status?: "PENDING" | "VERIFIED" | "EXPIRED" | "FAILED" | undefined; readonly channel?: string | undefined; readonly country?: string | undefined; readonly outcome?: string | undefined; readonly reason?: "RECIPIENT" | "OPTED_OUT" | "CHANNEL" | "CONTENT" | "TEMPLATE" | "SENDER" | "ACCOUNT" | "LIMIT" | "SETTINGS" | "OPERATOR" | "PROVIDER" | "TIME" | "SILENCE" | "UNKNOWN" | undefined; readonly tag?: string | undefined; readonly guard?: "PREFIX_UNVERIFIED" | "RANGE_UNVERIFIED" | "COUNTRY_UNVERIFIED" | "ADDRESS_UNVERIFIED" | "DEVICE_UNVERIFIED" | "COUNTRY_TOO_FAST" | "ADJACENT_NUMBERS" | "LINE_TYPE" | "SIM_SWAPPED" | "NUMBER_RECYCLED" | undefined; readonly relayed?: boolean | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined; readonly unmask?: boolean | undefined }, options?: ServerCallOptions): Promise<{
      readonly items: ReadonlyArray<Verification_1>
      readonly nextCursor: string | null
    }>
      (input: { readonly identity?: string | undefined; readonly person?: string | undefined; readonly orderId?: string | undefined; readonly status?: "PENDING" | "VERIFIED" | "EXPIRED" | "FAILED" | undefined; readonly channel?: string | undefined; readonly country?: string | undefined; readonly outcome?: string | undefined; readonly reason?: "RECIPIENT" | "OPTED_OUT" | "CHANNEL" | "CONTENT" | "TEMPLATE" | "SENDER" | "ACCOUNT" | "LIMIT" | "SETTINGS" | "OPERATOR" | "PROVIDER" | "TIME" | "SILENCE" | "UNKNOWN" | undefined; readonly tag?: string | undefined; readonly guard?: "PREFIX_UNVERIFIED" | "RANGE_UNVERIFIED" | "COUNTRY_UNVERIFIED" | "ADDRESS_UNVERIFIED" | "DEVICE_UNVERIFIED" | "COUNTRY_TOO_FAST" | "ADJACENT_NUMBERS" | "LINE_TYPE" | "SIM_SWAPPED" | "NUMBER_RECYCLED" | undefined; readonly relayed?: boolean | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined; readonly unmask?: boolean | undefined }, options: ServerFileOptions): Promise<Response>
    }
    /** Read a verification. The identity is masked. */
    readonly get: (requestId: string, options?: ServerCallOptions) => Promise<Verification_1>
    /** Read a verification's timeline. Every decision, send, attempt, receipt, fallback, event and webhook, in order, each with a reason. Events and webhooks appear as long as they are stored. */
    readonly timeline: (requestId: string, options?: ServerCallOptions) => Promise<Timeline>
    /** Read a verification's messages. The text of each message, with dots instead of the code or link. Brand and language come from the current settings. */
    readonly messages: (requestId: string, options?: ServerCallOptions) => Promise<SeenMessages>
    /** Unmask a verification's identity. The audit log records the caller before the identity is returned. */
    readonly unmask: (requestId: string, options?: ServerPostOptions) => Promise<Unmasked>
    /** Check whether an identity is locked. An identity is locked after `maxConsecutiveFailures` wrong codes in a row, separately for backends and apps. After three wrong numbers on the pages of links within 24 hours, it gets no more links. */
    readonly lock: (requestId: string, options?: ServerCallOptions) => Promise<Lock>
    /** Unlock a verification's identity. Same as `POST /v1/dashboard/unlock`, without revealing the identity. The hourly limit does not change. */
    readonly unlock: (requestId: string, options?: ServerPostOptions) => Promise<Unlock>
    /** List refused requests. Refused initiates of the last 7 days, newest first, with a delay of a second or two. The statistics count all of them. The list contains at most 100 per second from backends and one per second from apps, for each server process. With `Accept: text/csv` the answer is a file with all rows that match the filters, at most 1,000,000; `cursor` and `limit` are ignored. A file that reached the limit ends with a line about it. The audit log records the export. */
    readonly refusals: {
      (input?: { readonly person?: string | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly reason?: string | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions): Promise<{
      readonly items: ReadonlyArray<Refusal>
      readonly nextCursor: string | null
    }>
      (input: { readonly person?: string | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly reason?: string | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options: ServerFileOptions): Promise<Response>
    }
    /** Stream live changes. Server-sent events: `verification` and `lead`, with a masked list item as data, `changed`, with the ids of `leads` to read again, for signed-in agents `viewers`, with all agents who have a lead open, and `reset` when events were lost and the lists must be read again. A comment is sent every 15 seconds. `Last-Event-ID` resumes after that event. Read the stream with `fetch`: `EventSource` cannot send headers. */
    readonly live: (options?: ServerCallOptions) => Promise<Response>
  }
  readonly protection: {
    /** What the guard would save. Each reason: what enforcing it would have refused and saved, and what it refused. */
    readonly get: (input?: { readonly from?: string | undefined; readonly to?: string | undefined; readonly tz?: string | undefined }, options?: ServerCallOptions) => Promise<Protection>
    /** Enforce a reason. Codes are refused for this reason from now on, in every process within 5 seconds. */
    readonly enforce: (reason: "PREFIX_UNVERIFIED" | "RANGE_UNVERIFIED" | "COUNTRY_UNVERIFIED" | "ADDRESS_UNVERIFIED" | "DEVICE_UNVERIFIED" | "COUNTRY_TOO_FAST" | "ADJACENT_NUMBERS" | "LINE_TYPE" | "SIM_SWAPPED" | "NUMBER_RECYCLED", options?: ServerPostOptions) => Promise<void>
    /** Stop enforcing a reason. The guard only records this reason from now on. */
    readonly undo: (reason: "PREFIX_UNVERIFIED" | "RANGE_UNVERIFIED" | "COUNTRY_UNVERIFIED" | "ADDRESS_UNVERIFIED" | "DEVICE_UNVERIFIED" | "COUNTRY_TOO_FAST" | "ADJACENT_NUMBERS" | "LINE_TYPE" | "SIM_SWAPPED" | "NUMBER_RECYCLED", options?: ServerPostOptions) => Promise<void>
    /** Let a stopped place through. The guard forgets what it counted there, in every process within seconds. A place that is not stopped stays as it is. */
    readonly letThrough: (reason: "PREFIX_UNVERIFIED" | "RANGE_UNVERIFIED" | "COUNTRY_UNVERIFIED", place: string, input?: {
      /** Also adds the place to the setting `safeList`. A country cannot be added. */
      readonly safe?: boolean | undefined
    }, options?: ServerPostOptions) => Promise<void>
  }
  readonly trials: {
    /** Try it: send a code to yourself. Starts a verification as your backend would, with all limits, prices, templates and the fallback. At most 60 per hour. It never affects an end user's login. */
    readonly start: (input: TryRequest, options?: ServerPostOptions) => Promise<TryAnswer>
    /** Try it: enter the code. Only for verifications started with "Try it": an end user's login is `TRANSACTION_NOT_FOUND`. A wrong code is a 200 with `verified: false`. */
    readonly verify: (requestId: string, input: TryVerifyRequest, options?: ServerPostOptions) => Promise<Tried>
  }
  readonly channels: {
    /** List channels. SMS, WHATSAPP, RCS and EMAIL, then all other channels of this server. The last send, failure and receipt come from the newest 200 verifications, or from the channel's own newest if it is in none of them. */
    readonly list: (options?: ServerCallOptions) => Promise<Channels>
  }
  readonly statistics: {
    /** Counts over time. Everything about a verification counts in the quarter hour of its start. Without `groupBy` every bucket is returned; with it, only buckets with counts. Buckets of 15 minutes and 1 hour go back 35 days. Older data is counted by UTC day. */
    readonly series: (input?: { readonly from?: string | undefined; readonly to?: string | undefined; readonly tz?: string | undefined; readonly groupBy?: "channel" | "country" | "path" | "template" | "carrier" | undefined; readonly bucket?: "15m" | "1h" | "1d" | undefined }, options?: ServerCallOptions) => Promise<SeriesAnswer>
    /** Funnel from request to verification. `sent` and `delivered` count messages. A login may have several. */
    readonly funnel: (input?: { readonly from?: string | undefined; readonly to?: string | undefined; readonly tz?: string | undefined; readonly groupBy?: "channel" | "country" | "path" | "template" | "carrier" | undefined }, options?: ServerCallOptions) => Promise<FunnelAnswer>
    /** Time to send, to deliver and to verify. Measured from the start of the verification; `toSend` from the creation of the message. Each value is accurate to 2 %. */
    readonly latency: (input?: { readonly from?: string | undefined; readonly to?: string | undefined; readonly tz?: string | undefined; readonly groupBy?: "channel" | "country" | "path" | "template" | "carrier" | undefined }, options?: ServerCallOptions) => Promise<LatencyAnswer>
    /** Cost, and cost per verification. Messages that were sent and did not fail, at their price at the time of the request. */
    readonly spend: (input?: { readonly from?: string | undefined; readonly to?: string | undefined; readonly tz?: string | undefined; readonly groupBy?: "channel" | "country" | "path" | "template" | "carrier" | undefined }, options?: ServerCallOptions) => Promise<SpendAnswer>
    /** Refused requests by reason. Refused initiates, counted at the time of the refusal. */
    readonly refusals: (input?: { readonly from?: string | undefined; readonly to?: string | undefined; readonly tz?: string | undefined; readonly groupBy?: "channel" | "country" | "path" | "template" | "carrier" | undefined }, options?: ServerCallOptions) => Promise<StatRefusalsAnswer>
    /** What needs attention. Most urgent first; empty if nothing does. Paused channels and carriers, money, webhooks, waiting customers, keys about to retire, and conversion, delivery or starts that differ from the same hours of the last four weeks. */
    readonly attention: (options?: ServerCallOptions) => Promise<AttentionAnswer>
  }
}

/** What each method sends, and what its answer has to be. */
export const endpoints: Endpoints = {
  initiate: { at: "POST /v1/auth/initiate", answer: "requestId:s message:s oneTapApplied:b", input: "body", defaults: {"mode":"OTP"} },
  verify: { at: "POST /v1/auth/verify", answer: "requestId:s verified:b message:s", input: "body" },
  login: { at: "POST /v1/auth/login", answer: "requestId:s identity:s identityType:s verifiedAt:s | null", input: "body" },
  token: { at: "POST /v1/auth/token", answer: "requestId:s identity:s identityType:s idToken:s deviceTrusted:b", input: "body" },
  status: { at: "GET /v1/auth/status", answer: "requestId:s identity:s identityType:s mode:s authStatus:s", input: "query" },
  confirm: { at: "POST /v1/auth/verify-code", answer: "success:t phoneNumber:s identityType:s authTime:n requestId:s | success:f requestId:s", input: "body" },
  createSession: { at: "POST /v1/sdk/session", answer: "sessionToken:s scope:s expiresIn:n expiresAt:s", input: "body" },
  deliveries: {
    create: { at: "POST /v1/deliveries", answer: "id:s deliveryStatus:s expiresAt:s deliveries:a", input: "body" },
    get: { at: "GET /v1/deliveries/:id", answer: "id:s deliveryStatus:s expiresAt:s deliveries:a" }
  },
  attribution: {
    report: { at: "GET /v1/dashboard/attribution", answer: "items:a", input: "query" }
  },
  settings: {
    get: { at: "GET /v1/dashboard/settings", answer: "codeLength:n codeExpirySeconds:n maxAttempts:n hourlyLimit:n hourlyLimitPerAddress:n" },
    update: { at: "PATCH /v1/dashboard/settings", answer: "codeLength:n codeExpirySeconds:n maxAttempts:n hourlyLimit:n hourlyLimitPerAddress:n", input: "body" }
  },
  events: {
    list: { at: "GET /v1/dashboard/events", answer: "items:a", input: "query" }
  },
  devices: {
    list: { at: "GET /v1/dashboard/devices", answer: "items:a", input: "query" },
    revoke: { at: "DELETE /v1/dashboard/devices/:id", answer: "nothing" }
  },
  billing: {
    balance: { at: "GET /v1/dashboard/balance", answer: "balance:n currency:s creditLimit:n available:n low:b spentToday:a day:s billedBy:s" },
    topUp: { at: "POST /v1/dashboard/balance/top-ups", answer: "id:n amount:n balance:n kind:s createdAt:s", input: "body" },
    ledger: { at: "GET /v1/dashboard/ledger", answer: "items:a", input: "query" },
    statement: { at: "GET /v1/dashboard/statement", answer: "month:s from:s to:s currency:s opening:n closing:n lines:a", input: "query" }
  },
  keys: {
    list: { at: "GET /v1/dashboard/keys", answer: "items:a" },
    create: { at: "POST /v1/dashboard/keys", answer: "id:s type:s scopes:a createdAt:s", input: "body" },
    roll: { at: "POST /v1/dashboard/keys/:id/roll", answer: "id:s type:s scopes:a createdAt:s", input: "body" },
    revoke: { at: "DELETE /v1/dashboard/keys/:id", answer: "nothing" }
  },
  templates: {
    list: { at: "GET /v1/dashboard/templates", answer: "items:a", input: "query" },
    create: { at: "POST /v1/dashboard/templates", answer: "id:s version:n name:s channel:s purpose:s", input: "body" },
    preview: { at: "POST /v1/dashboard/templates/preview", answer: "", input: "body" },
    get: { at: "GET /v1/dashboard/templates/:id", answer: "id:s version:n name:s channel:s purpose:s" },
    update: { at: "PATCH /v1/dashboard/templates/:id", answer: "id:s version:n name:s channel:s purpose:s", input: "body" },
    delete: { at: "DELETE /v1/dashboard/templates/:id", answer: "nothing" },
    previewOf: { at: "POST /v1/dashboard/templates/:id/preview", answer: "", input: "body" },
    submit: { at: "POST /v1/dashboard/templates/:id/submit", answer: "id:s version:n name:s channel:s purpose:s" }
  },
  senderIds: {
    list: { at: "GET /v1/dashboard/sender-ids", answer: "items:a" },
    create: { at: "POST /v1/dashboard/sender-ids", answer: "header:s createdAt:s", input: "body" },
    delete: { at: "DELETE /v1/dashboard/sender-ids/:header", answer: "nothing" }
  },
  campaigns: {
    list: { at: "GET /v1/dashboard/campaigns", answer: "items:a", input: "query" },
    create: { at: "POST /v1/dashboard/campaigns", answer: "total:n duplicates:n invalid:a invalidTotal:n invalidLines:n skippable:b unused:a optedOut:n | id:s name:s channel:s template:s templateVersion:n status:s", input: "body", query: ["dryRun","problems"] },
    get: { at: "GET /v1/dashboard/campaigns/:id", answer: "id:s name:s channel:s template:s templateVersion:n status:s" },
    recipients: { at: "GET /v1/dashboard/campaigns/:id/recipients", answer: "items:a", input: "query" },
    pause: { at: "POST /v1/dashboard/campaigns/:id/pause", answer: "id:s name:s channel:s template:s templateVersion:n status:s" },
    resume: { at: "POST /v1/dashboard/campaigns/:id/resume", answer: "id:s name:s channel:s template:s templateVersion:n status:s" },
    cancel: { at: "POST /v1/dashboard/campaigns/:id/cancel", answer: "id:s name:s channel:s template:s templateVersion:n status:s" }
  },
  webhooks: {
    list: { at: "GET /v1/dashboard/webhooks", answer: "items:a" },
    create: { at: "POST /v1/dashboard/webhooks", answer: "id:s url:s status:s", input: "body" },
    get: { at: "GET /v1/dashboard/webhooks/:id", answer: "id:s url:s status:s" },
    update: { at: "PATCH /v1/dashboard/webhooks/:id", answer: "id:s url:s status:s", input: "body" },
    delete: { at: "DELETE /v1/dashboard/webhooks/:id", answer: "nothing" },
    rotateSecret: { at: "POST /v1/dashboard/webhooks/:id/rotate-secret", answer: "id:s url:s status:s", input: "body" },
    test: { at: "POST /v1/dashboard/webhooks/:id/test", answer: "id:s eventId:s eventType:s attempt:n status:s durationMs:n" },
    deliveries: { at: "GET /v1/dashboard/webhooks/:id/deliveries", answer: "items:a", input: "query" },
    delivery: { at: "GET /v1/dashboard/webhooks/:id/deliveries/:deliveryId", answer: "id:s eventId:s eventType:s attempt:n status:s durationMs:n" },
    redeliver: { at: "POST /v1/dashboard/webhooks/:id/deliveries/:deliveryId/redeliver", answer: "id:s eventId:s eventType:s attempt:n status:s durationMs:n" },
    events: { at: "GET /v1/dashboard/webhooks/:id/events", answer: "items:a", input: "query" },
    retry: { at: "POST /v1/dashboard/webhooks/:id/events/:eventId/retry", answer: "events:n" },
    retryWaiting: { at: "POST /v1/dashboard/webhooks/:id/retry", answer: "events:n" },
    backlog: { at: "GET /v1/dashboard/webhooks/:id/backlog", answer: "health:s pending:n givenUp:n more:b" },
    replayable: { at: "GET /v1/dashboard/webhooks/:id/replay", answer: "events:n more:b", input: "query" },
    replay: { at: "POST /v1/dashboard/webhooks/:id/replay", answer: "since:s until:s", input: "body" }
  },
  hooks: {
    list: { at: "GET /v1/dashboard/hooks", answer: "items:a" },
    create: { at: "POST /v1/dashboard/hooks", answer: "id:s kind:s name:s url:s createdAt:s secret:s", input: "body" },
    delete: { at: "DELETE /v1/dashboard/hooks/:id", answer: "nothing" },
    rotateSecret: { at: "POST /v1/dashboard/hooks/:id/rotate-secret", answer: "id:s kind:s name:s url:s createdAt:s secret:s", input: "body" },
    requests: { at: "GET /v1/dashboard/hooks/:id/requests", answer: "items:a", input: "query" }
  },
  leads: {
    list: { at: "GET /v1/whatsapp/leads", answer: "[]", input: "query" },
    agents: { at: "GET /v1/whatsapp/leads/agents", answer: "[]" },
    teams: { at: "GET /v1/whatsapp/leads/teams", answer: "[]" },
    assign: { at: "POST /v1/whatsapp/leads/:leadId/assign", answer: "id:n contact:s status:s origin:s", input: "body" },
    assignByPhone: { at: "POST /v1/whatsapp/leads/assign", answer: "id:n contact:s status:s origin:s", input: "body" },
    moveToTeam: { at: "POST /v1/whatsapp/leads/:leadId/team", answer: "id:n contact:s status:s origin:s", input: "body" },
    moveToTeamByPhone: { at: "POST /v1/whatsapp/leads/team", answer: "id:n contact:s status:s origin:s", input: "body" }
  },
  inbox: {
    list: { at: "GET /v1/dashboard/leads", answer: "items:a more:b", input: "query" },
    create: { at: "POST /v1/dashboard/leads", answer: "id:n contact:s status:s origin:s", input: "body" },
    waiting: { at: "GET /v1/dashboard/leads/waiting", answer: "count:n more:b" },
    bulk: { at: "POST /v1/dashboard/leads/bulk", answer: "items:a", input: "body" },
    assignees: { at: "GET /v1/dashboard/assignees", answer: "items:a" },
    get: { at: "GET /v1/dashboard/leads/:id", answer: "id:n contact:s status:s origin:s" },
    close: { at: "POST /v1/dashboard/leads/:id/close", answer: "id:n contact:s status:s origin:s" },
    reopen: { at: "POST /v1/dashboard/leads/:id/reopen", answer: "id:n contact:s status:s origin:s" },
    answered: { at: "POST /v1/dashboard/leads/:id/answered", answer: "id:n contact:s status:s origin:s" },
    unanswered: { at: "POST /v1/dashboard/leads/:id/unanswered", answer: "id:n contact:s status:s origin:s" },
    snooze: { at: "POST /v1/dashboard/leads/:id/snooze", answer: "id:n contact:s status:s origin:s", input: "body" },
    unsnooze: { at: "POST /v1/dashboard/leads/:id/unsnooze", answer: "id:n contact:s status:s origin:s" },
    label: { at: "POST /v1/dashboard/leads/:id/labels", answer: "id:n contact:s status:s origin:s", input: "body" },
    read: { at: "POST /v1/dashboard/leads/:id/read", answer: "id:n contact:s status:s origin:s" },
    unread: { at: "POST /v1/dashboard/leads/:id/unread", answer: "id:n contact:s status:s origin:s" },
    reply: { at: "POST /v1/dashboard/leads/:id/reply", answer: "id:s direction:s type:s", input: "body" },
    note: { at: "POST /v1/dashboard/leads/:id/notes", answer: "id:s direction:s type:s", input: "body" },
    messages: { at: "GET /v1/dashboard/leads/:id/messages", answer: "items:a", input: "query" },
    media: { at: "GET /v1/dashboard/leads/:id/messages/:mid/media", answer: "file" },
    history: { at: "GET /v1/dashboard/leads/:id/history", answer: "items:a", input: "query" }
  },
  savedReplies: {
    list: { at: "GET /v1/dashboard/saved-replies", answer: "items:a" },
    create: { at: "POST /v1/dashboard/saved-replies", answer: "id:s name:s text:s createdAt:s", input: "body" },
    update: { at: "PATCH /v1/dashboard/saved-replies/:id", answer: "id:s name:s text:s createdAt:s", input: "body" },
    delete: { at: "DELETE /v1/dashboard/saved-replies/:id", answer: "nothing" }
  },
  labels: {
    list: { at: "GET /v1/dashboard/labels", answer: "items:a" },
    create: { at: "POST /v1/dashboard/labels", answer: "id:s name:s colour:s createdAt:s", input: "body" },
    update: { at: "PATCH /v1/dashboard/labels/:id", answer: "id:s name:s colour:s createdAt:s", input: "body" },
    delete: { at: "DELETE /v1/dashboard/labels/:id", answer: "nothing" }
  },
  agents: {
    list: { at: "GET /v1/dashboard/agents", answer: "items:a" },
    create: { at: "POST /v1/dashboard/agents", answer: "id:n email:s role:s status:s createdAt:s", input: "body" },
    get: { at: "GET /v1/dashboard/agents/:id", answer: "id:n email:s role:s status:s createdAt:s" },
    invite: { at: "POST /v1/dashboard/agents/:id/invite", answer: "url:s expiresAt:s" },
    update: { at: "PATCH /v1/dashboard/agents/:id", answer: "id:n email:s role:s status:s createdAt:s", input: "body" },
    delete: { at: "DELETE /v1/dashboard/agents/:id", answer: "nothing" }
  },
  teams: {
    list: { at: "GET /v1/dashboard/teams", answer: "items:a" },
    create: { at: "POST /v1/dashboard/teams", answer: "id:n name:s assignment:s members:a takesNew:b createdAt:s", input: "body" },
    get: { at: "GET /v1/dashboard/teams/:id", answer: "id:n name:s assignment:s members:a takesNew:b createdAt:s" },
    update: { at: "PATCH /v1/dashboard/teams/:id", answer: "id:n name:s assignment:s members:a takesNew:b createdAt:s", input: "body" },
    delete: { at: "DELETE /v1/dashboard/teams/:id", answer: "nothing" }
  },
  numbers: {
    connect: { at: "POST /v1/dashboard/whatsapp/connect", answer: "id:s wabaId:s connectedAt:s", input: "body" },
    list: { at: "GET /v1/dashboard/whatsapp/numbers", answer: "items:a" },
    disconnect: { at: "DELETE /v1/dashboard/whatsapp/numbers/:id", answer: "nothing" }
  },
  optOuts: {
    list: { at: "GET /v1/dashboard/opt-outs", answer: "items:a", input: "query" },
    add: { at: "POST /v1/dashboard/opt-outs", answer: "phone:s by:s at:s", input: "body" },
    remove: { at: "DELETE /v1/dashboard/opt-outs/:phone", answer: "nothing" }
  },
  identities: {
    unlock: { at: "POST /v1/dashboard/unlock", answer: "unlocked:b", input: "body" },
    find: { at: "GET /v1/dashboard/people", answer: "items:a", input: "query" },
    person: { at: "GET /v1/dashboard/people/:person", answer: "person:s identity:s identityType:s locks:a devices:a" },
    unlockPerson: { at: "POST /v1/dashboard/people/:person/unlock", answer: "unlocked:b" },
    erase: { at: "POST /v1/dashboard/erase", answer: "erasureId:s", input: "body" },
    erasure: { at: "GET /v1/dashboard/erasures/:id", answer: "id:s status:s startedAt:s" },
    export: { at: "GET /v1/dashboard/export", answer: "file", input: "query" }
  },
  exampleDay: {
    start: { at: "POST /v1/dashboard/example-day", answer: "seed:n scenes:n", input: "body" },
    get: { at: "GET /v1/dashboard/example-day", answer: "isPlaying:b" }
  },
  audit: {
    list: { at: "GET /v1/dashboard/audit", answer: "items:a", input: "query" },
    settings: { at: "GET /v1/dashboard/settings/history", answer: "items:a", input: "query" }
  },
  verifications: {
    search: { at: "GET /v1/dashboard/verifications", answer: "items:a", input: "query" },
    get: { at: "GET /v1/dashboard/verifications/:requestId", answer: "requestId:s person:s identity:s identityType:s mode:s channel:s path:s" },
    timeline: { at: "GET /v1/dashboard/verifications/:requestId/timeline", answer: "items:a" },
    messages: { at: "GET /v1/dashboard/verifications/:requestId/messages", answer: "items:a" },
    unmask: { at: "POST /v1/dashboard/verifications/:requestId/unmask", answer: "identity:s" },
    lock: { at: "GET /v1/dashboard/verifications/:requestId/lock", answer: "wrongCodes:n" },
    unlock: { at: "POST /v1/dashboard/verifications/:requestId/unlock", answer: "unlocked:b" },
    refusals: { at: "GET /v1/dashboard/refusals", answer: "items:a", input: "query" },
    live: { at: "GET /v1/dashboard/live", answer: "file" }
  },
  protection: {
    get: { at: "GET /v1/dashboard/protection", answer: "currency:s trips:a reasons:a", input: "query" },
    enforce: { at: "POST /v1/dashboard/protection/reasons/:reason/enforce", answer: "nothing" },
    undo: { at: "POST /v1/dashboard/protection/reasons/:reason/undo", answer: "nothing" },
    letThrough: { at: "POST /v1/dashboard/protection/trips/:reason/:place/let-through", answer: "nothing", input: "body" }
  },
  trials: {
    start: { at: "POST /v1/dashboard/try", answer: "requestId:s", input: "body" },
    verify: { at: "POST /v1/dashboard/try/:requestId/verify", answer: "requestId:s verified:b authStatus:s attemptsLeft:n", input: "body" }
  },
  channels: {
    list: { at: "GET /v1/dashboard/channels", answer: "items:a verifiers:a" }
  },
  statistics: {
    series: { at: "GET /v1/dashboard/stats/series", answer: "bucket:s items:a", input: "query" },
    funnel: { at: "GET /v1/dashboard/stats/funnel", answer: "items:a", input: "query" },
    latency: { at: "GET /v1/dashboard/stats/latency", answer: "items:a", input: "query" },
    spend: { at: "GET /v1/dashboard/stats/spend", answer: "currency:s items:a", input: "query" },
    refusals: { at: "GET /v1/dashboard/stats/refusals", answer: "items:a", input: "query" },
    attention: { at: "GET /v1/dashboard/attention", answer: "items:a" }
  }
}
// /generated
