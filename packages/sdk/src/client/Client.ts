import { CountersignError } from "../CountersignError.ts"
import { abortable } from "../request/abortable.ts"
import { idempotencyKey } from "../request/idempotencyKey.ts"
import { type Call, type Connection, request } from "../request/request.ts"
import { type KeyValueStorage, makeDeviceTokens } from "./DeviceTokens.ts"
import { type ConversionInput, type LaunchInput, makeLaunches } from "./Launches.ts"
import { makeSessionToken } from "./SessionToken.ts"
import { isStanding, untilDecided } from "./untilDecided.ts"

export interface ClientOptions extends Connection {
  /** `pk_live_…` or `pk_test_…`: the one key that may be in an app. */
  readonly publicKey: string
  /**
   * Asks your own backend for a session token (`createSession` of `@countersign/sdk/server`). It is kept until shortly
   * before its end, and asked for once more when the service refuses it. What it throws reaches the caller of `verify`.
   */
  readonly sessionToken: () => string | Promise<string>
  /**
   * Where the device is remembered for OneTap: `localStorage` and `AsyncStorage` fit as they are. Without it, until the
   * page or app is closed. A storage that fails never fails a call.
   */
  readonly storage?: KeyValueStorage | undefined
}

/** What you know of the device, for the audit. All of it is optional. */
export interface DeviceInfo {
  readonly platform?: string | undefined
  readonly model?: string | undefined
  readonly osVersion?: string | undefined
  readonly appVersion?: string | undefined
  readonly locale?: string | undefined
}

/** `auto`, `sms`, `whatsapp`, or another channel of the merchant's settings in lower case. */
export type SdkChannel = "auto" | "sms" | "whatsapp" | (string & {})

export interface InitiateInput {
  /** With the country code: `+919876543210`. */
  readonly phone: string
  /** `auto` by default: the account's primary channel, with its fallback. */
  readonly channel?: SdkChannel | undefined
  /** The name of a template; the account's default otherwise. */
  readonly template?: string | undefined
  /** Your own reference. */
  readonly orderId?: string | undefined
  /** The launch that led here; by default the latest that is remembered. */
  readonly launchId?: string | undefined
  readonly deviceInfo?: DeviceInfo | undefined
}

export interface ResendInput {
  /** From `initiate`. */
  readonly sessionId: string
  readonly phone: string
  /** Another channel gets the same code. */
  readonly channel?: SdkChannel | undefined
}

export interface Session {
  /** The verification: your backend knows it as `requestId`. */
  readonly sessionId: string
  /** Where the code goes first. */
  readonly channel: string
  /** How many digits to ask for. */
  readonly codeLength: number
  /** ISO 8601. */
  readonly expiresAt: string
  /** The device is trusted and the session verified already: ask for no code, send `sessionId` to your backend. */
  readonly oneTapApplied: boolean
}

export interface VerifyInput {
  readonly sessionId: string
  /** As the person typed it. */
  readonly code: string
  /** Finds the device's token when the session is no longer remembered. */
  readonly phone?: string | undefined
}

export interface VerifyNumberInput {
  /** The `requestId` of the login that your backend started. */
  readonly sessionId: string
  /** What the verifier's app gave yours, in the form of that verifier. */
  readonly proof: { readonly [field: string]: unknown }
  /** What the verifier handed back with it. Given here, it must be the `sessionId`. */
  readonly state?: string | undefined
}

export interface TruecallerInput {
  /** The `requestId` of the login that your backend started. */
  readonly sessionId: string
  /** What Truecaller's app gave yours: its `authorizationCode`. */
  readonly code: string
  /** The PKCE verifier that your app made for it. */
  readonly codeVerifier: string
  /** What Truecaller handed back with the code. Given here, it must be the `sessionId`. */
  readonly state?: string | undefined
}

export interface VerifyResult {
  /** False for a wrong code, which is not an error, and for a number that is not Truecaller's. */
  readonly verified: boolean
  /** What your backend confirms before it signs anybody in. */
  readonly requestId: string
}

/** How a wait for an approval ended. */
export interface Approval {
  /** `FAILED`: refused, or no message could be delivered. `EXPIRED`: nobody approved it in time. */
  readonly status: "VERIFIED" | "FAILED" | "EXPIRED"
}

export interface CallOptions {
  /** Stops at once and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

export interface WaitOptions extends CallOptions {
  /** How long to wait in all. Default 15 minutes: no link lives longer, unless it is sent again. */
  readonly timeoutMs?: number | undefined
}

export interface InitiateOptions extends CallOptions {
  /** A UUID. Calls with the same one send one message and get one answer. Each call has its own by default. */
  readonly idempotencyKey?: string | undefined
}

export interface Client {
  /** Sends a code. */
  readonly initiate: (input: InitiateInput, options?: InitiateOptions) => Promise<Session>
  /** Sends the session's code again, with a fresh expiry. */
  readonly resend: (input: ResendInput, options?: CallOptions) => Promise<Session>
  /**
   * Checks a code. A true `verified` is news for the person, not proof for your backend, which has to confirm.
   *
   * If the call fails without an answer, call it again with the same input: it is counted as one try.
   */
  readonly verify: (input: VerifyInput, options?: CallOptions) => Promise<VerifyResult>
  /**
   * Verifies the number that a verifier knows, such as `TRUECALLER`: the one that your backend asked for as `channel`. Its
   * `verified` is news for the person, as that of `verify`.
   */
  readonly verifyNumber: (verifier: string, input: VerifyNumberInput, options?: CallOptions) => Promise<VerifyResult>
  /** Verifies the number that Truecaller knows. Its `verified` is news for the person, as that of `verify`. */
  readonly truecaller: (input: TruecallerInput, options?: CallOptions) => Promise<VerifyResult>
  /**
   * Waits until somebody approves a login that your backend started with a link, or until it is over. It asks about
   * every second at first and every five later, and at once when the page is looked at again or the network comes back; a
   * service that is away or busy does not end it. `VERIFIED` is news for the person, not proof for your backend.
   *
   * It rejects with `TIMEOUT` after `timeoutMs`.
   */
  readonly waitForApproval: (sessionId: string, options?: WaitOptions) => Promise<Approval>
  /** Stops remembering this device for a number, or for all: for a person who signs out of a shared device. */
  readonly forgetDevice: (phone?: string) => Promise<void>
  /** Tells that the person opened the app or page, if they agreed. It is remembered, and its id answered; null without consent. */
  readonly launch: (input: LaunchInput) => Promise<string | null>
  /** Tells that the person did what you hoped for, and answers the conversion's id. */
  readonly conversion: (input: ConversionInput) => Promise<string>
  /** Withdraws the consent: every launch that is remembered is erased, with all that it led to. */
  readonly withdraw: () => Promise<void>
}

