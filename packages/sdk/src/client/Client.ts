import { CountersignError } from "../CountersignError.ts"
import { abortable } from "../request/abortable.ts"
import { idempotencyKey } from "../request/idempotencyKey.ts"
import { type Call, type Connection, request } from "../request/request.ts"
import { answering, type OnChallenge } from "./answering.ts"
import { type KeyValueStorage, makeDeviceTokens } from "./DeviceTokens.ts"
import { type ConversionInput, type LaunchInput, makeLaunches } from "./Launches.ts"
import type { CallOptions, Session, VerifyResult } from "./Session.ts"
import { numberOrCode, type NumberOrCode, type NumberOrCodeInput } from "./numberOrCode.ts"
import { makeSessionToken } from "./SessionToken.ts"
import { isStatusAnswer, untilDecided } from "./untilDecided.ts"

export interface ClientOptions extends Connection {
  /** `pk_live_…` or `pk_test_…`: the only key that an app may contain. */
  readonly publicKey: string
  /**
   * Fetches a session token from your backend (`createSession` of `@countersign/sdk/server`). The client caches it until
   * shortly before it expires, and fetches a new one when the service refuses it. Its errors reach the caller of `verify`.
   */
  readonly sessionToken: () => string | Promise<string>
  /**
   * Stores the device's tokens for OneTap: `localStorage` and `AsyncStorage` work as they are. Without it, tokens are lost
   * when the page or app is closed. A failing storage never fails a call.
   */
  readonly storage?: KeyValueStorage | undefined
  /**
   * Told when a request looks like part of an attack, so that the service asks for a challenge before it sends a code. The
   * SDK solves a proof of work by itself, in about a second; show your captcha for the kind `CAPTCHA`.
   */
  readonly onChallenge?: OnChallenge | undefined
}

/** Details of the device, for audit. All are optional. */
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
  /** Default: `auto`, the account's primary channel with its fallback. */
  readonly channel?: SdkChannel | undefined
  /** The name of a template. Default: the account's default template. */
  readonly template?: string | undefined
  /** Your own reference. */
  readonly orderId?: string | undefined
  /** The launch that led to this verification. Default: the latest recorded one. */
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

export interface VerifyInput {
  readonly sessionId: string
  /** The code as the user typed it. */
  readonly code: string
  /** Finds the device's token when the session is no longer stored. */
  readonly phone?: string | undefined
}

export interface VerifyNumberInput {
  /** The `requestId` of the login that your backend started. */
  readonly sessionId: string
  /** The proof from the verifier's app, in that verifier's format. */
  readonly proof: { readonly [field: string]: unknown }
  /** The `state` that the verifier returned. Must equal the `sessionId`. */
  readonly state?: string | undefined
  /** What the start of this login returned, for a verifier that has one. */
  readonly start?: string | undefined
}

export interface TruecallerInput {
  /** The `requestId` of the login that your backend started. */
  readonly sessionId: string
  /** The `authorizationCode` from Truecaller's app. */
  readonly code: string
  /** The PKCE verifier that your app created for the code. */
  readonly codeVerifier: string
  /** The `state` that Truecaller returned. Must equal the `sessionId`. */
  readonly state?: string | undefined
}

/** The result of a wait for an approval. */
export interface Approval {
  /** `FAILED`: refused, or no message could be delivered. `EXPIRED`: not approved in time. */
  readonly status: "VERIFIED" | "FAILED" | "EXPIRED"
}

export interface WaitOptions extends CallOptions {
  /** The total time to wait. Default: 15 minutes, the longest life of a link that is not resent. */
  readonly timeoutMs?: number | undefined
}

export interface InitiateOptions extends CallOptions {
  /** A UUID. Calls with the same key send one message and get one answer. Default: a new key per call. */
  readonly idempotencyKey?: string | undefined
}

