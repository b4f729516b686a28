import {
  ChannelError,
  checkOptions,
  type InvalidOptions,
  type NumberLogin,
  type NumberStart,
  type NumberVerifier,
  OpenedProof,
  type OptionRules,
  OutcomeUnknown,
  type Proof,
  ProviderCheckFailed,
  Refused,
  Unavailable
} from "@countersign/core/channel"
import { type Answered, apiUrlProblem, ask, field, json, type Reply, trimmed } from "@countersign/provider-http"
import { Effect, Redacted, Result } from "effect"
import { callbackName as provider } from "./Options.ts"

/** The Twilio account and its Verify service. */
export interface Options {
  /** `AC…`, from the console. */
  readonly accountSid: string
  /** The account's auth token. */
  readonly authToken: Redacted.Redacted
  /** `VA…`: a Verify service whose Silent Network Auth the carriers have approved. */
  readonly verifyService: string
  /** The API's URL, for proxies and tests, and for another region of Twilio's. */
  readonly verifyUrl?: string | undefined
}

export const defaultVerifyUrl = "https://verify.twilio.com"

type Reason = ChannelError["reason"]

const name = "TWILIO_SNA"

const rules: OptionRules<Options> = {
  accountSid: ({ accountSid }) => (/^AC[0-9a-fA-F]{32}$/.test(accountSid) ? null : "must be AC and 32 hex digits"),
  authToken: ({ authToken }) =>
    /^[\x21-\x7e]+$/.test(Redacted.value(authToken)) ? null : "must be visible ASCII without spaces",
  verifyService: ({ verifyService }) =>
    /^VA[0-9a-fA-F]{32}$/.test(verifyService) ? null : "must be VA and 32 hex digits",
  // Must be encrypted: an attacker in between could report any number as verified.
  verifyUrl: ({ verifyUrl }) => apiUrlProblem(verifyUrl)
}

/**
 * Codes for a network that cannot verify the number: the carrier does not take part, the phone did not use mobile data,
 * or the address failed. A code can still be sent.
 */
const ofTheNetwork: ReadonlySet<number> = new Set([60008, 60510, 60520])
/** Codes for the phone number itself. */
const ofTheNumber: ReadonlySet<number> = new Set([60200, 60540])
/** The app has not opened the address yet. */
const pending = 60519
/** The verification is unknown: used, expired, or cancelled. */
const unknownVerification = 20404

const codeReason = (code: number): Reason => {
  const providerCode = String(code)
  if (code === pending) return new Unavailable({ providerCode, retryAfterSeconds: 1, because: "recipient" })
  if (ofTheNetwork.has(code)) return new Refused({ providerCode, because: "channel" })
  return ofTheNumber.has(code) ? new Refused({ providerCode, because: "recipient" }) : new Refused({ providerCode })
}

/** The reason of an answer that is no success, by its status and by Twilio's code. */
const failureOf = (reply: Reply): Reason => {
  if (reply._tag === "NotReached") return new Unavailable({ providerCode: "not_reached" })
  if (reply._tag === "Lost") return new OutcomeUnknown({ providerCode: "no_answer" })
  const { retryAfterSeconds, status } = reply
  const found = field(json(reply), "code")
  const code = typeof found === "number" && Number.isSafeInteger(found) ? found : null
  const providerCode = code === null ? `http_${status}` : String(code)
  if (status === 429 || status === 503) {
    return new Unavailable({ providerCode, ...(retryAfterSeconds === null ? {} : { retryAfterSeconds }) })
  }
  if (status === 404 && code === unknownVerification) return new Refused({ providerCode })
  if (status >= 400 && status < 500) {
    const isKnown = code !== null && (ofTheNetwork.has(code) || ofTheNumber.has(code) || code === pending)
    return isKnown ? codeReason(code) : new Refused({ providerCode, because: "account" })
  }
  return new OutcomeUnknown({ providerCode })
}

const unreadable = new OutcomeUnknown({ providerCode: "unreadable" })

const read = <A>(reply: Reply, status: number, parse: (body: unknown) => Result.Result<A, Reason>) =>
  reply._tag === "Answered" && reply.status === status ? parse(json(reply as Answered)) : Result.fail(failureOf(reply))

const isSid = (value: unknown): value is string => typeof value === "string" && /^VE[0-9a-fA-F]{32}$/.test(value)