type Answer = Readonly<Record<string, unknown>>

const isStarted = (answer: Answer): answer is Answer & Session & { readonly deviceToken?: string | null } =>
  typeof answer["sessionId"] === "string" && typeof answer["oneTapApplied"] === "boolean"

const isVerifyResult = (answer: Answer): answer is Answer & VerifyResult =>
  typeof answer["verified"] === "boolean" && typeof answer["requestId"] === "string"

/**
 * Verifies phone numbers from an app, with the public key.
 *
 * Its calls reject with `CountersignError`. Where the service was busy or out of reach they have tried again before, with
 * one `Idempotency-Key`, so that nobody gets two messages.
 *
 * @example
 * ```ts
 * import { createClient } from "@countersign/sdk"
 *
 * const countersign = createClient({
 *   baseUrl: "https://verify.example.com",
 *   publicKey: "pk_live_…",
 *   sessionToken: () => fetch("/api/session-token").then((response) => response.text()),
 *   storage: localStorage
 * })
 *
 * const phone = "+919876543210"
 * const { sessionId } = await countersign.initiate({ phone })
 * const { verified, requestId } = await countersign.verify({ sessionId, code: "482913", phone })
 * if (verified) await fetch("/api/login", { method: "POST", body: requestId })
 * ```
 */
export const createClient = (options: ClientOptions): Client => {
  const sessionToken = makeSessionToken(options.sessionToken)
  const devices = makeDeviceTokens(options, `countersign:${options.publicKey}`)
  const launches = makeLaunches(options, `countersign:${options.publicKey}:launches`)
  let unanswered: { readonly body: string; readonly key: string } | undefined

  const start = (
    input: InitiateInput & { readonly sessionId?: string },
    { idempotencyKey: key = idempotencyKey(), signal }: InitiateOptions = {}
  ) =>
    abortable(signal, async (): Promise<Session> => {
      const { phone, sessionId } = input
      const [deviceToken, launchId] = await Promise.all([devices.find(sessionId, phone), launches.latest()])
      const answer = await request(options, {
        path: "/v1/sdk/auth/initiate",
        headers: { "x-public-key": options.publicKey, "idempotency-key": key },
        body: JSON.stringify({ launchId, ...input, deviceToken }),
        signal,
        accepts: isStarted
      })
      const { deviceToken: next, ...session } = answer
      await devices.remember(phone, session.sessionId, next ?? null, deviceToken)
      return session
    })

  /** Posts what a number verifier's app gave this one. */
  const proved = (path: string, input: object, signal: AbortSignal | undefined) =>
    abortable(signal, () =>
      request(options, {
        path: `/v1/sdk/auth/${path}`,
        headers: { "x-public-key": options.publicKey, "idempotency-key": idempotencyKey() },
        body: JSON.stringify(input),
        signal,
        accepts: isVerifyResult
      })
    )

  /** Asks with a session token, and once more with a fresh one if that is refused. */
  const asked = async <A>(call: Call<A>): Promise<A> => {
    const attempt = async (token: Promise<string>) =>
      request(options, { ...call, headers: { ...call.headers, authorization: `Bearer ${await token}` } })
    const token = sessionToken.get()
    return attempt(token).catch((error: unknown) => {
      if (!(error instanceof CountersignError) || error.status !== 401) throw error
      sessionToken.forget(token)
      return attempt(sessionToken.get())
    })
  }

  return {
    initiate: start,
    resend: start,
    verify: ({ code, phone, sessionId }, { signal } = {}) =>
      abortable(signal, async () => {
        const deviceToken = await devices.find(sessionId, phone)
        const body = JSON.stringify({ sessionId, code, deviceToken })
        if (unanswered?.body !== body) unanswered = { body, key: idempotencyKey() }
        const { key } = unanswered
        const answer = await asked({
          path: "/v1/sdk/auth/verify",
          headers: { "idempotency-key": key },
          body,
          signal,
          accepts: isVerifyResult
        })
        if (unanswered?.key === key) unanswered = undefined
        return answer
      }),
    verifyNumber: (verifier, input, { signal } = {}) =>
      proved(`verify-number/${encodeURIComponent(verifier)}`, input, signal),
    truecaller: (input, { signal } = {}) => proved("truecaller", input, signal),
    waitForApproval: (sessionId, waitOptions = {}) => {
      const { signal } = waitOptions
      const path = `/v1/sdk/auth/status?sessionId=${encodeURIComponent(sessionId)}`
      const ask = () => asked({ path, headers: {}, signal, accepts: isStanding })
      return abortable(signal, () => untilDecided(ask, waitOptions))
    },
    forgetDevice: devices.forget,
    launch: launches.launch,
    conversion: launches.conversion,
    withdraw: launches.withdraw
  }
}
