import { Clock, Effect, type Scope } from "effect"
import type { ServerResponse } from "node:http"
import { type Exchange, listen } from "../channel/ProviderServer.ts"
import { flooded, json, page, redirected } from "../lineInfo/doubleAnswers.ts"
import type { Line, LineInfoBehaviour, LineInfoDouble } from "../lineInfo/LineInfoDouble.ts"

/** All options have defaults. */
export interface Options {
  readonly accountSid?: string
  readonly authToken?: string
  /**
   * Whether the country's carriers tell when a SIM was swapped; true by default. Otherwise they tell whether it was
   * swapped within the last 48 hours.
   */
  readonly tellsSwapDate?: boolean
  /** A free port by default. */
  readonly port?: number
}

/** A simulated Twilio Lookup. */
export interface TwilioLookupSimulator extends LineInfoDouble {
  readonly accountSid: string
  readonly authToken: string
  /** The packages that lookups requested so far, in order: one entry is one charge. */
  readonly charged: Effect.Effect<ReadonlyArray<string>>
  /** Makes these packages answer with an error of their own. */
  readonly failPackages: (codes: { readonly [name: string]: number }) => Effect.Effect<void>
}

const retryAfterSeconds = 7
const slowly = 300
const hour = 3_600_000
const periodHours = 48

const packages = ["line_type_intelligence", "sim_swap", "reassigned_number"] as const

const refused = (response: ServerResponse, status: number, code: number, message: string) =>
  json(response, status, { code, message, more_info: `https://www.twilio.com/docs/errors/${code}`, status })

/**
 * Starts Twilio Lookup v2 on 127.0.0.1, for tests of line facts through Twilio. It checks the credentials, returns only
 * the requested packages, and answers null in all others, as Twilio does. It also serves the account's resource.
 *
 * @example
 * ```ts
 * import { TwilioLookupSimulator } from "@countersign/testkit/simulators"
 * import { Effect } from "effect"
 *
 * const test = Effect.gen(function* () {
 *   const twilio = yield* TwilioLookupSimulator.make()
 *   yield* twilio.know({ number: "+14155550100", type: "nonFixedVoip", carrier: "Acme Voice" })
 *   // Start your service with TWILIO_LOOKUP_URL=twilio.url and its two credentials.
 * }).pipe(Effect.scoped)
 * ```
 */