/** An address that a phone can open. */
const isAddress = (value: unknown): value is string =>
  typeof value === "string" && value.length <= 4096 && apiUrlProblem(value.split(/[?#]/)[0]) === null

const startOf = (body: unknown): Result.Result<NumberStart, Reason> => {
  const [sid, url] = [field(body, "sid"), field(body, "sna", "url")]
  return isSid(sid) && isAddress(url) ? Result.succeed({ url, kept: sid }) : Result.fail(unreadable)
}

/** The last error of the attempts, as a number, a text, or an object with `code`. */
const attemptCode = (body: unknown): number | null => {
  const codes = field(body, "sna_attempts_error_codes")
  const last: unknown = Array.isArray(codes) ? codes.at(-1) : undefined
  const code = Number(typeof last === "object" && last !== null ? field(last, "code") : last)
  return Number.isSafeInteger(code) ? code : null
}

const proofOf =
  (sid: string) =>
  (body: unknown): Result.Result<Proof, Reason> => {
    const [status, to] = [field(body, "status"), field(body, "to")]
    if (typeof status !== "string" || field(body, "sid") !== sid) return Result.fail(unreadable)
    if (status === "approved") {
      return typeof to === "string" && /^\+[1-9]\d{6,14}$/.test(to)
        ? Result.succeed({ phone: to.slice(1), isVerified: true })
        : Result.fail(unreadable)
    }
    const code = attemptCode(body)
    return Result.fail(code === null ? new Refused({ providerCode: "not_approved" }) : codeReason(code))
  }

const plain = (name: string) => name.toLowerCase().replaceAll("_", "")

const fieldsOf = (answer: string): ReadonlyMap<string, string> => {
  try {
    const body: unknown = JSON.parse(answer)
    if (typeof body === "object" && body !== null) {
      return new Map(Object.entries(body).map(([key, value]) => [plain(key), String(value)]))
    }
  } catch {
    // It is a form.
  }
  return new Map([...new URLSearchParams(answer.trim())].map(([key, value]) => [plain(key), value]))
}

/** What the opened address told the phone: the client token, or why there is none. */
const clientTokenOf = (answer: string): Result.Result<string, Reason> => {
  const fields = fieldsOf(answer)
  const error = fields.get("errorcode") ?? "0"
  if (error !== "0") return Result.fail(new Refused({ providerCode: "client_error", because: "channel" }))
  const token = fields.get("snaclienttoken") ?? fields.get("clienttoken") ?? fields.get("token")
  // Without the token, anybody who knows the login could claim that the phone opened the address.
  return token !== undefined && /^[\x21-\x7e]{1,4096}$/.test(token)
    ? Result.succeed(token)
    : Result.fail(new Refused({ providerCode: "no_client_token" }))
}

const verifierOf = ({ accountSid, authToken, verifyService, verifyUrl }: Options): NumberVerifier<OpenedProof> => {
  const root = `${trimmed(verifyUrl ?? defaultVerifyUrl)}/v2/Services/${verifyService}`
  const authorization = () =>
    `Basic ${Buffer.from(`${accountSid}:${Redacted.value(authToken)}`, "utf8").toString("base64")}`
  const post = (path: string, form: { readonly [name: string]: string }) =>
    ask({
      url: `${root}${path}`,
      headers: {
        accept: "application/json",
        authorization: authorization(),
        "content-type": "application/x-www-form-urlencoded"
      },
      body: new URLSearchParams(form).toString()
    })
  const told = <A>(result: Result.Result<A, Reason>): Effect.Effect<A, ChannelError> =>
    Effect.mapError(Effect.fromResult(result), (reason) => new ChannelError({ channel: name, reason }))

  return {
    name,
    label: "Silent network authentication",
    provider,
    payload: OpenedProof,
    refusal:
      "was rejected: the address works once, for ten minutes, on the phone whose number it verifies. Start again in the app",
    start: Effect.fnUntraced(function* ({ phone }: NumberLogin): Effect.fn.Return<NumberStart, ChannelError> {
      const reply = yield* post("/Verifications", { To: `+${phone}`, Channel: "sna", EnableSnaClientToken: "true" })
      return yield* told(read(reply, 201, startOf))
    }),
    verify: Effect.fnUntraced(function* ({ answer }: OpenedProof, { kept }: NumberLogin) {
      const SnaClientToken = yield* told(clientTokenOf(Redacted.value(answer)))
      const sid = kept ?? ""
      const reply = yield* post("/VerificationCheck", { VerificationSid: sid, SnaClientToken })
      return yield* told(read(reply, 200, proofOf(sid)))
    }),
    check: Effect.flatMap(
      ask({ url: root, method: "GET", headers: { accept: "application/json", authorization: authorization() } }),
      (reply) => {
        const fail = (problem: string, advice: string) => Effect.fail(new ProviderCheckFailed({ problem, advice }))
        if (reply._tag !== "Answered") return fail("is unreachable", "check that this machine can reach Twilio")
        if (reply.status === 200) return Effect.succeed({ detail: "the Verify service exists" })
        if (reply.status === 404) return fail("does not know the Verify service", "compare it with Twilio's console")
        return reply.status === 401 || reply.status === 403
          ? fail("does not accept the account and its token", "compare both with Twilio's console")
          : fail(`gave an unexpected answer (HTTP ${reply.status})`, "try again")
      }
    )
  }
}

/**
 * Verifies numbers with Twilio's Silent Network Auth: the carrier confirms over mobile data that the phone has the
 * number. Twilio returns a token to the phone that opened the address, and the check needs it.
 *
 * @example
 * ```ts
 * import { SilentNetworkAuth } from "@countersign/twilio"
 * import { Effect, Redacted } from "effect"
 *
 * const silent = await Effect.runPromise(
 *   SilentNetworkAuth.make({
 *     accountSid: "AC00000000000000000000000000000001",
 *     authToken: Redacted.make("your auth token"),
 *     verifyService: "VA00000000000000000000000000000001"
 *   })
 * )
 * ```
 */
export const make = (options: Options): Effect.Effect<NumberVerifier<OpenedProof>, InvalidOptions> =>
  Effect.map(Effect.fromResult(checkOptions(provider, options, rules)), verifierOf)
