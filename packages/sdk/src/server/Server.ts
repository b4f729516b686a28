import { abortable } from "../request/abortable.ts"
import { idempotencyKey } from "../request/idempotencyKey.ts"
import { type Call, type Connection, request } from "../request/request.ts"
import { type AttributionInput, type AttributionReport, makeAttribution } from "./attribution.ts"
import { type Leads, makeLeads } from "./leads.ts"

export interface ServerOptions extends Connection {
  /** `cs_live_…` or `cs_test_…`. */
  readonly clientId: string
  /** `sk_live_…` or `sk_test_…`. Never in a browser or app. */
  readonly clientSecret: string
}

export type IdentityType = "MOBILE" | "EMAIL"
export type Mode = "OTP" | "OAUTH" | "MAGIC_LINK"

export interface ServerInitiateInput {
  /** A phone number with country code, or an e-mail address. Send one person in one spelling. */
  readonly identity: string
  readonly identityType: IdentityType
  /** `OTP` by default. */
  readonly mode?: Mode | undefined
  /** The account's primary channel by default. */
  readonly channel?: "SMS" | "WHATSAPP" | "EMAIL" | "RCS" | "TRUECALLER" | undefined
  /** Your own reference, good instead of the `requestId`. */
  readonly orderId?: string | undefined
  /** Sends this login again while it is live. A link without `state` and `codeChallenge` is sent again only so. */
  readonly requestId?: string | undefined
  /** 4 to 8. */
  readonly otpLength?: number | undefined
  /** SMS only: a DLT template id of 19 digits. */
  readonly templateId?: string | undefined
  /** SMS only: a DLT sender id of 6 letters. */
  readonly header?: string | undefined
  /** WhatsApp only: the phone number id to send from. */
  readonly wabaId?: string | undefined
  /** Links: where an approval returns to, one of the setting `redirectUris` to the letter. `OAUTH` needs it. */
  readonly redirectUri?: string | undefined
  /** Links: handed back as it is. A random one for each browser, so that no two share a link; check it on return. */
  readonly state?: string | undefined
  /** Links: a PKCE challenge, S256. The exchange then needs its `codeVerifier`. */
  readonly codeChallenge?: string | undefined
  /** The launch that led here, as `launch` answered it. */
  readonly launchId?: string | undefined
  readonly deviceToken?: string | null | undefined
  /** Free-form, at most 4 KB. */
  readonly deviceInfo?: Readonly<Record<string, unknown>> | undefined
}

export interface ServerInitiateResult {
  readonly requestId: string
  readonly message: string
  /** The person is verified already, and no code was sent. */
  readonly oneTapApplied: boolean
  readonly deviceToken: string | null
  /** With the setting `linkNumberMatch`: two digits to show where the person waits. The link's page asks for them. */
  readonly matchNumber?: string
  /** In a test environment alone, where no message is sent: the link itself. */
  readonly link?: string
}

export interface TokenInput {
  /** From the address that the approval returned to, or from `status`. */
  readonly code: string
  /** Needed if `initiate` was given a `codeChallenge`. */
  readonly codeVerifier?: string | undefined
  /**
   * Of the browser that asked: with OneTap on it is trusted from now on, if the link had number matching and a
   * `codeChallenge`. Ignored otherwise.
   */
  readonly deviceToken?: string | null | undefined
}

export interface TokenResult {
  readonly requestId: string
  /** The verified number, or address, as it was sent to initiate. Sign in this one. */
  readonly identity: string
  readonly identityType: IdentityType
  readonly idToken: string
  /** Whether the device of `deviceToken` is trusted now. */
  readonly deviceTrusted: boolean
}

/** A verification by its id, or by your own reference: the most recent one with it. */
export type Reference =
  | { readonly requestId: string; readonly orderId?: never }
  | { readonly orderId: string; readonly requestId?: never }

export type ServerVerifyInput = Reference & {
  /** As the person typed it. */
  readonly otp: string
  readonly deviceToken?: string | null | undefined
  readonly deviceInfo?: Readonly<Record<string, unknown>> | undefined
}

