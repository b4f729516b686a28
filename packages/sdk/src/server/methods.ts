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
  /** SMS, WHATSAPP, RCS, EMAIL, another channel that this server has, or a number verifier such as TRUECALLER, which sends nothing. */
  readonly channel?: string | null | undefined
  readonly orderId?: string | null | undefined
  /** OAUTH and MAGIC_LINK: sends this live login again; one without `state` and `codeChallenge` needs it for that. */
  readonly requestId?: string | null | undefined
  readonly otpLength?: number | null | undefined
  /** SMS only: DLT template id of 19 digits. */
  readonly templateId?: string | null | undefined
  /** SMS only: DLT sender id of 6 letters. */
  readonly header?: string | null | undefined
  /** WhatsApp only: phone number id to send from. */
  readonly wabaId?: string | null | undefined
  readonly redirectUri?: string | null | undefined
  readonly state?: string | null | undefined
  /** OAUTH and MAGIC_LINK: PKCE challenge, S256; the exchange then needs its `codeVerifier`. */
  readonly codeChallenge?: string | null | undefined
  /** The launch that led here, as it was answered. */
  readonly launchId?: string | null | undefined
  readonly deviceToken?: string | null | undefined
  /** The address that the person asks from, for the setting `hourlyLimitPerAddress`. */
  readonly clientIp?: string | null | undefined
  readonly deviceInfo?: { readonly [name: string]: unknown } | null | undefined
}

export interface InitiateAnswer {
  readonly requestId: string
  readonly message: string
  readonly oneTapApplied: boolean
  readonly deviceToken: string | null
  /** With `linkNumberMatch`: show it where the person waits; the link's page asks for it. */
  readonly matchNumber?: string | undefined
  /** In a test environment alone, where no message is sent: the link itself. */
  readonly link?: string | undefined
}

export interface VerifyRequest {
  readonly requestId?: string | null | undefined
  readonly orderId?: string | null | undefined
  /** The code as the person typed it. */
  readonly otp: string
  readonly deviceToken?: string | null | undefined
  readonly deviceInfo?: { readonly [name: string]: unknown } | null | undefined
}

export interface VerifyAnswer {
  readonly requestId: string
  readonly verified: boolean
  readonly message: string
  readonly idToken: string | null
  /** It was verified before this request; absent otherwise. */
  readonly already?: true | undefined
}

export interface LoginRequest {
  /** As initiate answered it to this very login. */
  readonly requestId: string
  /** The code as the person typed it. Left out only where initiate answered `oneTapApplied`. */
  readonly otp?: string | null | undefined
  /** With OneTap on, its device is trusted from now on. */
  readonly deviceToken?: string | null | undefined
  readonly deviceInfo?: { readonly [name: string]: unknown } | null | undefined
}

export interface Login {
  readonly requestId: string
  /** Who it is, the same in every spelling: a number with `+` and its country code, or an address in lower case. */
  readonly identity: string
  readonly identityType: Word<"MOBILE" | "EMAIL">
  readonly countryCode: string | null
  readonly nationalPhoneNumber: string | null
  readonly orderId: string | null
  /** ISO 8601. */
  readonly verifiedAt: string
}

export interface TokenRequest {
  /** The authorisation code, as the redirect or status showed it. */
  readonly code: string
  /** The PKCE verifier, if initiate was given its challenge. */
  readonly codeVerifier?: string | null | undefined
  /** Of the browser that asked: with OneTap on it is trusted, if the link had number matching and a `codeChallenge`; ignored otherwise. */
  readonly deviceToken?: string | null | undefined
}