export const make = Effect.fnUntraced(function* (
  options: Options = {}
): Effect.fn.Return<TwilioLookupSimulator, never, Scope.Scope> {
  const accountSid = options.accountSid ?? "AC00000000000000000000000000000001"
  const authToken = options.authToken ?? "simulated_auth_token_0123456789ab"
  const { tellsSwapDate = true } = options
  const clock = yield* Clock.Clock
  const seen: Array<string> = []
  const charged: Array<string> = []
  const lines = new Map<string, Line>()
  let playing: LineInfoBehaviour = "accepted"
  let failing: { readonly [name: string]: number } = {}

  const swapOf = ({ simSwappedAt }: Line, now: number) => {
    if (tellsSwapDate) {
      return {
        last_sim_swap_date: simSwappedAt === undefined ? null : new Date(simSwappedAt).toISOString(),
        swapped_period: `PT${periodHours}H`,
        swapped_in_period: simSwappedAt !== undefined && now - simSwappedAt <= periodHours * hour
      }
    }
    return {
      last_sim_swap_date: null,
      swapped_period: `PT${periodHours}H`,
      swapped_in_period: simSwappedAt !== undefined && now - simSwappedAt <= periodHours * hour
    }
  }

  const packageOf = (name: (typeof packages)[number], line: Line, since: string | null, now: number): unknown => {
    const error = failing[name]
    if (error !== undefined) return { error_code: error }
    const isSilent = playing === "silent"
    if (name === "line_type_intelligence") {
      return {
        type: isSilent ? null : (line.type ?? null),
        carrier_name: isSilent ? null : (line.carrier ?? null),
        mobile_country_code: "404",
        mobile_network_code: "45",
        error_code: null
      }
    }
    if (name === "sim_swap") {
      return {
        last_sim_swap: isSilent ? null : swapOf(line, now),
        carrier_name: line.carrier ?? null,
        mobile_country_code: "404",
        mobile_network_code: "45",
        error_code: null
      }
    }
    const { ownerSince } = line
    const isReassigned = ownerSince !== undefined && ownerSince.replaceAll("-", "") > (since ?? "")
    return {
      last_verified_date: since,
      is_number_reassigned: isSilent ? "no_data_available" : isReassigned ? "yes" : "no",
      error_code: null
    }
  }

  const lookUp = ({ request, response }: Exchange, number: string, query: URLSearchParams): void => {
    const line = lines.get(number) ?? { number }
    const fields = (query.get("Fields") ?? "").split(",")
    const unknown = fields.find((name) => !packages.some((known) => known === name))
    if (request.method !== "GET" || unknown !== undefined) return refused(response, 400, 60606, "Package not enabled")
    if (!/^\+[1-9]\d{5,14}$/.test(number)) return refused(response, 404, 20404, `${number} was not found`)
    charged.push(...fields)
    const now = clock.currentTimeMillisUnsafe()
    const answer = {
      calling_country_code: "91",
      country_code: "IN",
      phone_number: number,
      national_format: number.slice(3),
      valid: true,
      validation_errors: [],
      caller_name: null,
      ...Object.fromEntries(
        packages.map((name) => [
          name,
          fields.includes(name) && (lines.has(number) || playing === "silent")
            ? packageOf(name, line, query.get("LastVerifiedDate"), now)
            : null
        ])
      ),
      url: `https://lookups.twilio.com/v2/PhoneNumbers/${number}`
    }
    if (playing === "huge") return flooded(response, answer)
    if (playing === "strange") {
      return json(response, 200, {
        phone_number: number,
        line_type_intelligence: { type: ["mobile"], carrier_name: 7 },
        sim_swap: { last_sim_swap: { last_sim_swap_date: "yesterday", swapped_in_period: "no", swapped_period: 48 } },
        reassigned_number: { is_number_reassigned: true }
      })
    }
    return json(response, 200, answer)
  }

  const treat = (exchange: Exchange): unknown => {
    const { raw, request, response } = exchange
    const { pathname, searchParams } = new URL(request.url ?? "", "http://localhost")
    seen.push(raw)
    if (playing === "hanging") return
    if (playing === "slam") return response.destroy()
    if (playing === "broken") return page(response, 500)
    if (playing === "unavailable") return page(response, 503)
    if (playing === "garbled") return page(response, 200)
    if (typeof playing === "object") return redirected(response, playing.redirect, request.url)
    if (playing === "overloaded") {
      return json(response, 429, { code: 20429, message: raw }, { "retry-after": String(retryAfterSeconds) })
    }
    const basic = `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString("base64")}`
    const isKnown = playing !== "unknownAccount" && request.headers.authorization === basic
    const answer = () => {
      if (!isKnown) return refused(response, 401, 20003, "Authenticate")
      if (pathname === `/2010-04-01/Accounts/${accountSid}.json`) {
        return json(response, 200, { sid: accountSid, status: "active", type: "Full" })
      }
      const [, number] = /^\/v2\/PhoneNumbers\/([^/]+)$/.exec(pathname) ?? []
      return number === undefined
        ? refused(response, 404, 20404, "The resource was not found")
        : lookUp(exchange, decodeURIComponent(number), searchParams)
    }
    return playing === "slow" ? setTimeout(answer, slowly) : answer()
  }

  const url = yield* listen(treat, options.port)
  return {
    url,
    accountSid,
    authToken,
    retryAfterSeconds,
    know: (line) => Effect.sync(() => void lines.set(line.number, line)),
    play: (next) =>
      Effect.sync(() => {
        playing = next
      }),
    failPackages: (codes) =>
      Effect.sync(() => {
        failing = codes
      }),
    charged: Effect.sync(() => [...charged]),
    seen: Effect.sync(() => [...seen]),
    secrets: Effect.sync(() => [authToken])
  }
})