export interface Client {
  /** Sends a code. */
  readonly initiate: (input: InitiateInput, options?: InitiateOptions) => Promise<Session>
  /** Resends the session's code with a new expiry. */
  readonly resend: (input: ResendInput, options?: CallOptions) => Promise<Session>
  /**
   * Checks a code. A true `verified` is for the user interface only: your backend must confirm it.
   *
   * If the call fails without an answer, repeat it with the same input: it counts as one attempt.
   */
  readonly verify: (input: VerifyInput, options?: CallOptions) => Promise<VerifyResult>
  /**
   * Verifies a number with the number verifier that your backend named as `channel`, and sends a code at once if that
   * fails for any reason: no mobile data, another SIM, a refusal, or no answer in time. As with `verify`, your backend
   * must confirm the result.
   */
  readonly verifyNumber: (input: NumberOrCodeInput, options?: CallOptions) => Promise<NumberOrCode>
  /** Posts a proof that the app has from a verifier such as `TRUECALLER`. Your backend must confirm `verified`. */
  readonly proveNumber: (verifier: string, input: VerifyNumberInput, options?: CallOptions) => Promise<VerifyResult>
  /** Verifies a number with Truecaller. As with `verify`, your backend must confirm `verified`. */
  readonly truecaller: (input: TruecallerInput, options?: CallOptions) => Promise<VerifyResult>
  /**
   * Waits until a login that your backend started with a link is approved, refused or expired. It polls every second at
   * first and every five seconds later, and immediately when the page becomes visible or the network returns. An
   * unreachable or busy service does not end the wait. Your backend must confirm `VERIFIED`.
   *
   * It rejects with `TIMEOUT` after `timeoutMs`.
   */
  readonly waitForApproval: (sessionId: string, options?: WaitOptions) => Promise<Approval>
  /** Deletes this device's tokens for a number, or for all. Call it when a user signs out of a shared device. */
  readonly forgetDevice: (phone?: string) => Promise<void>
  /** Records that the user opened the app or page, and stores the launch. Returns its id, or null without consent. */
  readonly launch: (input: LaunchInput) => Promise<string | null>
  /** Records a conversion and returns its id. */
  readonly conversion: (input: ConversionInput) => Promise<string>
  /** Withdraws the consent: erases every stored launch and everything attributed to it. */
  readonly withdraw: () => Promise<void>
}

type Answer = Readonly<Record<string, unknown>>

const isStarted = (answer: Answer): answer is Answer & Session & { readonly deviceToken?: string | null } =>
  typeof answer["sessionId"] === "string" && typeof answer["oneTapApplied"] === "boolean"

const isStartedNumber = (answer: Answer): answer is Answer & { readonly url: string | null; readonly start: string } =>
  typeof answer["start"] === "string" && (answer["url"] === null || typeof answer["url"] === "string")

const isVerifyResult = (answer: Answer): answer is Answer & VerifyResult =>
  typeof answer["verified"] === "boolean" && typeof answer["requestId"] === "string"

/**
 * Verifies phone numbers from an app, with the public key.
 *
 * Calls reject with `CountersignError`, after retries when the service was busy or unreachable. Retries use the same
 * `Idempotency-Key`, so a user never gets two messages.
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
      const answer = await answering(
        (challenge) =>
          request(options, {
            path: "/v1/sdk/auth/initiate",
            headers: { "x-public-key": options.publicKey, "idempotency-key": key },
            body: JSON.stringify({ launchId, ...input, deviceToken, challenge }),
            signal,
            accepts: isStarted
          }),
        options.onChallenge,
        signal
      )
      const { deviceToken: next, ...session } = answer
      await devices.remember(phone, session.sessionId, next ?? null, deviceToken)
      return session
    })

  /** A call with the public key, for a number verifier. */
  const aboutNumber = (path: string, input: object, signal: AbortSignal | undefined) => ({
    path: `/v1/sdk/auth/${path}`,
    headers: { "x-public-key": options.publicKey, "idempotency-key": idempotencyKey() },
    body: JSON.stringify(input),
    signal
  })

  /** Posts the proof of a number verifier. */
  const proved = (path: string, input: object, signal: AbortSignal | undefined) =>
    abortable(signal, () => request(options, { ...aboutNumber(path, input, signal), accepts: isVerifyResult }))

  /** Calls with a session token, and once more with a new one if it is refused. */
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
    verifyNumber: (input, callOptions = {}) => {
      const { channel, phone, sessionId, template, verifier } = input
      const path = `verify-number/${encodeURIComponent(verifier)}`
      // A code is faster than a second try.
      const once = { ...options, retries: 0 }
      return numberOrCode(
        input,
        {
          start: (signal) =>
            request(once, { ...aboutNumber(`${path}/start`, { sessionId }, signal), accepts: isStartedNumber }),
          verify: (body, signal) => request(once, { ...aboutNumber(path, body, signal), accepts: isVerifyResult }),
          sendCode: () => start({ phone, channel, template }, callOptions)
        },
        callOptions
      )
    },
    proveNumber: (verifier, input, { signal } = {}) =>
      proved(`verify-number/${encodeURIComponent(verifier)}`, input, signal),
    truecaller: (input, { signal } = {}) => proved("truecaller", input, signal),
    waitForApproval: (sessionId, waitOptions = {}) => {
      const { signal } = waitOptions
      const path = `/v1/sdk/auth/status?sessionId=${encodeURIComponent(sessionId)}`
      const ask = () => asked({ path, headers: {}, signal, accepts: isStatusAnswer })
      return abortable(signal, () => untilDecided(ask, waitOptions))
    },
    forgetDevice: devices.forget,
    launch: launches.launch,
    conversion: launches.conversion,
    withdraw: launches.withdraw
  }
}