export interface TokenAnswer {
  readonly requestId: string
  readonly identity: string
  readonly identityType: Word<"MOBILE" | "EMAIL">
  readonly idToken: string
  /** Whether the device of `deviceToken` is trusted now. False without number matching or a `codeChallenge`: the token was ignored. */
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
  /** Of an approved OAUTH or MAGIC_LINK: the code to exchange, for 60 seconds. */
  readonly code: string | null
  /** With `linkNumberMatch`: show it where the person waits; the link's page asks for it. */
  readonly matchNumber?: string | undefined
  readonly deliveries: ReadonlyArray<{
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

export interface ConfirmRequest {
  readonly requestId?: string | null | undefined
  readonly idToken?: string | null | undefined
}

export type Confirmation = {
  readonly success: true
  /** The verified number, or address, as it was sent to initiate. Sign in this one, and no other. */
  readonly phoneNumber: string
  readonly countryCode: string | null
  readonly nationalPhoneNumber: string | null
  readonly identityType: Word<"MOBILE" | "EMAIL">
  /** When, in Unix seconds. Refuse what is older than a few minutes. */
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
  readonly maxConsecutiveFailures: number
  readonly resendCooldownSeconds: number
  readonly maxResends: number
  readonly maxLifetimeSeconds: number
  readonly defaultCountry: string | null
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel that this server has. */
  readonly primaryChannel: string
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel that this server has. */
  readonly fallbackChannel: string | null
  readonly fallbackAfterSeconds: number
  readonly oneTap: boolean
  readonly oneTapDays: number
  readonly oneTapMaxDays: number
  readonly strictReverify: boolean
  readonly requirePasskey: boolean
  readonly redirectUris: ReadonlyArray<string>
  readonly linkNumberMatch: boolean
  readonly allowedOrigins: ReadonlyArray<string>
  readonly serverAddresses: ReadonlyArray<string>
  readonly sdkInitiatesPerIpPerHour: number
  readonly sdkMessagesPerHour: number
  readonly attributionPerHour: number
  readonly allowedCountries: ReadonlyArray<string> | null
  readonly blockedPrefixes: ReadonlyArray<string>
  readonly brand: string
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
  /** What is allowed, and does not do what it looks like. A change may carry them: they are passed over. */
  readonly warnings: ReadonlyArray<{
    readonly field: string
    readonly problem: string
  }>
}

export interface SettingsUpdateInput {
  readonly codeLength?: number | undefined
  readonly codeExpirySeconds?: number | undefined
  readonly maxAttempts?: number | undefined
  readonly hourlyLimit?: number | undefined
  readonly canonicalHourlyLimit?: number | null | undefined
  readonly hourlyLimitPerAddress?: number | undefined
  readonly maxConsecutiveFailures?: number | undefined
  readonly resendCooldownSeconds?: number | undefined
  readonly maxResends?: number | undefined
  readonly maxLifetimeSeconds?: number | undefined
  readonly defaultCountry?: string | null | undefined
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel that this server has. */
  readonly primaryChannel?: string | undefined
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel that this server has. */
  readonly fallbackChannel?: string | null | undefined
  readonly fallbackAfterSeconds?: number | undefined
  readonly oneTap?: boolean | undefined
  readonly oneTapDays?: number | undefined
  readonly oneTapMaxDays?: number | undefined
  readonly strictReverify?: boolean | undefined
  readonly requirePasskey?: boolean | undefined
  readonly redirectUris?: ReadonlyArray<string> | undefined
  readonly linkNumberMatch?: boolean | undefined
  readonly allowedOrigins?: ReadonlyArray<string> | undefined
  readonly serverAddresses?: ReadonlyArray<string> | undefined
  readonly sdkInitiatesPerIpPerHour?: number | undefined
  readonly sdkMessagesPerHour?: number | undefined
  readonly attributionPerHour?: number | undefined
  readonly allowedCountries?: ReadonlyArray<string> | null | undefined
  readonly blockedPrefixes?: ReadonlyArray<string> | undefined
  readonly brand?: string | undefined
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
  readonly maxConsecutiveFailures: number
  readonly resendCooldownSeconds: number
  readonly maxResends: number
  readonly maxLifetimeSeconds: number
  readonly defaultCountry: string | null
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel that this server has. */
  readonly primaryChannel: string
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel that this server has. */
  readonly fallbackChannel: string | null
  readonly fallbackAfterSeconds: number
  readonly oneTap: boolean
  readonly oneTapDays: number
  readonly oneTapMaxDays: number
  readonly strictReverify: boolean
  readonly requirePasskey: boolean
  readonly redirectUris: ReadonlyArray<string>
  readonly linkNumberMatch: boolean
  readonly allowedOrigins: ReadonlyArray<string>
  readonly serverAddresses: ReadonlyArray<string>
  readonly sdkInitiatesPerIpPerHour: number
  readonly sdkMessagesPerHour: number
  readonly attributionPerHour: number
  readonly allowedCountries: ReadonlyArray<string> | null
  readonly blockedPrefixes: ReadonlyArray<string>
  readonly brand: string
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
  /** What is allowed, and does not do what it looks like. A change may carry them: they are passed over. */
  readonly warnings: ReadonlyArray<{
    readonly field: string
    readonly problem: string
  }>
}

export interface Event {
  readonly id: string
  readonly type: Word<"otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "campaign.delivered" | "message.received" | "balance.low" | "webhook.disabled" | "webhook.test">
  /** ISO 8601. */
  readonly createdAt: string
  readonly environment: Word<"live" | "test">
  readonly data: { readonly [name: string]: unknown }
}

export interface Device {
  readonly id: string
  /** What the app said it is. */
  readonly label: string | null
  /** ISO 8601. */
  readonly trustedAt: string
  /** ISO 8601. */
  readonly lastUsedAt: string
  /** When its trust ends if it is not used before; ISO 8601. */
  readonly expiresAt: string
}

export interface Balance {
  /** In the smallest unit of the currency. */
  readonly balance: number
  readonly currency: string
  /** How far below zero sends may take the balance. */
  readonly creditLimit: number
  /** What sends may still take. */
  readonly available: number
  /** Whether the balance is below the setting `balanceLowAt`. */
  readonly low: boolean
  /** Channels that have cost anything today, or have a cap. */
  readonly spentToday: ReadonlyArray<{
    readonly channel: string
    /** In the smallest unit of the currency. */
    readonly amount: number
    /** The setting `dailyCap`; null for any amount. */
    readonly cap: number | null
  }>
  /** Today in the zone of the setting `timeZone`. */
  readonly day: string
  /** Who pays in and sets prices: the merchant's owners, or whoever runs the service. */
  readonly billedBy: Word<"merchant" | "operator">
}

export interface TopUpRequest {
  /** 1 to 1000000000000, in the smallest unit of the currency. */
  readonly amount: number
  /** A payment's id: it is paid in once, however often it is sent. */
  readonly reference?: string | null | undefined
}

export interface MovedMoney {
  /** 1 for an environment's first, and one more for each that follows. */
  readonly id: number
  /** Below zero for what was taken. */
  readonly amount: number
  /** What there was after it. */
  readonly balance: number
  readonly kind: Word<"SEND" | "REFUND" | "TOP_UP" | "CORRECTION">
  readonly channel: string | null
  /** The verification that was sent, or not sent after all. */
  readonly requestId: string | null
  /** What it was for: a verification, a message, a campaign, a payment, the reason of a correction. */
  readonly reference: string | null
  /** ISO 8601. */
  readonly createdAt: string
}

export type LedgerEntry = MovedMoney

export interface Key {
  /** The client id or the public key. */
  readonly id: string
  readonly type: Word<"SERVER" | "PUBLIC">
  /** What a server key may call; a public key has none. */
  readonly scopes: ReadonlyArray<Word<"auth" | "leads" | "dashboard">>
  readonly name: string | null
  /** ISO 8601. */
  readonly createdAt: string
  /** The hour of its last use; ISO 8601. */
  readonly lastUsedAt: string | null
  /** When the secrets before the newest stop working; ISO 8601. */
  readonly retiringAt: string | null
  /** Of a server key. */
  readonly clientId: string | null
  /** Of a public key. */
  readonly publicKey: string | null
}

export interface NewKeyRequest {
  readonly type: "SERVER" | "PUBLIC"
  /** All of them, if they are left out. */
  readonly scopes?: ReadonlyArray<"auth" | "leads" | "dashboard"> | null | undefined
  /** At most 60 characters, for people. */
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
  /** The hour of its last use; ISO 8601. */
  readonly lastUsedAt: string | null
  /** When the secrets before the newest stop working; ISO 8601. */
  readonly retiringAt: string | null
  /** Of a server key. */
  readonly clientId: string | null
  /** Of a public key. */
  readonly publicKey: string | null
  /** Shown here and never again; a public key has none. */
  readonly clientSecret: string | null
}

export interface RollKeyRequest {
  /** How long the secret before works on; 24, if it is left out. 0 ends all older secrets at once. */
  readonly overlapHours?: number | null | undefined
}

export type RolledKey = NewKey

export interface TemplateFinding {
  readonly severity: Word<"error" | "warning">
  readonly field: string
  readonly problem: string
}

export interface Template {
  readonly id: string
  /** Of its words: one more with each change. What has begun goes on with the words it began with. */
  readonly version: number
  readonly name: string
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel that this server has. */
  readonly channel: string
  readonly purpose: Word<"CODE" | "LINK" | "MESSAGE">
  /** Null for every language. */
  readonly locale: string | null
  /** WhatsApp only: how it stands there. Null where nobody has to approve it. */
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
  /** What its author should know; an error keeps it from being saved. */
  readonly findings: ReadonlyArray<TemplateFinding>
}

export interface NewTemplateRequest {
  /** `default` is used where a request names none. */
  readonly name: string
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel that this server has. */
  readonly channel: string
  readonly purpose?: "CODE" | "LINK" | "MESSAGE" | null | undefined
  /** Left out, it is used for every language. */
  readonly locale?: string | null | undefined
  /** SMS: the 19 digits that DLT gave its text. */
  readonly dltTemplateId?: string | null | undefined
  /** SMS: the text as it is registered for DLT. What is sent is compared with it. */
  readonly dltText?: string | null | undefined
  /** SMS: the sender id that it goes out from. */
  readonly header?: string | null | undefined
  /** With `{{code}}` or `{{link}}`, and `{{brand}}`, `{{minutes}}`, `{{domain}}`, `{{appHash}}`. */
  readonly body?: string | null | undefined
  /** EMAIL. */
  readonly subject?: string | null | undefined
  /** EMAIL: the same in HTML. Values are escaped. */
  readonly html?: string | null | undefined
  /** WHATSAPP: the name of the approved template. */
  readonly whatsappName?: string | null | undefined
  /** WHATSAPP: its language, `en` unless `locale` is given. */
  readonly whatsappLanguage?: string | null | undefined
}

export type NewTemplate = Template

export interface PreviewRequest {
  readonly name?: string | null | undefined
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel that this server has. */
  readonly channel: string
  readonly purpose?: "CODE" | "LINK" | "MESSAGE" | null | undefined
  /** Left out, it is used for every language. */
  readonly locale?: string | null | undefined
  /** SMS: the 19 digits that DLT gave its text. */
  readonly dltTemplateId?: string | null | undefined
  /** SMS: the text as it is registered for DLT. What is sent is compared with it. */
  readonly dltText?: string | null | undefined
  /** SMS: the sender id that it goes out from. */
  readonly header?: string | null | undefined
  /** With `{{code}}` or `{{link}}`, and `{{brand}}`, `{{minutes}}`, `{{domain}}`, `{{appHash}}`. */
  readonly body?: string | null | undefined
  /** EMAIL. */
  readonly subject?: string | null | undefined
  /** EMAIL: the same in HTML. Values are escaped. */
  readonly html?: string | null | undefined
  /** WHATSAPP: the name of the approved template. */
  readonly whatsappName?: string | null | undefined
  /** WHATSAPP: its language, `en` unless `locale` is given. */
  readonly whatsappLanguage?: string | null | undefined
  /** By placeholder. A sample that verifies nobody stands for what is left out. */
  readonly values?: { readonly [name: string]: string } | null | undefined
  /** Whom it would go to. */
  readonly identity?: string | null | undefined
}

export interface TemplatePreview {
  readonly to: string | null
  /** Null where only WhatsApp has the words. */
  readonly text: string | null
  readonly subject: string | null
  readonly html: string | null
  /** SMS. */
  readonly encoding: Word<"GSM-7" | "UCS-2"> | null
  /** SMS: septets, or UTF-16 code units. */
  readonly units: number | null
  /** SMS: how many are paid for. */
  readonly segments: number | null
  readonly header: string | null
  readonly dltTemplateId: string | null
  /** WHATSAPP: `template` of the request as it would go out: name, language and components. */
  readonly whatsapp: { readonly [name: string]: unknown } | null
  /** What its author should know; an error keeps it from being saved. */
  readonly findings: ReadonlyArray<TemplateFinding>
}

export interface ChangeTemplateRequest {
  readonly name?: string | null | undefined
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel that this server has. */
  readonly channel?: string | null | undefined
  readonly purpose?: "CODE" | "LINK" | "MESSAGE" | null | undefined
  /** Left out, it is used for every language. */
  readonly locale?: string | null | undefined
  /** SMS: the 19 digits that DLT gave its text. */
  readonly dltTemplateId?: string | null | undefined
  /** SMS: the text as it is registered for DLT. What is sent is compared with it. */
  readonly dltText?: string | null | undefined
  /** SMS: the sender id that it goes out from. */
  readonly header?: string | null | undefined
  /** With `{{code}}` or `{{link}}`, and `{{brand}}`, `{{minutes}}`, `{{domain}}`, `{{appHash}}`. */
  readonly body?: string | null | undefined
  /** EMAIL. */
  readonly subject?: string | null | undefined
  /** EMAIL: the same in HTML. Values are escaped. */
  readonly html?: string | null | undefined
  /** WHATSAPP: the name of the approved template. */
  readonly whatsappName?: string | null | undefined
  /** WHATSAPP: its language, `en` unless `locale` is given. */
  readonly whatsappLanguage?: string | null | undefined
}

export interface PreviewOfRequest {
  /** By placeholder. A sample that verifies nobody stands for what is left out. */
  readonly values?: { readonly [name: string]: string } | null | undefined
  /** Whom it would go to. */
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
  /** Of its words, which stay as they were when the campaign was made. */
  readonly templateVersion: number
  readonly status: Word<"SCHEDULED" | "RUNNING" | "PAUSED" | "DONE" | "CANCELLED">
  /** Why a PAUSED one waits. */
  readonly pausedFor: Word<"PERSON" | "MONEY" | "CHANNEL"> | null
  /** What has to be done before it can go on. */
  readonly problem: string | null
  /** Everybody it is for, without those who appear twice. */
  readonly total: number
  /** Not written to yet. */
  readonly pending: number
  /** Handed over to the provider, whatever became of it later. */
  readonly sent: number
  /** Of these, those that arrived. */
  readonly delivered: number
  /** Of these, those that were read. */
  readonly read: number
  /** Not to be delivered. */
  readonly failed: number
  /** Not written to: they want no campaigns, or it was cancelled before. */
  readonly skipped: number
  /** ISO 8601. */
  readonly startAt: string
  /** ISO 8601. */
  readonly createdAt: string
  /** ISO 8601. */
  readonly finishedAt: string | null
}

export interface NewCampaignRequest {
  /** For people, at most 100 characters. */
  readonly name: string
  readonly channel: "WHATSAPP" | "SMS"
  /** The id or the name of a template of purpose MESSAGE. */
  readonly template: string
  /** A header line with a column `phone` and one for each place of the template, and a line for each recipient; at most 5 MB. */
  readonly csv: string
  /** Within a year; at once, if it is left out; ISO 8601. */
  readonly startAt?: string | null | undefined
}

export interface CsvProblem {
  /** 1 for the first of the file. */
  readonly line: number
  readonly column: string | null
  readonly problem: string
}

export interface CampaignDryRun {
  /** Everybody it would be for, without those who appear twice and lines that have to be mended. */
  readonly total: number
  /** Lines that name somebody whom an earlier line names: the earlier one counts. */
  readonly duplicates: number
  /** What has to be mended, the first hundred. */
  readonly invalid: ReadonlyArray<CsvProblem>
  readonly invalidTotal: number
  /** Columns that the template has no place for. */
  readonly unused: ReadonlyArray<string>
  /** Of `total`, those who want no campaigns and would be skipped. */
  readonly optedOut: number
  /** SMS: how many all messages take, and the longest of them. */
  readonly segments: {
    readonly total: number
    readonly most: number
  } | null
  /** Of all messages but those to `optedOut`; null where the channel has no price. */
  readonly cost: number | null
  /** ISO 4217: `cost` is in its smallest unit. */
  readonly currency: string
}

export type NewCampaign = Campaign

export interface CampaignRecipient {
  /** Its place in the list: 1 for the first. */
  readonly number: number
  /** Masked for a VIEWER. */
  readonly phone: string
  /** What fills the template's places, in its order. */
  readonly values: ReadonlyArray<string>
  readonly status: Word<"PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED">
  /** Why it is FAILED or SKIPPED. */
  readonly problem: string | null
  /** Which of the channel's carriers it went to. */
  readonly carrier: string | null
  readonly providerId: string | null
  /** ISO 8601. */
  readonly handedAt: string | null
}

export interface Webhook {
  readonly id: string
  readonly url: string
  /** Null for all types. */
  readonly events: ReadonlyArray<Word<"otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "campaign.delivered" | "message.received" | "balance.low" | "webhook.disabled" | "webhook.test">> | null
  readonly description: string | null
  readonly status: Word<"ACTIVE" | "DISABLED">
  readonly disabledReason: Word<"GONE" | "FAILING" | "MERCHANT"> | null
  /** Since when nothing got through; ISO 8601. */
  readonly failingSince: string | null
  /** When the secrets before the newest stop signing; ISO 8601. */
  readonly retiringAt: string | null
  /** ISO 8601. */
  readonly createdAt: string
}

export interface NewWebhookRequest {
  readonly url: string
  /** Types of events; null for all. */
  readonly events?: ReadonlyArray<"otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "campaign.delivered" | "message.received" | "balance.low" | "webhook.disabled" | "webhook.test"> | null | undefined
  readonly description?: string | null | undefined
}

export interface NewWebhook {
  readonly id: string
  readonly url: string
  /** Null for all types. */
  readonly events: ReadonlyArray<Word<"otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "campaign.delivered" | "message.received" | "balance.low" | "webhook.disabled" | "webhook.test">> | null
  readonly description: string | null
  readonly status: Word<"ACTIVE" | "DISABLED">
  readonly disabledReason: Word<"GONE" | "FAILING" | "MERCHANT"> | null
  /** Since when nothing got through; ISO 8601. */
  readonly failingSince: string | null
  /** When the secrets before the newest stop signing; ISO 8601. */
  readonly retiringAt: string | null
  /** ISO 8601. */
  readonly createdAt: string
  /** Shown now and never again. */
  readonly secret: string
}

export interface ChangeWebhookRequest {
  readonly url?: string | null | undefined
  /** Types of events; null for all. */
  readonly events?: ReadonlyArray<"otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "campaign.delivered" | "message.received" | "balance.low" | "webhook.disabled" | "webhook.test"> | null | undefined
  readonly description?: string | null | undefined
  readonly status?: "ACTIVE" | "DISABLED" | null | undefined
}

export interface RotateRequest {
  /** Ends every older secret at once: for one that leaked. False, if it is left out. */
  readonly endOthers?: boolean | null | undefined
}

export type RotatedWebhook = NewWebhook

export interface WebhookDeliveryDetail {
  readonly id: string
  readonly eventId: string
  readonly eventType: Word<"otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "campaign.delivered" | "message.received" | "balance.low" | "webhook.disabled" | "webhook.test">
  readonly attempt: number
  /** What FAILED is tried again at nextAttemptAt; what is DEAD is not, unless you redeliver it. */
  readonly status: Word<"DELIVERED" | "FAILED" | "DEAD">
  readonly responseStatus: number | null
  /** Why there was no answer. */
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
  /** At most 1 KB of it. */
  readonly responseBody: string | null
}

export interface WebhookDelivery {
  readonly id: string
  readonly eventId: string
  readonly eventType: Word<"otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "campaign.delivered" | "message.received" | "balance.low" | "webhook.disabled" | "webhook.test">
  readonly attempt: number
  /** What FAILED is tried again at nextAttemptAt; what is DEAD is not, unless you redeliver it. */
  readonly status: Word<"DELIVERED" | "FAILED" | "DEAD">
  readonly responseStatus: number | null
  /** Why there was no answer. */
  readonly error: string | null
  readonly durationMs: number
  /** ISO 8601. */
  readonly createdAt: string
  /** ISO 8601. */
  readonly nextAttemptAt: string | null
}

export interface WebhookBacklog {
  /** How many events wait for a retry. */
  readonly pending: number
  /** How many events are not tried again, unless you redeliver or replay them. */
  readonly givenUp: number
  /** Whether there may be more: only the latest failed tries are counted. */
  readonly more: boolean
}

export interface ReplayCount {
  /** How many would be sent, at most: of the newest 1000 of the range. */
  readonly events: number
  /** Whether the range has more than those. */
  readonly more: boolean
}

export interface ReplayRequest {
  /** ISO 8601. */
  readonly since: string
  /** Now, if it is left out; ISO 8601. */
  readonly until?: string | null | undefined
  /** Leaves out what was delivered to this endpoint before. What waits for a retry is tried at once. */
  readonly onlyMissing?: boolean | null | undefined
}

export interface Replay {
  /** ISO 8601. */
  readonly since: string
  /** ISO 8601. */
  readonly until: string
}

export interface Lead {
  readonly id: number
  /** The customer's WhatsApp number as digits with country code, or WhatsApp's own id of one who hides it. */
  readonly contact: string
  /** What the customer calls themselves on WhatsApp. */
  readonly name: string | null
  readonly status: Word<"OPEN" | "CLOSED">
  /** The e-mail address of the agent who owns it. */
  readonly assignedTo: string | null
  readonly teamName: string | null
  /** INBOUND: the customer wrote first. CAMPAIGN: they answered one. LEAD: an agent entered them. */
  readonly origin: Word<"INBOUND" | "CAMPAIGN" | "LEAD">
  /** The time in India, with milliseconds and without an offset. */
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
  /** An active agent's e-mail address; left out or empty, the lead is nobody's. */
  readonly agentEmail?: string | null | undefined
}

export interface AssignByPhoneRequest {
  /** A customer's number with country code, however it is written; ten digits are tried as Indian. */
  readonly phone: string
  /** An active agent's e-mail address; left out or empty, the lead is nobody's. */
  readonly agentEmail?: string | null | undefined
}

export interface LeadTeamRequest {
  /** A team's name, in any case; left out, the lead leaves its team. */
  readonly teamName?: string | null | undefined
}

export interface LeadTeamByPhoneRequest {
  /** A customer's number with country code, however it is written; ten digits are tried as Indian. */
  readonly phone: string
  /** A team's name, in any case; left out, the lead leaves its team. */
  readonly teamName?: string | null | undefined
}

/** The advertisement that brought the customer. */
export interface Referral {
  readonly sourceType: string | null
  readonly sourceId: string | null
  readonly sourceUrl: string | null
  readonly headline: string | null
  readonly clickId: string | null
}

export interface InboxLead {
  readonly id: number
  /** The customer's WhatsApp number as digits with country code, or WhatsApp's own id of one who hides it. */
  readonly contact: string
  /** What the customer calls themselves on WhatsApp. */
  readonly name: string | null
  readonly status: Word<"OPEN" | "CLOSED">
  /** The e-mail address of the agent who owns it. */
  readonly assignedTo: string | null
  readonly teamName: string | null
  /** INBOUND: the customer wrote first. CAMPAIGN: they answered one. LEAD: an agent entered them. */
  readonly origin: Word<"INBOUND" | "CAMPAIGN" | "LEAD">
  /** The time in India, with milliseconds and without an offset. */
  readonly lastMessageAt: string | null
  readonly unreadCount: number
  /** The campaign that they answered. */
  readonly campaignId: string | null
  readonly referral: Referral | null
  /** The customer's latest message: words may be sent to them for 24 hours after it; ISO 8601. */
  readonly lastInboundAt: string | null
  /** The customer's first message since your latest reply. Null when you wrote last, or the lead is closed; ISO 8601. */
  readonly waitingSince: string | null
  /** ISO 8601. */
  readonly createdAt: string
}

export interface InboxLeads {
  readonly items: ReadonlyArray<InboxLead>
  readonly nextCursor: string | null
  /** There are more than these: read on with `nextCursor`, or search for something longer. */
  readonly more: boolean
}

export interface NewLeadRequest {
  readonly phone: string
  readonly name?: string | null | undefined
}

export type NewLead = InboxLead

export interface ReplyRequest {
  /** Within 24 hours of the customer's latest message. Either this or `template`. */
  readonly text?: string | null | undefined
  /** The name of an approved template, or `name/language`. */
  readonly template?: string | null | undefined
  /** What fills its places, in its order. */
  readonly values?: ReadonlyArray<string> | null | undefined
}

export interface NewLeadMessage {
  readonly id: string
  /** From the customer, to the customer, or a note that no customer sees. */
  readonly direction: Word<"IN" | "OUT" | "NOTE">
  readonly type: Word<"text" | "image" | "video" | "audio" | "document" | "sticker" | "location" | "contacts" | "button" | "list" | "order" | "template" | "unknown">
  /** The words, a caption, what was pressed; null when there are none. */
  readonly text: string | null
  readonly media: {
    readonly id: string
    readonly type: string | null
    readonly caption: string | null
    readonly fileName: string | null
    /** In bytes, where WhatsApp says so. */
    readonly size: number | null
  } | null
  /** What became of an outgoing one; null for all others. */
  readonly status: Word<"PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED"> | null
  /** Why it failed, in the provider's word or ours. */
  readonly error: string | null
  /** Who of you wrote it. */
  readonly sentBy: string | null
  /** When it was written, by the customer's own time or ours; ISO 8601. */
  readonly at: string
  /** What a pressed button or a chosen row stands for. */
  readonly payload: string | null
  readonly location: {
    readonly latitude: number
    readonly longitude: number
  } | null
  /** An order or contact cards, as JSON of WhatsApp's. */
  readonly details: string | null
  readonly template: {
    readonly name: string
    readonly language: string
    readonly values: ReadonlyArray<string>
  } | null
  readonly forwarded: boolean
  readonly edited: boolean
  /** Its words and files were taken back. */
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
  /** Who did it; null for what happened by itself. */
  readonly by: string | null
  readonly kind: Word<"CREATED" | "ASSIGNED" | "TEAM" | "CLOSED" | "REOPENED">
  /** The agent's e-mail address or the team's name before. */
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
  /** Shown here and never again. */
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
  /** Who gets a lead of this team that nobody owns, when it is new or reopened. */
  readonly assignment: Word<"OFF" | "ROUND_ROBIN" | "LEAST_OPEN">
  /** Ids of agents, in the order in which turns go round. */
  readonly members: ReadonlyArray<number>
  /** New and reopened leads without a team come here. */
  readonly takesNew: boolean
  /** ISO 8601. */
  readonly createdAt: string
}

export interface NewTeamRequest {
  readonly name: string
  readonly assignment?: "OFF" | "ROUND_ROBIN" | "LEAST_OPEN" | null | undefined
  readonly members?: ReadonlyArray<number> | null | undefined
  /** At most one team: the one before gives it up. */
  readonly takesNew?: boolean | null | undefined
}

export type NewStaffTeam = StaffTeam

export interface ChangeTeamRequest {
  readonly name?: string | null | undefined
  readonly assignment?: "OFF" | "ROUND_ROBIN" | "LEAST_OPEN" | null | undefined
  readonly members?: ReadonlyArray<number> | null | undefined
  /** At most one team: the one before gives it up. */
  readonly takesNew?: boolean | null | undefined
}

export interface ConnectRequest {
  readonly phoneNumberId: string
  readonly wabaId: string
  /** A token of a system user. It is kept encrypted, and never shown. */
  readonly accessToken: string
}

export interface NewWhatsAppNumber {
  /** Its `phoneNumberId`: what `wabaId` of an initiate names. */
  readonly id: string
  /** The WhatsApp business account that it belongs to. */
  readonly wabaId: string
  readonly displayNumber: string | null
  /** What customers see beside it. */
  readonly displayName: string | null
  /** ISO 8601. */
  readonly connectedAt: string
}

export type WhatsAppNumber = NewWhatsAppNumber

export interface OptOut {
  /** E.164 with `+`; masked for a VIEWER. */
  readonly phone: string
  /** They wrote so, one of you put it down, or the provider said so. */
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
  /** EMAIL where there is an @, if it is left out. */
  readonly identityType?: "MOBILE" | "EMAIL" | null | undefined
}

export interface Unlock {
  /** False where no wrong code counted. */
  readonly unlocked: boolean
}

export interface EraseRequest {
  /** A phone number or an e-mail address, in any of its spellings. */
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
  /** What is gone so far. */
  readonly removed: {
    readonly verifications: number
    readonly devices: number
    readonly leads: number
    readonly messages: number
  }
}

export interface ExampleDayRequest {
  /** The same seed plays the same day: the same people, at the same hours. 1, if nothing is said. */
  readonly seed?: number | null | undefined
}

export interface ExampleDay {
  readonly seed: number
  /** How many people will have come by when it is over. */
  readonly scenes: number
}

export interface ExampleDayState {
  readonly isPlaying: boolean
}

export interface AuditActor {
  readonly kind: Word<"AGENT" | "KEY" | "OPERATOR" | "SYSTEM">
  /** An agent's id or a client id; the operator and the service have none. */
  readonly id: string | null
  readonly label: string | null
}

export interface AuditEntry {
  readonly id: string
  /** ISO 8601. */
  readonly at: string
  readonly actor: AuditActor
  /** Where the request came from. */
  readonly address: string | null
  readonly from: { readonly [name: string]: unknown } | null
  readonly to: { readonly [name: string]: unknown } | null
  /** Null for what belongs to the merchant, and not to one environment. */
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
  /** Where the request came from. */
  readonly address: string | null
  readonly from: { readonly [name: string]: unknown } | null
  readonly to: { readonly [name: string]: unknown } | null
}

export interface Verification_1 {
  readonly requestId: string
  /** Masked. */
  readonly identity: string
  readonly identityType: Word<"MOBILE" | "EMAIL">
  readonly mode: Word<"OTP" | "OAUTH" | "MAGIC_LINK">
  /** The one that was asked for last. */
  readonly channel: string
  /** Who asked: the merchant's backend, or an app with the public key. */
  readonly path: Word<"SERVER" | "SDK">
  readonly orderId: string | null
  /** Started with "Try it" at the dashboard. */
  readonly trial: boolean
  /** EXPIRED as soon as its time is over, also before anybody has tried its code. */
  readonly authStatus: Word<"PENDING" | "VERIFIED" | "EXPIRED" | "FAILED">
  /** How many more codes may be tried. */
  readonly attemptsLeft: number
  /** OTP, ONETAP, LINK, or the number verifier that knew the number, such as TRUECALLER. */
  readonly method: string | null
  /** Two letters. */
  readonly country: string | null
  /** ISO 8601. */
  readonly createdAt: string
  /** ISO 8601. */
  readonly verifiedAt: string | null
  readonly deliveries: ReadonlyArray<{
    readonly id: string
    /** SMS, WHATSAPP, RCS, EMAIL, or another channel that this server has. */
    readonly channel: string
    readonly type: Word<"OTP" | "LINK">
    readonly deliveryStatus: Word<"PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED">
    readonly attemptNumber: number
    /** The provider that was asked to send it; null where none was. */
    readonly carrier: string | null
    readonly providerId: string | null
    /** Why it FAILED. */
    readonly providerCode: string | null
    /** ISO 8601. */
    readonly createdAt: string
  }>
}

export interface Timeline {
  readonly items: ReadonlyArray<{
    /** ISO 8601. */
    readonly at: string
    /** Milliseconds since the verification was started. */
    readonly sinceStartMs: number
    readonly kind: Word<"INITIATED" | "RESENT" | "SEND_TRIED" | "SENT" | "SEND_FAILED" | "RECEIPT" | "FALLBACK_STARTED" | "FALLBACK_SKIPPED" | "CODE_TRIED" | "VERIFIED" | "EXPIRED" | "FAILED" | "EVENT" | "WEBHOOK_TRIED">
    /** For people; it may be reworded. */
    readonly reason: string
    readonly data: { readonly [name: string]: unknown }
  }>
}

export interface SeenMessages {
  readonly items: ReadonlyArray<{
    readonly deliveryId: string
    /** SMS, WHATSAPP, RCS, EMAIL, or another channel that this server has. */
    readonly channel: string
    /** Null for the built-in words. */
    readonly templateId: string | null
    readonly templateVersion: number | null
    /** EMAIL. */
    readonly subject: string | null
    /** Null where only the provider has the words, or they are kept no more. */
    readonly text: string | null
  }>
}

export interface Unmasked {
  /** As it was written. */
  readonly identity: string
}

export interface Lock {
  /** Until when requests for codes of this person are refused. Null while they are not; ISO 8601. */
  readonly lockedUntil: string | null
  /** Wrong codes in a row that count now. */
  readonly wrongCodes: number
}

export interface Refusal {
  /** ISO 8601. */
  readonly at: string
  readonly path: Word<"SERVER" | "SDK">
  readonly errorCode: string
  /** Which limit, or which field: what refusals are counted by. */
  readonly reason: string
  /** Masked. */
  readonly identity: string | null
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel that this server has. */
  readonly channel: string | null
  /** Two letters. */
  readonly country: string | null
}

export interface TryRequest {
  /** A phone number, or an e-mail address where there is an @. */
  readonly identity: string
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel that this server has. */
  readonly channel?: string | null | undefined
  /** The language of the message, instead of the setting's. */
  readonly locale?: string | null | undefined
}

export interface TryAnswer {
  readonly requestId: string
}

export interface TryVerifyRequest {
  /** The code as the person typed it. */
  readonly otp: string
}

export interface Tried {
  readonly requestId: string
  readonly verified: boolean
  readonly authStatus: Word<"PENDING" | "VERIFIED" | "EXPIRED" | "FAILED">
  /** How many codes may still be entered. */
  readonly attemptsLeft: number
}

export interface Channel {
  /** SMS, WHATSAPP, RCS, EMAIL, or another channel that this server has. */
  readonly channel: string
  /** What people call it. */
  readonly label: string
  readonly provider: string | null
  /** Whether it has a provider on this server. */
  readonly enabled: boolean
  readonly role: Word<"PRIMARY" | "FALLBACK"> | null
  readonly breaker: {
    /** As the process that answers has seen its provider: OPEN while it is left alone, HALF_OPEN while one send may try it. */
    readonly state: Word<"CLOSED" | "OPEN" | "HALF_OPEN">
    /** ISO 8601. */
    readonly until: string | null
  }
  /** How many messages a second each process gives its provider; null: any number. */
  readonly perSecond: number | null
  /** The providers of the channel; it works while one of them does. */
  readonly carriers: ReadonlyArray<{
    readonly carrier: string
    readonly breaker: {
      /** As the process that answers has seen its provider: OPEN while it is left alone, HALF_OPEN while one send may try it. */
      readonly state: Word<"CLOSED" | "OPEN" | "HALF_OPEN">
      /** ISO 8601. */
      readonly until: string | null
    }
    /** How many messages a second each process gives its provider; null: any number. */
    readonly perSecond: number | null
    /** The beginnings of the numbers that it takes first; empty for every number. */
    readonly prefixes: ReadonlyArray<string>
  }>
  /** Messages of this environment that are due and that nobody sends yet; 1,000 are 1,000 or more. */
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
  /** When it begins: a day at its local midnight; ISO 8601. */
  readonly at: string
  /** Null without `groupBy`, and for what belongs to no group: an e-mail address has no country. */
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
    /** Null without `groupBy`, and for what belongs to no group: an e-mail address has no country. */
    readonly group: string | null
    readonly asked: number
    readonly sent: number
    readonly delivered: number
    readonly verified: number
  }>
}

export interface LatencyAnswer {
  readonly items: ReadonlyArray<{
    /** Null without `groupBy`, and for what belongs to no group: an e-mail address has no country. */
    readonly group: string | null
    /** In milliseconds; null where nothing was timed. */
    readonly toSend: {
      readonly p50: number
      readonly p95: number
      readonly p99: number
    } | null
    /** In milliseconds; null where nothing was timed. */
    readonly toDeliver: {
      readonly p50: number
      readonly p95: number
      readonly p99: number
    } | null
    /** In milliseconds; null where nothing was timed. */
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
    /** Null without `groupBy`, and for what belongs to no group: an e-mail address has no country. */
    readonly group: string | null
    readonly sends: number
    /** In the smallest unit of the currency; null where no prices are set, and nothing had one. */
    readonly amount: number | null
    readonly costPerVerified: number | null
  }>
}

export interface StatRefusalsAnswer {
  readonly items: ReadonlyArray<{
    /** Null without `groupBy`, and for what belongs to no group: an e-mail address has no country. */
    readonly group: string | null
    readonly reason: string
    readonly count: number
  }>
}

/** Every endpoint that a server key may call. */
export interface ServerMethods {
  /** Send a code or a link. Starts a verification, or sends a live one again with the same `requestId`. A 200 means the message is queued. */
  readonly initiate: (input: Omit<InitiateRequest, "mode"> & { readonly mode?: InitiateRequest["mode"] | undefined }, options?: ServerPostOptions) => Promise<InitiateAnswer>
  /** Check a code. A wrong code is not an error: branch on `verified`, never on the status code. */
  readonly verify: (input: VerifyRequest, options?: ServerPostOptions) => Promise<VerifyAnswer>
  /** Sign a person in. Checks a code and answers who it was, once for each verification; `null` for a wrong code, and for a verification that was used before. Sign in the `identity` that it answers, and no other. */
  readonly login: (input: LoginRequest, options?: ServerPostOptions) => Promise<Login | null>
  /** Exchange an authorisation code. Once, within 60 seconds of the approval; the same `codeVerifier` gets the same answer again. Sign in the `identity` that it answers, and no other. */
  readonly token: (input: TokenRequest, options?: ServerPostOptions) => Promise<TokenAnswer>
  /** Read a verification. `requestId` wins if both are sent. */
  readonly status: (input?: { readonly requestId?: string | undefined; readonly orderId?: string | undefined }, options?: ServerCallOptions) => Promise<Verification>
  /** Confirm who verified. Read-only: it never checks a code. When `success` is false, do not sign the user in. */
  readonly confirm: (input?: ConfirmRequest, options?: ServerPostOptions) => Promise<Confirmation>
  /** Make a session token. For one of your apps, from your backend. It lives 10 minutes. */
  readonly createSession: (input?: SdkSessionRequest, options?: ServerPostOptions) => Promise<SdkSession>
  readonly attribution: {
    /** Sums by origin and day. By the last touch, the launch that led to something, or by the first, the first launch of the same visitor. Without a range: the last 30 days. */
    readonly report: (input?: { readonly from?: string | undefined; readonly to?: string | undefined; readonly model?: "last" | "first" | undefined; readonly tz?: string | undefined; readonly cursor?: string | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<AttributionRow>
      readonly nextCursor: string | null
    }>
  }
  readonly settings: {
    readonly get: (options?: ServerCallOptions) => Promise<SettingsGetAnswer>
    /** Send only what changes. Every process knows it within 5 seconds. */
    readonly update: (input?: SettingsUpdateInput, options?: ServerCallOptions) => Promise<SettingsUpdateAnswer>
  }
  readonly events: {
    /** Newest first. Pass `nextCursor` as `cursor` for the next page. */
    readonly list: (input?: { readonly type?: "otp.initiated" | "otp.verified" | "otp.expired" | "session.created" | "delivery.failed" | "campaign.delivered" | "message.received" | "balance.low" | "webhook.disabled" | "webhook.test" | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Event>
      readonly nextCursor: string | null
    }>
  }
  readonly devices: {
    /** The devices that OneTap lets in for this identity, the latest used first. */
    readonly list: (input: { readonly identity: string }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Device>
      readonly nextCursor: string | null
    }>
    /** Its next login needs a code. */
    readonly revoke: (id: string, options?: ServerCallOptions) => Promise<void>
  }
  readonly billing: {
    /** What there is to spend. And what today cost so far, by channel. */
    readonly balance: (options?: ServerCallOptions) => Promise<Balance>
    /** Pay in. A `reference` that was paid in before moves nothing, and is answered with the entry of then. Without one the `Idempotency-Key` is the reference. Where the operator bills, it is theirs to do: 403. */
    readonly topUp: (input: TopUpRequest, options?: ServerPostOptions) => Promise<MovedMoney>
    /** Every amount that moved. Newest first, for ever. With `Accept: text/csv` the whole of what `from` and `to` ask for as a file, in which `cursor` and `limit` mean nothing. */
    readonly ledger: {
      (input?: { readonly cursor?: number | undefined; readonly limit?: number | undefined; readonly from?: string | undefined; readonly to?: string | undefined }, options?: ServerCallOptions): Promise<{
      readonly items: ReadonlyArray<LedgerEntry>
      readonly nextCursor: string | null
    }>
      (input: { readonly cursor?: number | undefined; readonly limit?: number | undefined; readonly from?: string | undefined; readonly to?: string | undefined }, options: ServerFileOptions): Promise<Response>
    }
  }
  readonly keys: {
    /** List keys. The oldest first, without their secrets. There are at most 100. */
    readonly list: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Key>
      readonly nextCursor: string | null
    }>
    /** Make a key. Keep the `clientSecret`: it is shown here and never again. */
    readonly create: (input: NewKeyRequest, options?: ServerPostOptions) => Promise<NewKey>
    /** Give a server key a new secret. Its client id stays. The secret before works for the overlap. */
    readonly roll: (id: string, input?: RollKeyRequest, options?: ServerPostOptions) => Promise<RolledKey>
    /** Revoke a key. For good, with all its secrets and the session tokens it made. The last one with the scope `dashboard` stays. */
    readonly revoke: (id: string, options?: ServerCallOptions) => Promise<void>
  }
  readonly templates: {
    /** List templates. The oldest first. There are at most 300. */
    readonly list: (input?: { readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Template>
      readonly nextCursor: string | null
    }>
    /** Write a template. A name may be there once for each channel, purpose and locale. What breaks a rule is `INVALID_TEMPLATE_CONFIG`, what lacks something `INCOMPLETE_TEMPLATE_CONFIG`; warnings come back in `findings`. */
    readonly create: (input: NewTemplateRequest, options?: ServerPostOptions) => Promise<NewTemplate>
    /** Look at a template before it is saved. To the letter what would be sent. */
    readonly preview: (input: PreviewRequest, options?: ServerPostOptions) => Promise<TemplatePreview>
    /** One template. WhatsApp is asked how it stands there, once a minute at most. */
    readonly get: (id: string, options?: ServerCallOptions) => Promise<Template>
    /** Change a template. Send only what changes; null takes something away. Every process knows of it within 5 seconds. Verifications that have begun keep the words they began with. */
    readonly update: (id: string, input?: ChangeTemplateRequest, options?: ServerCallOptions) => Promise<Template>
    readonly delete: (id: string, options?: ServerCallOptions) => Promise<void>
    /** Look at a template. To the letter what is sent. */
    readonly previewOf: (id: string, input?: PreviewOfRequest, options?: ServerPostOptions) => Promise<TemplatePreview>
    /** Submit a template to WhatsApp. For one that WhatsApp does not have. Its approval takes minutes to a day. */
    readonly submit: (id: string, options?: ServerPostOptions) => Promise<Template>
  }
  readonly senderIds: {
    /** List sender ids. The oldest first. */
    readonly list: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<SenderId>
      readonly nextCursor: string | null
    }>
    /** Register a sender id. From the first one on, an initiate may name no other `header` than these. */
    readonly create: (input: NewSenderIdRequest, options?: ServerPostOptions) => Promise<NewSenderId>
    readonly delete: (header: string, options?: ServerCallOptions) => Promise<void>
  }
  readonly campaigns: {
    /** List campaigns. The newest first, at most 50 a page. */
    readonly list: (input?: { readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Campaign>
      readonly nextCursor: string | null
    }>
    /** Start a campaign. All of it is checked before anybody is written to. With `dryRun=true` nothing is made, and the answer is 200 with what it would come to: that needs no fresh sign-in. */
    readonly create: {
      (input: NewCampaignRequest & { readonly dryRun: true }, options?: ServerPostOptions): Promise<CampaignDryRun>
      (input: NewCampaignRequest, options?: ServerPostOptions): Promise<NewCampaign>
    }
    /** One campaign. With what became of its messages so far. */
    readonly get: (id: string, options?: ServerCallOptions) => Promise<Campaign>
    /** List a campaign's recipients. In the order of its list, all or those in one state. */
    readonly recipients: (id: string, input?: { readonly status?: "PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED" | undefined; readonly cursor?: number | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<CampaignRecipient>
      readonly nextCursor: string | null
    }>
    /** Pause a campaign. What is being handed over still is. Doing it again changes nothing. */
    readonly pause: (id: string, options?: ServerPostOptions) => Promise<Campaign>
    /** Let a paused campaign go on. Doing it again changes nothing. */
    readonly resume: (id: string, options?: ServerPostOptions) => Promise<Campaign>
    /** Cancel a campaign. For good. Whoever was not written to is SKIPPED. Doing it again changes nothing. */
    readonly cancel: (id: string, options?: ServerPostOptions) => Promise<Campaign>
  }
  readonly webhooks: {
    /** List endpoints. The oldest first. There are at most 50. */
    readonly list: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Webhook>
      readonly nextCursor: string | null
    }>
    /** Register an endpoint. Keep the `secret`: it is shown here and never again. */
    readonly create: (input: NewWebhookRequest, options?: ServerPostOptions) => Promise<NewWebhook>
    readonly get: (id: string, options?: ServerCallOptions) => Promise<Webhook>
    /** Change an endpoint. Send only what changes. `status: ACTIVE` switches it on again. A new `url` needs a fresh sign-in. */
    readonly update: (id: string, input?: ChangeWebhookRequest, options?: ServerCallOptions) => Promise<Webhook>
    readonly delete: (id: string, options?: ServerCallOptions) => Promise<void>
    /** Make a new secret. For 24 hours the old one signs beside it, in `webhook-signature`. At most 4 sign at one time. With `endOthers` every older one ends at once. */
    readonly rotateSecret: (id: string, input?: RotateRequest, options?: ServerPostOptions) => Promise<RotatedWebhook>
    /** Send a test event. Sent at once; the answer says what came of it. When it gets through, what waits for a retry follows at once. */
    readonly test: (id: string, options?: ServerPostOptions) => Promise<WebhookDeliveryDetail>
    /** The delivery log. Every try, newest first, for 30 days. `status=DEAD` lists dead letters. */
    readonly deliveries: (id: string, input?: { readonly status?: "DELIVERED" | "FAILED" | "DEAD" | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<WebhookDelivery>
      readonly nextCursor: string | null
    }>
    /** One try. With what was sent and what was answered. */
    readonly delivery: (id: string, deliveryId: string, options?: ServerCallOptions) => Promise<WebhookDeliveryDetail>
    /** Send it once more. At once, with the same `webhook-id`; the answer says what came of it. When it gets through, what waits for a retry follows. */
    readonly redeliver: (id: string, deliveryId: string, options?: ServerPostOptions) => Promise<WebhookDeliveryDetail>
    /** Count undelivered events. Events that this endpoint has not received. `pending` ones are tried again. For `givenUp` ones use a redelivery, or a replay with `onlyMissing`. */
    readonly backlog: (id: string, options?: ServerCallOptions) => Promise<WebhookBacklog>
    /** Count what a replay would send. Nothing is sent. It takes what the replay takes. */
    readonly replayable: (id: string, input: { readonly since: string; readonly until?: string | undefined; readonly onlyMissing?: boolean | undefined }, options?: ServerCallOptions) => Promise<ReplayCount>
    /** Send a range once more. Every event recorded in it that this endpoint wants, in the background. One replay of an endpoint at a time. With `onlyMissing`, what waits for a retry is tried at once. */
    readonly replay: (id: string, input: ReplayRequest, options?: ServerPostOptions) => Promise<Replay>
  }
  readonly leads: {
    /** List leads. The most recently active first. Ask for pages until one holds fewer than `size`. A lead that becomes active meanwhile moves to the first page, and one of its neighbours comes twice. */
    readonly list: (input?: { readonly phone?: string | undefined; readonly assignedTo?: string | undefined; readonly unassignedOnly?: boolean | undefined; readonly page?: number | undefined; readonly size?: number | undefined }, options?: ServerCallOptions) => Promise<ReadonlyArray<Lead>>
    /** List agents. Those who were removed are left out. Leads can be given to the ACTIVE ones. */
    readonly agents: (options?: ServerCallOptions) => Promise<ReadonlyArray<Agent>>
    /** List teams. By age. */
    readonly teams: (options?: ServerCallOptions) => Promise<ReadonlyArray<Team>>
    /** Give a lead to an agent. Without `agentEmail` it is nobody's. */
    readonly assign: (leadId: number, input?: AssignRequest, options?: ServerPostOptions) => Promise<Lead>
    /** Give a lead to an agent, by number. Without `agentEmail` it is nobody's. */
    readonly assignByPhone: (input: AssignByPhoneRequest, options?: ServerPostOptions) => Promise<Lead>
    /** Move a lead to a team. Without `teamName` it leaves its team. Whose lead it is does not change. */
    readonly moveToTeam: (leadId: number, input?: LeadTeamRequest, options?: ServerPostOptions) => Promise<Lead>
    /** Move a lead to a team, by number. Without `teamName` it leaves its team. Whose lead it is does not change. */
    readonly moveToTeamByPhone: (input: LeadTeamByPhoneRequest, options?: ServerPostOptions) => Promise<Lead>
  }
  readonly inbox: {
    /** List leads. The most recently active first. All filters must hold. Read on with `nextCursor` to its end, and you have seen every lead that fitted all the time, recently active ones twice. */
    readonly list: (input?: { readonly status?: "OPEN" | "CLOSED" | undefined; readonly assignedTo?: string | undefined; readonly unassignedOnly?: boolean | undefined; readonly waitingOnly?: boolean | undefined; readonly team?: string | undefined; readonly search?: string | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<InboxLeads>
    /** Enter a customer. One who has not written yet. */
    readonly create: (input: NewLeadRequest, options?: ServerPostOptions) => Promise<NewLead>
    readonly get: (id: number, options?: ServerCallOptions) => Promise<InboxLead>
    /** Close a lead. The customer's next message opens it again. */
    readonly close: (id: number, options?: ServerPostOptions) => Promise<InboxLead>
    readonly reopen: (id: number, options?: ServerPostOptions) => Promise<InboxLead>
    /** Mark a lead as read. Its `unreadCount` is 0 until the customer writes again. */
    readonly read: (id: number, options?: ServerPostOptions) => Promise<InboxLead>
    /** Mark a lead as unread. Its `unreadCount` is 1, or stays what it is. Whoever reads it later sees it. */
    readonly unread: (id: number, options?: ServerPostOptions) => Promise<InboxLead>
    /** Answer a customer. The message is on its way with this answer, and shows what becomes of it. */
    readonly reply: (id: number, input?: ReplyRequest, options?: ServerPostOptions) => Promise<NewLeadMessage>
    /** Write a note. It stands in the conversation, and no customer sees it. */
    readonly note: (id: number, input: NoteRequest, options?: ServerPostOptions) => Promise<NewLeadMessage>
    /** The conversation. Newest first, in both directions, with your notes. */
    readonly messages: (id: number, input?: { readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<LeadMessage>
      readonly nextCursor: string | null
    }>
    /** The file of a message. A file has no mask: whoever is signed in must be at least an AGENT. From WhatsApp as it is read; nothing of it is kept here. All but PNG, JPEG, WebP and GIF is a download. */
    readonly media: (id: number, mid: string, options?: ServerCallOptions) => Promise<Response>
    /** What happened to a lead. Newest first: every change of owner, team and status. */
    readonly history: (id: number, input?: { readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<LeadHistoryEntry>
      readonly nextCursor: string | null
    }>
  }
  readonly savedReplies: {
    /** List saved replies. The oldest first. */
    readonly list: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<SavedReply>
      readonly nextCursor: string | null
    }>
    readonly create: (input: NewSavedReplyRequest, options?: ServerPostOptions) => Promise<NewSavedReply>
    readonly update: (id: string, input?: ChangeSavedReplyRequest, options?: ServerCallOptions) => Promise<SavedReply>
    readonly delete: (id: string, options?: ServerCallOptions) => Promise<void>
  }
  readonly agents: {
    /** List agents. By age. Those who were removed are left out. */
    readonly list: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<StaffAgent>
      readonly nextCursor: string | null
    }>
    readonly create: (input: NewAgentRequest, options?: ServerPostOptions) => Promise<NewStaffAgent>
    readonly get: (id: number, options?: ServerCallOptions) => Promise<StaffAgent>
    /** Make an invitation. Give the link to somebody who is INVITED: redeeming it signs them in, once, and makes them ACTIVE. It ends the link before. Nothing is sent. */
    readonly invite: (id: number, options?: ServerPostOptions) => Promise<Invitation>
    /** Change an agent. Send only what changes. The leads of one who is not ACTIVE any more are nobody's. */
    readonly update: (id: number, input?: ChangeAgentRequest, options?: ServerCallOptions) => Promise<StaffAgent>
    /** Remove an agent. They leave all teams, and their leads are nobody's. */
    readonly delete: (id: number, options?: ServerCallOptions) => Promise<void>
  }
  readonly teams: {
    /** List teams. By age. */
    readonly list: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<StaffTeam>
      readonly nextCursor: string | null
    }>
    readonly create: (input: NewTeamRequest, options?: ServerPostOptions) => Promise<NewStaffTeam>
    readonly get: (id: number, options?: ServerCallOptions) => Promise<StaffTeam>
    /** Change a team. Send only what changes. */
    readonly update: (id: number, input?: ChangeTeamRequest, options?: ServerCallOptions) => Promise<StaffTeam>
    /** Remove a team. Its leads are of no team any more; whose they are does not change. */
    readonly delete: (id: number, options?: ServerCallOptions) => Promise<void>
  }
  readonly numbers: {
    /** Connect a number. WhatsApp is asked first whether it can be used; `WHATSAPP_CONNECT_FAILED` says what it answered. Connect it again to give it another token. */
    readonly connect: (input: ConnectRequest, options?: ServerPostOptions) => Promise<NewWhatsAppNumber>
    /** List connected numbers. The one connected first at the head, without their tokens. */
    readonly list: (options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<WhatsAppNumber>
      readonly nextCursor: string | null
    }>
    /** Disconnect a number. Its token is forgotten, and what is written to it afterwards is nobody's. */
    readonly disconnect: (id: string, options?: ServerCallOptions) => Promise<void>
  }
  readonly optOuts: {
    /** List opt-outs. Who wants no campaigns, by number. */
    readonly list: (input?: { readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<OptOut>
      readonly nextCursor: string | null
    }>
    /** Put down that somebody wants no campaigns. Codes, links and answers reach them all the same. For somebody who is there already it answers that. */
    readonly add: (input: NewOptOutRequest, options?: ServerPostOptions) => Promise<NewOptOut>
    /** Take an opt-out back. Only when the person asked for it; write the number with `%2B` or without `+`. */
    readonly remove: (phone: string, options?: ServerCallOptions) => Promise<void>
  }
  readonly identities: {
    /** Somebody whom `maxConsecutiveFailures` keeps out may ask for codes again. The hourly limit stays as it is. */
    readonly unlock: (input: UnlockRequest, options?: ServerPostOptions) => Promise<Unlock>
    /** Erase a person. In the background: verifications, devices, leads with their conversations, and what joins them to where they came from, in every spelling. Their events stay, masked. What is begun afterwards stays, too. */
    readonly erase: (input: EraseRequest, options?: ServerPostOptions) => Promise<BegunErasure>
    /** How far an erasure is. It does not say whose data it was. */
    readonly erasure: (id: string, options?: ServerCallOptions) => Promise<Erasure>
    /** Export a person. A JSON object in each line, with a `kind`: `person` first, then `verification`, `launch`, `device`, `limits`, `optOut`, `recipient`, `lead`, `message`, `history`, `event`. The last line is of the kind `end`: without it, the file is not whole. */
    readonly export: (input: { readonly identity: string }, options?: ServerCallOptions) => Promise<Response>
  }
  readonly exampleDay: {
    /** Fill with an example day. In a test environment, in the background: some hundred verifications of the last 24 hours and of the same day a week before, refused requests, conversations and launches, of people who do not exist. Nothing is sent, no webhook is called, and no setting is changed. One at a time. */
    readonly start: (input?: ExampleDayRequest, options?: ServerPostOptions) => Promise<ExampleDay>
    /** Whether an example day is being played. */
    readonly get: (options?: ServerCallOptions) => Promise<ExampleDayState>
  }
  readonly audit: {
    /** List who did what. Newest first, of the last year. A key sees its own environment and what belongs to none; whoever is signed in sees both environments. */
    readonly list: (input?: { readonly action?: string | undefined; readonly actor?: string | undefined; readonly target?: string | undefined; readonly environment?: "live" | "test" | "none" | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<AuditEntry>
      readonly nextCursor: string | null
    }>
    /** List changes of settings. Newest first, with the fields that differ. */
    readonly settings: (input?: { readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<SettingsChange>
      readonly nextCursor: string | null
    }>
  }
  readonly verifications: {
    /** Search verifications. Newest first; all that is given must hold. A page looks at 5,000 verifications at most: it may hold fewer than `limit`, even none, and still have a `nextCursor`. Identities are masked. */
    readonly search: (input?: { readonly identity?: string | undefined; readonly orderId?: string | undefined; readonly status?: "PENDING" | "VERIFIED" | "EXPIRED" | "FAILED" | undefined; readonly channel?: string | undefined; readonly country?: string | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Verification_1>
      readonly nextCursor: string | null
    }>
    /** One verification. Its identity is masked. */
    readonly get: (requestId: string, options?: ServerCallOptions) => Promise<Verification_1>
    /** The life of a verification. In order: every decision, send, try, receipt, fallback, event and webhook, each with its reason. Events and webhooks are told as long as they are kept. */
    readonly timeline: (requestId: string, options?: ServerCallOptions) => Promise<Timeline>
    /** What the person saw. The words of each message, with dots for its code or link, and with brand and language as the settings are now. */
    readonly messages: (requestId: string, options?: ServerCallOptions) => Promise<SeenMessages>
    /** Whose verification it is. Who asked is put down in the audit before it is answered. */
    readonly unmask: (requestId: string, options?: ServerPostOptions) => Promise<Unmasked>
    /** Whether its person is locked out. By `maxConsecutiveFailures` wrong codes in a row, on the path of this verification: backend or app. */
    readonly lock: (requestId: string, options?: ServerCallOptions) => Promise<Lock>
    /** Unlock its person. As `POST /v1/dashboard/unlock`, without showing who it is. The hourly limit stays. */
    readonly unlock: (requestId: string, options?: ServerPostOptions) => Promise<Unlock>
    /** Initiates that were refused. Newest first, of the last 7 days, a second or two after they happened. All are counted in the statistics. Listed are, of each process, at most a hundred a second of your backend's and one a second of apps'. */
    readonly refusals: (input?: { readonly from?: string | undefined; readonly to?: string | undefined; readonly reason?: string | undefined; readonly cursor?: string | undefined; readonly limit?: number | undefined }, options?: ServerCallOptions) => Promise<{
      readonly items: ReadonlyArray<Refusal>
      readonly nextCursor: string | null
    }>
    /** What moves. Server-sent events: `verification` and `lead`, with an item of their list as data, masked, and `reset` when something was left out and the lists are to be read again. A comment comes every 15 seconds. With `Last-Event-ID` it goes on after that event. Read it with `fetch`: `EventSource` sends no headers. */
    readonly live: (options?: ServerCallOptions) => Promise<Response>
  }
  readonly trials: {
    /** Try it: send a code to yourself. A verification as your backend starts it, with all limits, prices, templates and the fallback; at most 60 an hour. It never joins a customer's login. */
    readonly start: (input: TryRequest, options?: ServerPostOptions) => Promise<TryAnswer>
    /** Try it: enter the code. Of what was started here alone: a customer's login is `TRANSACTION_NOT_FOUND`. A wrong code is not an error. */
    readonly verify: (requestId: string, input: TryVerifyRequest, options?: ServerPostOptions) => Promise<Tried>
  }
  readonly channels: {
    /** List channels. SMS, WHATSAPP, RCS and EMAIL, then every other channel that this server has. What was last seen is of the newest 200 verifications, and of a channel that is in none of them, of its own newest. */
    readonly list: (options?: ServerCallOptions) => Promise<Channels>
  }
  readonly statistics: {
    /** Counts over time. Everything about a verification counts in the quarter hour in which it started, whenever it happened. Without `groupBy` every point is there, with it those that have counts. Quarter hours and hours go back 35 days; what is older is counted by days of UTC. */
    readonly series: (input?: { readonly from?: string | undefined; readonly to?: string | undefined; readonly tz?: string | undefined; readonly groupBy?: "channel" | "country" | "path" | "template" | "carrier" | undefined; readonly bucket?: "15m" | "1h" | "1d" | undefined }, options?: ServerCallOptions) => Promise<SeriesAnswer>
    /** From asked to verified. `sent` and `delivered` are messages, of which one login may have several. */
    readonly funnel: (input?: { readonly from?: string | undefined; readonly to?: string | undefined; readonly tz?: string | undefined; readonly groupBy?: "channel" | "country" | "path" | "template" | "carrier" | undefined }, options?: ServerCallOptions) => Promise<FunnelAnswer>
    /** Time to send, to deliver and to verify. From the start of a verification; `toSend` from the making of the message. Each figure is within 2 % of the true one. */
    readonly latency: (input?: { readonly from?: string | undefined; readonly to?: string | undefined; readonly tz?: string | undefined; readonly groupBy?: "channel" | "country" | "path" | "template" | "carrier" | undefined }, options?: ServerCallOptions) => Promise<LatencyAnswer>
    /** Cost, and cost of each success. Messages that were sent and did not fail, each by its price when it was asked for. */
    readonly spend: (input?: { readonly from?: string | undefined; readonly to?: string | undefined; readonly tz?: string | undefined; readonly groupBy?: "channel" | "country" | "path" | "template" | "carrier" | undefined }, options?: ServerCallOptions) => Promise<SpendAnswer>
    /** Refused initiates by reason. Counted when they were refused. */
    readonly refusals: (input?: { readonly from?: string | undefined; readonly to?: string | undefined; readonly tz?: string | undefined; readonly groupBy?: "channel" | "country" | "path" | "template" | "carrier" | undefined }, options?: ServerCallOptions) => Promise<StatRefusalsAnswer>
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
  attribution: {
    report: { at: "GET /v1/dashboard/attribution", answer: "items:a", input: "query" }
  },
  settings: {
    get: { at: "GET /v1/dashboard/settings", answer: "codeLength:n codeExpirySeconds:n maxAttempts:n hourlyLimit:n hourlyLimitPerAddress:n maxConsecutiveFailures:n resendCooldownSeconds:n" },
    update: { at: "PATCH /v1/dashboard/settings", answer: "codeLength:n codeExpirySeconds:n maxAttempts:n hourlyLimit:n hourlyLimitPerAddress:n maxConsecutiveFailures:n resendCooldownSeconds:n", input: "body" }
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
    ledger: { at: "GET /v1/dashboard/ledger", answer: "items:a", input: "query" }
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
    create: { at: "POST /v1/dashboard/campaigns", answer: "total:n duplicates:n invalid:a invalidTotal:n unused:a optedOut:n | id:s name:s channel:s template:s templateVersion:n status:s", input: "body", query: ["dryRun"] },
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
    backlog: { at: "GET /v1/dashboard/webhooks/:id/backlog", answer: "pending:n givenUp:n more:b" },
    replayable: { at: "GET /v1/dashboard/webhooks/:id/replay", answer: "events:n more:b", input: "query" },
    replay: { at: "POST /v1/dashboard/webhooks/:id/replay", answer: "since:s until:s", input: "body" }
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
    get: { at: "GET /v1/dashboard/leads/:id", answer: "id:n contact:s status:s origin:s" },
    close: { at: "POST /v1/dashboard/leads/:id/close", answer: "id:n contact:s status:s origin:s" },
    reopen: { at: "POST /v1/dashboard/leads/:id/reopen", answer: "id:n contact:s status:s origin:s" },
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
    get: { at: "GET /v1/dashboard/verifications/:requestId", answer: "requestId:s identity:s identityType:s mode:s channel:s path:s trial:b" },
    timeline: { at: "GET /v1/dashboard/verifications/:requestId/timeline", answer: "items:a" },
    messages: { at: "GET /v1/dashboard/verifications/:requestId/messages", answer: "items:a" },
    unmask: { at: "POST /v1/dashboard/verifications/:requestId/unmask", answer: "identity:s" },
    lock: { at: "GET /v1/dashboard/verifications/:requestId/lock", answer: "wrongCodes:n" },
    unlock: { at: "POST /v1/dashboard/verifications/:requestId/unlock", answer: "unlocked:b" },
    refusals: { at: "GET /v1/dashboard/refusals", answer: "items:a", input: "query" },
    live: { at: "GET /v1/dashboard/live", answer: "file" }
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
    refusals: { at: "GET /v1/dashboard/stats/refusals", answer: "items:a", input: "query" }
  }
}
// /generated
