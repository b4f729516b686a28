import { Schema } from "effect"
import { guardReasons } from "../../foundation/guard/GuardReason.ts"
import { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import { isCountry } from "../../foundation/identity/canonicalPhone.ts"
import { isCodeOfNoCountry } from "../../foundation/identity/Identity.ts"
import { parseRange } from "../../foundation/identity/IpAddress.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import { issueOf, refusing } from "../../foundation/identity/problemOfIssue.ts"
import { zoneOf } from "../../foundation/time/localDays.ts"
import { largestLogo, largestSide, type LogoFault, logoProblem } from "./brandLogo.ts"
import { redirectUriProblem } from "./redirectUri.ts"

const range = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
/** A text that fits a pattern, and its problem otherwise. */
const matching = (pattern: RegExp, problem: Problem.Problem) =>
  Schema.String.check(Schema.isPattern(pattern, refusing(problem)))
/** A text without a problem. */
const rule = (find: (text: string) => Problem.Problem | null) =>
  Schema.makeFilter((text: string) => {
    const problem = find(text)
    return problem === null || issueOf(problem)
  })
/** Without control characters, which have a meaning in messages and headers, and without lone surrogates. */
const text = (maximum: number) =>
  Schema.String.check(
    Schema.isMaxLength(maximum),
    Schema.isPattern(/^[^\p{Cc}\p{Cs}]*$/u, refusing(Problem.of("LINE_TOO_LONG", { max: maximum })))
  )

/** The ISO 3166 countries with known phone numbers. */
const country = matching(/^[A-Z]{2}$/, Problem.of("COUNTRY")).check(
  rule((letters) => (isCountry(letters) ? null : Problem.of("COUNTRY")))
)

/** Common codes of countries, and their ISO 3166 codes. */
const oftenMeant: { readonly [letters: string]: string } = { UK: "GB", EL: "GR", EN: "GB" }

/** A country, or `+` and a calling code without a country. */
const destination = Schema.String.check(
  rule((entry) => {
    if (isCountry(entry) || (entry.startsWith("+") && isCodeOfNoCountry(entry.slice(1)))) return null
    const meant = oftenMeant[entry]
    return meant === undefined ? Problem.of("COUNTRIES") : Problem.of("COUNTRY_MEANT", { given: entry, meant })
  })
)

/** The types of numbers that can be blocked, in libphonenumber's words. A mobile number cannot. */
export const numberTypes = [
  "PREMIUM_RATE",
  "SHARED_COST",
  "TOLL_FREE",
  "VOIP",
  "PERSONAL_NUMBER",
  "PAGER",
  "UAN",
  "VOICEMAIL",
  "FIXED_LINE"
] as const

/** The types of lines that the guard can have a reason against, in the words of line facts. A mobile line is none. */
export const guardedLineTypes = [
  "landline",
  "fixedVoip",
  "nonFixedVoip",
  "personal",
  "tollFree",
  "premium",
  "sharedCost",
  "uan",
  "voicemail",
  "pager"
] as const

const redirectUri = text(2048).check(rule(redirectUriProblem))

const addressRange = text(64).check(rule((range) => (parseRange(range) === null ? Problem.of("ADDRESS_RANGE") : null)))

const locale = /^[a-z]{2,3}([-_][A-Za-z]{2,4})?$/
/** Whether a text is a language that templates may use. */
export const isLocale = (text: string): boolean => locale.test(text)

const colour = Schema.String.check(rule((text) => (/^#[0-9a-f]{6}$/i.test(text) ? null : Problem.of("COLOUR"))))

const logoProblems: { readonly [F in LogoFault]: Problem.Problem } = {
  LOGO: Problem.of("LOGO"),
  LOGO_BYTES: Problem.of("LOGO_BYTES", { max: largestLogo }),
  LOGO_DAMAGED: Problem.of("LOGO_DAMAGED"),
  LOGO_METADATA: Problem.of("LOGO_METADATA"),
  LOGO_SIDE: Problem.of("LOGO_SIDE", { max: largestSide })
}

const logo = Schema.String.check(
  rule((text) => {
    const fault = logoProblem(text)
    return fault === null ? null : logoProblems[fault]
  })
)

const clockTime = matching(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, Problem.of("CLOCK_TIME"))

/** The most channels with a price or a cap. */
const mostChannels = 100

const amount = range(0, 1_000_000_000)

const price = Schema.Union([
  amount,
  Schema.Struct({
    default: amount,
    prefixes: Schema.Record(Schema.String.check(Schema.isPattern(/^[1-9][0-9]{0,14}$/)), amount).check(
      Schema.isMaxProperties(1000)
    )
  })
])

/** Every setting a merchant can change, with its range. One environment's settings never affect the other's. */
export const SettingsFields = {
  codeLength: range(4, 8),
  codeExpirySeconds: range(30, 900),
  maxAttempts: range(1, 10),
  hourlyLimit: range(1, 1000),
  /** New codes per hour for all spellings of an identity; 0 turns it off, null means three times `hourlyLimit`. */
  canonicalHourlyLimit: Schema.NullOr(range(0, 3000)),
  /** Initiates per hour for a `clientIp` from your backend, IPv6 by /64; 0 turns it off. */
  hourlyLimitPerAddress: range(0, 100_000),
  /** Messages per hour to numbers that share all but their last four digits; null turns it off. */
  hourlyLimitPerPrefix: Schema.NullOr(range(1, 1_000_000)),
  /** Messages per hour to the phone numbers of a country; null turns it off. */
  hourlyLimitPerCountry: Schema.NullOr(range(1, 10_000_000)),
  /** Messages per hour to all phone numbers; null turns it off. */
  hourlyLimitPerMerchant: Schema.NullOr(range(1, 10_000_000)),
  /** Consecutive wrong codes for an identity before initiate refuses; 0 turns it off. */
  maxConsecutiveFailures: range(0, 1000),
  resendCooldownSeconds: range(0, 600),
  /** 0 means no limit. */
  maxResends: range(0, 100),
  maxLifetimeSeconds: range(60, 86_400),
  /** The country of ten-digit numbers without `+`; null refuses them. */
  defaultCountry: Schema.NullOr(country),
  primaryChannel: ChannelName,
  fallbackChannel: Schema.NullOr(ChannelName),
  fallbackAfterSeconds: range(30, 900),
  oneTap: Schema.Boolean,
  oneTapDays: range(1, 365),
  oneTapMaxDays: range(1, 365),
  strictReverify: Schema.Boolean,
  /**
   * Whether owners and admins may only read until they sign in with a passkey. The value of `live` applies to both
   * environments.
   */
  requirePasskey: Schema.Boolean,
  /** An agent who answers an unassigned lead becomes its owner. */
  answerAssigns: Schema.Boolean,
  /** The exact addresses that approved logins may return to. */
  redirectUris: Schema.Array(redirectUri).check(Schema.isMaxLength(100)),
  /** Whether a link's page asks for the number that the waiting screen shows. */
  linkNumberMatch: Schema.Boolean,
  allowedOrigins: Schema.Array(text(2048)).check(Schema.isMaxLength(100)),
  /**
   * The addresses that server keys may be used from; empty for any. Only people and the operator change it: see
   * `changeSettings`.
   */
  serverAddresses: Schema.Array(addressRange).check(Schema.isMaxLength(100)),
  sdkInitiatesPerIpPerHour: range(1, 100_000),
  /**
   * Messages per hour that apps may trigger to a person, over all spellings, including resends and fallbacks. Live
   * only.
   */
  sdkMessagesPerHour: range(1, 1000),
  /** Launches and conversions per hour, over all addresses. */
  attributionPerHour: range(1, 10_000_000),
  /**
   * ISO 3166 codes, and `+881` for a calling code without a country. Null allows every country, and no such calling
   * code.
   */
  allowedCountries: Schema.NullOr(Schema.Array(destination).check(Schema.isMaxLength(250))),
  /** E.164 digits without `+`. */
  blockedPrefixes: Schema.Array(matching(/^[0-9]{1,15}$/, Problem.of("DIGITS", { min: 1, max: 15 }))).check(
    Schema.isMaxLength(1000)
  ),
  /** The types of numbers that get no messages. */
  blockedNumberTypes: Schema.Array(Schema.Literals(numberTypes)).check(Schema.isMaxLength(numberTypes.length)),
  /** The guard's reasons that refuse a code. The guard only records the others. */
  guardEnforces: Schema.Array(Schema.Literals(guardReasons)).check(Schema.isMaxLength(guardReasons.length)),
  /** The types of lines that are a reason of the guard. Not empty: the guard looks up the type of each number. */
  guardLineTypes: Schema.Array(Schema.Literals(guardedLineTypes)).check(Schema.isMaxLength(guardedLineTypes.length)),
  /** A SIM swapped within these hours is a reason of the guard; 0 turns it off, and nothing is looked up. */
  guardSimSwapHours: range(0, 2400),
  /** A new owner of the number within these days is a reason of the guard; 0 turns it off, and nothing is looked up. */
  guardRecycledDays: range(0, 3650),
  /** Numbers and prefixes that the guard never judges: E.164 digits without `+`. */
  safeList: Schema.Array(matching(/^[0-9]{1,15}$/, Problem.of("DIGITS", { min: 1, max: 15 }))).check(
    Schema.isMaxLength(1000)
  ),
  brand: text(60),
  /** The colour of link pages and e-mails; null for the service's own. */
  brandColor: Schema.NullOr(colour),
  /** The logo on link pages and in e-mails, as a `data:` URL of a PNG; null for none. */
  brandLogo: Schema.NullOr(logo),
  locale: matching(locale, Problem.of("LANGUAGE")),
  /** The last line of an SMS, so that Android passes it to this app; null for none. */
  appHash: Schema.NullOr(matching(/^[A-Za-z0-9+/]{11}$/, Problem.of("APP_HASH"))),
  /** Ends an SMS with `@domain #code`, so that browsers and iOS fill the code in on this site; null for none. */
  domain: Schema.NullOr(matching(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, Problem.of("DOMAIN")).check(Schema.isMaxLength(253))),
  /** The time zone of the merchant's day. */
  timeZone: text(64).check(rule((name) => (zoneOf(name) === null ? Problem.of("TIME_ZONE") : null))),
  /** When campaigns do not send, by the recipient's local time; null for no restriction. */
  quietHours: Schema.NullOr(Schema.Struct({ from: clockTime, to: clockTime })),
  billing: Schema.Literals(["OFF", "PREPAID"]),
  /** The price of a send by channel, in the smallest unit of the currency: a single price, or by number prefix. */
  prices: Schema.Record(ChannelName, price).check(Schema.isMaxProperties(mostChannels)),
  /** The daily cap on the cost of sends, by channel; null or absent for no cap. */
  dailyCap: Schema.Record(ChannelName, Schema.NullOr(range(0, 1_000_000_000_000))).check(
    Schema.isMaxProperties(mostChannels)
  ),
  /** Below this balance the merchant is warned; null for no warning. */
  balanceLowAt: Schema.NullOr(range(0, 1_000_000_000_000)),
  /** Campaigns pause before they take the balance below this amount; null uses `balanceLowAt`, if set. */
  campaignFloor: Schema.NullOr(range(0, 1_000_000_000_000))
} as const

export const Settings = Schema.Struct(SettingsFields)
export type Settings = typeof Settings.Type

export const defaultSettings: Settings = {
  codeLength: 6,
  codeExpirySeconds: 300,
  maxAttempts: 3,
  hourlyLimit: 10,
  canonicalHourlyLimit: null,
  hourlyLimitPerAddress: 0,
  hourlyLimitPerPrefix: null,
  hourlyLimitPerCountry: null,
  hourlyLimitPerMerchant: null,
  maxConsecutiveFailures: 100,
  resendCooldownSeconds: 0,
  maxResends: 20,
  maxLifetimeSeconds: 1800,
  defaultCountry: "IN",
  primaryChannel: "SMS",
  fallbackChannel: null,
  fallbackAfterSeconds: 60,
  oneTap: false,
  oneTapDays: 30,
  oneTapMaxDays: 90,
  strictReverify: false,
  requirePasskey: false,
  answerAssigns: true,
  redirectUris: [],
  linkNumberMatch: false,
  allowedOrigins: ["*"],
  serverAddresses: [],
  sdkInitiatesPerIpPerHour: 30,
  sdkMessagesPerHour: 10,
  attributionPerHour: 100_000,
  allowedCountries: null,
  blockedPrefixes: [],
  blockedNumberTypes: [],
  guardEnforces: [],
  guardLineTypes: [],
  guardSimSwapHours: 0,
  guardRecycledDays: 0,
  safeList: [],
  brand: "Countersign",
  brandColor: null,
  brandLogo: null,
  locale: "en",
  appHash: null,
  domain: null,
  timeZone: "Asia/Kolkata",
  quietHours: null,
  billing: "OFF",
  prices: {},
  dailyCap: {},
  balanceLowAt: null,
  campaignFloor: null
}

const complete = new WeakMap<Partial<Settings>, Settings>()

/** Changed settings merged with the defaults. Cached by object identity, because every request reads them. */
export const withDefaults = (changed: Partial<Settings>): Settings => {
  const known = complete.get(changed)
  if (known !== undefined) return known
  const made: Settings = { ...defaultSettings, ...changed }
  complete.set(changed, made)
  return made
}