export interface ServerVerifyResult {
  readonly requestId: string
  /** False for a wrong code, which is not an error. */
  readonly verified: boolean
  readonly message: string
  readonly idToken: string | null
  /** It was verified before this request. Absent otherwise. */
  readonly already?: true
}

export interface Verification {
  readonly requestId: string
  readonly identity: string
  readonly identityType: IdentityType
  readonly mode: Mode
  readonly authStatus: "PENDING" | "VERIFIED" | "EXPIRED" | "FAILED"
  /** ISO 8601. */
  readonly verifiedAt: string | null
  readonly orderId: string | null
  /** Of an approved link or Truecaller login: the authorisation code, for 60 seconds, until it is exchanged. */
  readonly code: string | null
  /** As `initiate` answered it. */
  readonly matchNumber?: string
  readonly deliveries: ReadonlyArray<{
    readonly channel: string
    readonly type: string
    readonly deliveryStatus: "PENDING" | "SENT" | "DELIVERED" | "READ" | "FAILED" | "SKIPPED"
    readonly attemptNumber: number
    /** The provider that was asked to send it; null where none was. */
    readonly carrier: string | null
    /** Why it failed, in the provider's word or ours; null unless it FAILED. */
    readonly providerCode: string | null
  }>
}

export type ConfirmInput =
  | { readonly requestId: string; readonly idToken?: never }
  | { readonly idToken: string; readonly requestId?: never }

interface Confirmed {
  readonly success: true
  readonly requestId: string
  /** The verified number, or address, as it was sent to initiate. Sign in this one, never one that an app sends. */
  readonly phoneNumber: string
  readonly countryCode: string | null
  readonly nationalPhoneNumber: string | null
  readonly identityType: IdentityType
  /** When the person was verified, in Unix seconds. Refuse what is older than a few minutes. */
  readonly authTime: number
}

interface NotConfirmed {
  readonly success: false
  readonly requestId: string
  readonly phoneNumber: null
  readonly countryCode: null
  readonly nationalPhoneNumber: null
  readonly identityType: null
  readonly authTime: null
}

/** Who was verified. Sign nobody in unless `success` is true. */
export type Confirmation = Confirmed | NotConfirmed

export interface CreatedSession {
  /** What the app's `sessionToken` returns. */
  readonly sessionToken: string
  readonly scope: string
  /** Seconds. */
  readonly expiresIn: number
  /** ISO 8601. */
  readonly expiresAt: string
}

export interface ServerCallOptions {
  /** Stops at once and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface ServerPostOptions extends ServerCallOptions {
  /** A UUID, if a call must have one effect over several processes or restarts. Each call has its own by default. */
  readonly idempotencyKey?: string | undefined
}

export interface Server {
  /** Sends a code or a link. */
  readonly initiate: (input: ServerInitiateInput, options?: ServerPostOptions) => Promise<ServerInitiateResult>
  /** Checks a code. */
  readonly verify: (input: ServerVerifyInput, options?: ServerPostOptions) => Promise<ServerVerifyResult>
  /**
   * Exchanges an authorisation code for who it was, within 60 seconds and once. Where `initiate` had a `codeChallenge`,
   * a repeat with the same `codeVerifier` gets the same answer.
   * Check `state` before, and that `requestId` is the one that this browser started.
   */
  readonly token: (input: TokenInput, options?: ServerPostOptions) => Promise<TokenResult>
  /** Reads a verification and its deliveries. */
  readonly status: (input: Reference, options?: ServerCallOptions) => Promise<Verification>
  /** Asks who was verified, for example in an app. It changes nothing. */
  readonly confirm: (input: ConfirmInput, options?: ServerCallOptions) => Promise<Confirmation>
  /** Makes the session token that an app needs to verify. It is good for 10 minutes. */
  readonly createSession: (options?: ServerPostOptions) => Promise<CreatedSession>
  /** The leads of the WhatsApp inbox, their agents and teams. */
  readonly leads: Leads
  /** Sums by day and origin, a page of 1,000 rows at a time. The key needs the scope `dashboard`. */
  readonly attribution: (input?: AttributionInput, options?: ServerCallOptions) => Promise<AttributionReport>
}

