import {
  checkOptions,
  type InvalidOptions,
  type LineFact,
  type LineFacts,
  type LineInfo,
  LineInfoError,
  type LineRequest,
  type OptionRules,
  OutcomeUnknown,
  Refused,
  Unavailable
} from "@countersign/core/channel"
import { type Answered, ask, field, isBroken, json, type Reply, trimmed, unavailable } from "@countersign/provider-http"
import { Clock, Effect, Redacted, Result } from "effect"
import { check as checkAccount } from "./check.ts"
import * as Messages from "./Messages.ts"
import { callbackName as provider, defaultApiUrl, type Options, accountRules, urlProblem } from "./Options.ts"

/** The Twilio account, and the packages of Lookup that it may use. */
export interface LookupOptions extends Pick<Options, "accountSid" | "authToken"> {
  /**
   * What your account may look up. `type` and `carrier` are Line Type Intelligence. `simSwapped` and `simSwappedAt` are SIM
   * Swap, which carriers must approve. `recycled` is Reassigned Number, for numbers of the USA. Default: `type` and
   * `carrier`.
   */
  readonly facts?: ReadonlyArray<LineFact> | undefined
  /** The first digits of the numbers to look up, without `+`. Default: every number. */
  readonly prefixes?: ReadonlyArray<string> | undefined
  readonly lookupUrl?: string | undefined
  /** The URL of the account's resource, which `check` reads. */
  readonly apiUrl?: string | undefined
}

export const defaultLookupUrl = "https://lookups.twilio.com"

/** The package of each fact. Twilio charges for each package in `Fields`. */
const packages: { readonly [fact in LineFact]: string } = {
  type: "line_type_intelligence",
  carrier: "line_type_intelligence",
  simSwapped: "sim_swap",
  simSwappedAt: "sim_swap",
  recycled: "reassigned_number"
}

const rules: OptionRules<LookupOptions> = {
  ...accountRules,
  facts: ({ facts }) =>
    facts === undefined || (facts.length > 0 && facts.every((fact) => packages[fact] !== undefined))
      ? null
      : `must be a list of ${Object.keys(packages).join(", ")}`,
  prefixes: ({ prefixes }) =>
    prefixes === undefined || (prefixes.length > 0 && prefixes.every((prefix) => /^[1-9]\d{0,14}$/.test(prefix)))
      ? null
      : "must be a list of first digits, without +",
  lookupUrl: ({ lookupUrl }) => (lookupUrl === undefined ? null : urlProblem(lookupUrl)),
  apiUrl: ({ apiUrl }) => (apiUrl === undefined ? null : urlProblem(apiUrl))
}

const urlOf = (lookupUrl: string, { facts, number, recycledSince }: LineRequest): string => {
  const fields = [...new Set(facts.map((fact) => packages[fact]))].join(",")
  const since = facts.includes("recycled") ? `&LastVerifiedDate=${recycledSince.replaceAll("-", "")}` : ""
  return `${lookupUrl}/v2/PhoneNumbers/${encodeURIComponent(number)}?Fields=${fields}${since}`
}

const textIn = (value: unknown): string | null =>
  typeof value === "string" && /^[^\p{Cc}\p{Cs}]{1,100}$/u.test(value) ? value : null

const isTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})$/

const instantIn = (value: unknown): number | null => {
  const instant = typeof value === "string" && isTime.test(value) ? Date.parse(value) : Number.NaN
  return Number.isFinite(instant) ? instant : null
}

/** A package of an answer. Undefined when Twilio left it out, or reports an error for it alone. */
const packageIn = (body: unknown, name: string): unknown => {
  const result = field(body, name)
  const error = field(result, "error_code")
  return error === undefined || error === null ? result : undefined
}

const hour = 3_600_000

/**
 * The swap itself. Twilio says when the SIM was swapped, or only whether it was within `swapped_period`, an ISO 8601
 * duration in hours that belongs to the country.
 */
const swapOf = (swap: unknown, withinHours: number, now: number) => {
  const at = instantIn(field(swap, "last_sim_swap_date"))
  if (at !== null) return { at, isWithin: now - at <= withinHours * hour }
  const [, period] = /^PT(\d{1,4})H$/.exec(String(field(swap, "swapped_period"))) ?? []
  const isInPeriod = field(swap, "swapped_in_period")
  if (period === undefined || typeof isInPeriod !== "boolean") return { at, isWithin: null }
  // A swap in a shorter period is one in ours; no swap in a longer period is none in ours.
  const isTelling = isInPeriod ? Number(period) <= withinHours : Number(period) >= withinHours
  return { at, isWithin: isTelling ? isInPeriod : null }
}

