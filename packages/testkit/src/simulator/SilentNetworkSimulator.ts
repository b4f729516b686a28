import { Effect, type Scope } from "effect"
import { randomUUID } from "node:crypto"
import type { ServerResponse } from "node:http"
import { type Exchange, listen } from "../channel/ProviderServer.ts"
import type { Person, VerifierBehaviour, VerifierDouble } from "../verifier/VerifierDouble.ts"

/** All options have defaults. */
export interface Options {
  readonly accountSid?: string
  readonly authToken?: string
  readonly verifyService?: string
  /** A free port by default. */
  readonly port?: number
}

/** The network over which a phone opens an address. */
export type PhoneNetwork =
  /** Mobile data of the SIM with this number, in E.164 digits. */
  | { readonly mobile: string }
  /** Wi-Fi, or a VPN: the carrier does not see the SIM. */
  | "wifi"

/** A simulated Twilio Verify with Silent Network Auth. */
export interface SilentNetworkSimulator extends VerifierDouble {
  readonly accountSid: string
  readonly authToken: string
  readonly verifyService: string
  readonly consent: (person: Person, url?: string) => Effect.Effect<{ readonly answer: string }>
  /**
   * Simulates a phone that opens the address: what it would read. A real phone's request needs the header
   * `x-simulated-number` with the number of its SIM; without it, it comes over Wi-Fi.
   */
  readonly open: (url: string, network: PhoneNetwork) => string
  /** Numbers that begin with these digits belong to a carrier that does not take part. */
  readonly withoutCarrier: (prefixes: ReadonlyArray<string>) => void
}

interface Verification {
  readonly sid: string
  readonly to: string
  readonly clientToken: string | null
  state: "pending" | "opened" | "otherNetwork" | "otherNumber" | "used"
}

const retryAfterSeconds = 7
const slowly = 300
/** More than any client should read, in chunks. */
const flood = Buffer.alloc(64 * 1024, " ")
const floods = 1024

const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(JSON.stringify(body))
}

const error = (response: ServerResponse, status: number, code: number, message: string) =>
  json(response, status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status })

const page = (response: ServerResponse, status: number) => {
  response.writeHead(status, { "content-type": "text/html" })
  response.end("<html><h1>Sorry</h1></html>")
}

const attemptsOf = ({
  state
}: Verification): ReadonlyArray<{ readonly attempt_sid: string; readonly code: number }> => {
  const code = { pending: 60519, otherNetwork: 60510, otherNumber: 60510, opened: 0, used: 0 }[state]
  return code === 0 ? [] : [{ attempt_sid: `VL${"0".repeat(32)}`, code }]
}