type Answer = Readonly<Record<string, unknown>>

const areStrings = (answer: Answer, ...names: ReadonlyArray<string>) =>
  names.every((name) => typeof answer[name] === "string")

const isInitiateResult = (answer: Answer): answer is Answer & ServerInitiateResult =>
  areStrings(answer, "requestId") && typeof answer["oneTapApplied"] === "boolean"

const isVerifyResult = (answer: Answer): answer is Answer & ServerVerifyResult =>
  areStrings(answer, "requestId") && typeof answer["verified"] === "boolean"

const isTokenResult = (answer: Answer): answer is Answer & TokenResult =>
  areStrings(answer, "requestId", "identity", "identityType", "idToken")

const isVerification = (answer: Answer): answer is Answer & Verification =>
  areStrings(answer, "requestId", "identity", "identityType", "authStatus") && Array.isArray(answer["deliveries"])

const isConfirmation = (answer: Answer): answer is Answer & Confirmation =>
  areStrings(answer, "requestId") &&
  (answer["success"] === true
    ? areStrings(answer, "phoneNumber", "identityType") && typeof answer["authTime"] === "number"
    : answer["success"] === false)

const isCreatedSession = (answer: Answer): answer is Answer & CreatedSession =>
  areStrings(answer, "sessionToken", "expiresAt")

/**
 * Calls the service from a backend, with the client secret.
 *
 * Its calls reject with `CountersignError`. Where the service was busy or out of reach they have tried again before, with
 * one `Idempotency-Key`.
 *
 * @example
 * ```ts
 * import { createServer } from "@countersign/sdk/server"
 *
 * const countersign = createServer({
 *   baseUrl: "https://verify.example.com",
 *   clientId: "cs_live_…",
 *   clientSecret: "sk_live_…"
 * })
 *
 * export const sendCode = (phone: string) => countersign.initiate({ identity: phone, identityType: "MOBILE" })
 * export const checkCode = (requestId: string, otp: string) => countersign.verify({ requestId, otp })
 * ```
 */
export const createServer = (options: ServerOptions): Server => {
  const credentials = { "x-client-id": options.clientId, "x-client-secret": options.clientSecret }

  const post = <A>(
    path: string,
    body: object,
    accepts: Call<A>["accepts"],
    { idempotencyKey: key = idempotencyKey(), signal }: ServerPostOptions = {}
  ): Promise<A> =>
    abortable(signal, () =>
      request(options, {
        path,
        headers: { ...credentials, "idempotency-key": key },
        body: JSON.stringify(body),
        signal,
        accepts
      })
    )

  const get = <A>(path: string, accepts: Call<A>["accepts"], { signal }: ServerCallOptions = {}): Promise<A> =>
    abortable(signal, () => request(options, { path, headers: credentials, signal, accepts }))

  return {
    initiate: (input, callOptions) =>
      post("/v1/auth/initiate", { ...input, mode: input.mode ?? "OTP" }, isInitiateResult, callOptions),
    verify: (input, callOptions) => post("/v1/auth/verify", input, isVerifyResult, callOptions),
    token: (input, callOptions) => post("/v1/auth/token", input, isTokenResult, callOptions),
    status: ({ orderId, requestId }, callOptions) => {
      const query = requestId === undefined ? { orderId } : { requestId }
      return get(`/v1/auth/status?${new URLSearchParams(query)}`, isVerification, callOptions)
    },
    confirm: (input, callOptions) => post("/v1/auth/verify-code", input, isConfirmation, callOptions),
    createSession: (callOptions) => post("/v1/sdk/session", { scope: "sdk" }, isCreatedSession, callOptions),
    leads: makeLeads({ get, post }),
    attribution: makeAttribution({ get })
  }
}