const owners: ReadonlyMap<unknown, boolean> = new Map([
  ["yes", true],
  ["no", false]
])

/** The facts of an answer. Unknown words are kept, and unknown shapes are unknown facts. */
const factsIn = (body: unknown, request: LineRequest, now: number): Partial<LineFacts> => {
  const line = packageIn(body, "line_type_intelligence")
  const { at, isWithin } = swapOf(field(packageIn(body, "sim_swap"), "last_sim_swap"), request.simSwapHours, now)
  const type = textIn(field(line, "type"))
  return {
    type: type === "unknown" ? null : type,
    carrier: textIn(field(line, "carrier_name")),
    simSwapped: isWithin,
    simSwappedAt: at,
    recycled: owners.get(field(packageIn(body, "reassigned_number"), "is_number_reassigned")) ?? null
  }
}

type Reason = LineInfoError["reason"]

/** Twilio's codes for a number that is no number, or that it knows nothing about. */
const noNumber: ReadonlySet<number> = new Set([20404, 60600, 60601])

const refusal = (answer: Answered): Reason => {
  const { status } = answer
  const code = Messages.codeOf(json(answer))
  const providerCode = code === null ? `http_${status}` : String(code)
  if (status === 429) return unavailable(providerCode, answer, "limit")
  if (status === 503) return unavailable(providerCode, answer)
  if (status > 599 || isBroken(status)) return new OutcomeUnknown({ providerCode })
  return new Refused({ providerCode, because: "account" })
}

const read = (reply: Reply, request: LineRequest, now: number): Result.Result<Partial<LineFacts>, Reason> => {
  if (reply._tag === "NotReached") return Result.fail(new Unavailable({ providerCode: reply.why }))
  if (reply._tag === "Lost") return Result.fail(new OutcomeUnknown({ providerCode: reply.why }))
  const body = json(reply)
  if (reply.status === 404 && noNumber.has(Messages.codeOf(body) ?? 0)) return Result.succeed({})
  if (reply.status !== 200) return Result.fail(refusal(reply))
  return typeof field(body, "phone_number") === "string"
    ? Result.succeed(factsIn(body, request, now))
    : Result.fail(new OutcomeUnknown({ providerCode: "unreadable" }))
}

const lineInfoOf = (options: LookupOptions): LineInfo => {
  const { accountSid, authToken, facts = ["type", "carrier"], prefixes } = options
  const lookupUrl = trimmed(options.lookupUrl ?? defaultLookupUrl)
  const messages = Messages.make({ accountSid, authToken, apiUrl: trimmed(options.apiUrl ?? defaultApiUrl) })
  return {
    provider,
    ...(prefixes === undefined ? {} : { prefixes }),
    facts,
    lookUp: Effect.fnUntraced(function* (request) {
      const now = yield* Clock.currentTimeMillis
      const basic = Buffer.from(`${accountSid}:${Redacted.value(authToken)}`).toString("base64")
      const headers = { authorization: `Basic ${basic}`, accept: "application/json" }
      const reply = yield* ask({ url: urlOf(lookupUrl, request), method: "GET", headers })
      const result = read(reply, request, now)
      return Result.isSuccess(result) ? result.success : yield* new LineInfoError({ provider, reason: result.failure })
    }),
    check: checkAccount(messages)
  }
}

/**
 * Facts about phone lines through Twilio Lookup v2. Twilio charges for each lookup, by package.
 *
 * @example
 * ```ts
 * import { Twilio } from "@countersign/twilio"
 * import { Redacted } from "effect"
 *
 * const lookup = Twilio.lineInfo({
 *   accountSid: "AC00000000000000000000000000000001",
 *   authToken: Redacted.make("your auth token"),
 *   facts: ["type", "carrier"]
 * })
 * ```
 */
export const lineInfo = (options: LookupOptions): Effect.Effect<LineInfo, InvalidOptions> =>
  Effect.map(Effect.fromResult(checkOptions(provider, options, rules)), lineInfoOf)