/**
 * Starts Twilio's Verify API with Silent Network Auth on 127.0.0.1: it begins a verification, plays the carrier behind
 * the address, and checks. It requires the client token where a verification enables it, and answers an address and a
 * check once.
 *
 * @example
 * ```ts
 * import { SilentNetworkSimulator } from "@countersign/testkit/simulators"
 * import { Effect } from "effect"
 *
 * const test = Effect.gen(function* () {
 *   const twilio = yield* SilentNetworkSimulator.make()
 *   // Start your service with TWILIO_VERIFY_URL=twilio.url, initiate, and start in the app; then:
 *   const answer = twilio.open("https://…", { mobile: "919876543210" })
 *   console.log(answer) // what the app posts
 * }).pipe(Effect.scoped)
 * ```
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<SilentNetworkSimulator, never, Scope.Scope> {
  const accountSid = options.accountSid ?? "AC00000000000000000000000000000001"
  const authToken = options.authToken ?? "simulated_auth_token_0123456789ab"
  const verifyService = options.verifyService ?? "VA00000000000000000000000000000001"
  const credentials = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`
  const service = `/v2/Services/${verifyService}`
  const seen: Array<string> = []
  const bySid = new Map<string, Verification>()
  const byAddress = new Map<string, Verification>()
  let withoutCarrier: ReadonlyArray<string> = []
  let playing: VerifierBehaviour = "accepted"
  let url = ""

  const open = (address: string, network: PhoneNetwork): string => {
    const verification = byAddress.get(new URL(address).pathname)
    if (verification === undefined || verification.state !== "pending") {
      return "ErrorCode=-1&ErrorDescription=Invalid or expired URL"
    }
    if (network === "wifi") {
      verification.state = "otherNetwork"
      return "ErrorCode=-40&ErrorDescription=Not a mobile network"
    }
    verification.state = network.mobile === verification.to ? "opened" : "otherNumber"
    const token = verification.clientToken === null ? "" : `&SnaClientToken=${verification.clientToken}`
    return `ErrorCode=0&ErrorDescription=Success&Carrier=SIM${token}`
  }

  const begin = (response: ServerResponse, form: URLSearchParams) => {
    const to = form.get("To") ?? ""
    if (form.get("Channel") !== "sna") return error(response, 400, 60200, "Invalid parameter `Channel`")
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return error(response, 400, 60200, `Invalid parameter \`To\`: ${to}`)
    if (withoutCarrier.some((prefix) => to.startsWith(`+${prefix}`))) {
      return error(response, 403, 60008, `Carrier of ${to} is not supported`)
    }
    const verification: Verification = {
      sid: `VE${randomUUID().replaceAll("-", "")}`,
      to: to.slice(1),
      clientToken: form.get("EnableSnaClientToken") === "true" ? `snact.${randomUUID()}` : null,
      state: "pending"
    }
    const path = `/sna/${randomUUID()}`
    bySid.set(verification.sid, verification)
    byAddress.set(path, verification)
    return json(response, 201, {
      sid: verification.sid,
      service_sid: verifyService,
      account_sid: accountSid,
      to,
      channel: "sna",
      status: "pending",
      valid: false,
      sna: { url: `${url}${path}` }
    })
  }

  const check = (response: ServerResponse, form: URLSearchParams) => {
    const verification = bySid.get(form.get("VerificationSid") ?? "")
    if (verification === undefined || verification.state === "used" || playing === "refused") {
      return error(response, 404, 20404, "The requested resource was not found")
    }
    const isRight = verification.clientToken === null || form.get("SnaClientToken") === verification.clientToken
    const isApproved = verification.state === "opened" && isRight
    const attempts = attemptsOf(verification)
    if (isApproved) verification.state = "used"
    if (playing === "brokenAfter" || playing === "brokenLater") return page(response, 500)
    if (playing === "garbledLater") return page(response, 200)
    return json(response, 200, {
      sid: verification.sid,
      service_sid: verifyService,
      account_sid: accountSid,
      to: `+${verification.to}`,
      channel: "sna",
      status: isApproved ? "approved" : "pending",
      valid: isApproved,
      sna_attempts_error_codes: attempts
    })
  }

  const pour = (response: ServerResponse, left = floods): void => {
    if (left === 0 || response.destroyed) return void response.end(JSON.stringify({ status: "approved" }))
    response.write(flood, () => pour(response, left - 1))
  }

  const treat = ({ body, raw, request, response }: Exchange): unknown => {
    const { pathname } = new URL(request.url ?? "/", "http://127.0.0.1")
    if (byAddress.has(pathname)) {
      const number = request.headers["x-simulated-number"]
      response.writeHead(200, { "content-type": "text/plain" })
      return response.end(open(`http://127.0.0.1${pathname}`, typeof number === "string" ? { mobile: number } : "wifi"))
    }
    const at = `${request.method} ${pathname}`
    seen.push(raw)
    if (playing === "hanging") return
    if (playing === "slam") return response.destroy()
    if (playing === "broken") return page(response, 500)
    if (playing === "unavailable") return page(response, 503)
    if (playing === "garbled") return page(response, 200)
    if (playing === "overloaded") {
      return json(response, 429, { code: 20429, message: body }, { "retry-after": String(retryAfterSeconds) })
    }
    if (playing === "huge") {
      response.writeHead(200, { "content-type": "application/json" })
      return pour(response)
    }
    if (typeof playing === "object") {
      response.writeHead(307, { location: `${playing.redirect}${request.url}` })
      return response.end()
    }
    if (request.headers.authorization !== credentials || playing === "unknownAccount") {
      return error(response, 401, 20003, "Authenticate")
    }
    const form = new URLSearchParams(body)
    const answer = () => {
      if (at === `GET ${service}`) return json(response, 200, { sid: verifyService, friendly_name: "Simulated" })
      if (at === `POST ${service}/Verifications`) return begin(response, form)
      if (at === `POST ${service}/VerificationCheck`) return check(response, form)
      return error(response, 404, 20404, "The requested resource was not found")
    }
    return playing === "slow" ? setTimeout(answer, slowly) : answer()
  }

  url = yield* listen(treat, options.port)
  return {
    url,
    accountSid,
    authToken,
    verifyService,
    retryAfterSeconds,
    open,
    withoutCarrier: (prefixes) => {
      withoutCarrier = prefixes
    },
    consent: ({ phone }, address = "") =>
      Effect.sync(() => ({ answer: open(address, phone === null ? "wifi" : { mobile: phone }) })),
    play: (next) =>
      Effect.sync(() => {
        playing = next
      }),
    seen: Effect.sync(() => [...seen]),
    secrets: Effect.sync(() => [...bySid.values()].flatMap(({ clientToken, sid }) => [sid, clientToken ?? sid]))
  }
})
