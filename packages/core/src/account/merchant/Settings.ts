import { Result, Schema } from "effect"
import { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import { isCodeOfNoCountry, isCountry } from "../../foundation/identity/Identity.ts"
import { parseRange } from "../../foundation/identity/IpAddress.ts"
import { zoneOf } from "../../foundation/time/localDays.ts"
import { checkRedirectUri } from "./redirectUri.ts"

const range = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
/** Without control characters, which mean more than text in messages and headers, and without half surrogates. */
const text = (maximum: number) =>
  Schema.String.check(Schema.isMaxLength(maximum), Schema.isPattern(/^[^\p{Cc}\p{Cs}]*$/u))

/** ISO 3166, as far as its phone numbers are known. */
const country = Schema.String.check(
  Schema.isPattern(/^[A-Z]{2}$/),
  Schema.makeFilter(
    (letters: string) => isCountry(letters) || "a country with phone numbers, in two upper-case letters"
  )
)

/** Codes that people write for a country, and what ISO 3166 has for it. */
const oftenMeant: { readonly [letters: string]: string } = { UK: "GB", EL: "GR", EN: "GB" }

/** A country, or `+` and a calling code that belongs to none. */
const destination = Schema.String.check(
  Schema.makeFilter((entry: string) => {
    if (isCountry(entry) || (entry.startsWith("+") && isCodeOfNoCountry(entry.slice(1)))) return true
    const meant = oftenMeant[entry]
    return meant === undefined
      ? "countries in two upper-case letters of ISO 3166, as IN, or `+` and a calling code of no country, as +881"
      : `${meant} instead of ${entry}: the code of ISO 3166`
  })
)

const redirectUri = text(2048).check(
  Schema.makeFilter((uri: string) =>
    Result.match(checkRedirectUri(uri), {
      onSuccess: () => true,
      onFailure: (problem) => `addresses to return to, and one of them ${problem}`
    })
  )
)

const addressRange = text(64).check(
  Schema.makeFilter(
    (range: string) => parseRange(range) !== null || "an address, or a range of addresses as 203.0.113.0/24"
  )
)

const locale = /^[a-z]{2,3}([-_][A-Za-z]{2,4})?$/
/** Whether a text names a language that words may be in. */
export const isLocale = (text: string): boolean => locale.test(text)

const clockTime = Schema.String.check(Schema.isPattern(/^([01][0-9]|2[0-3]):[0-5][0-9]$/))

/** So many channels may have a price or a cap. */
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
  /** New codes an hour over all spellings of one identity; 0 turns it off, null means three times `hourlyLimit`. */
  canonicalHourlyLimit: Schema.NullOr(range(0, 3000)),
  /** Initiates in an hour for one `clientIp` that your backend names, IPv6 by /64; 0 turns it off. */
  hourlyLimitPerAddress: range(0, 100_000),
  /** Wrong codes in a row for one identity before initiate refuses; 0 turns it off. */
  maxConsecutiveFailures: range(0, 1000),
  resendCooldownSeconds: range(0, 600),
  /** 0 means no limit. */
  maxResends: range(0, 100),
  maxLifetimeSeconds: range(60, 86_400),
  /** Whose numbers ten digits without `+` are; null refuses them. */
  defaultCountry: Schema.NullOr(country),
  primaryChannel: ChannelName,
  fallbackChannel: Schema.NullOr(ChannelName),
  fallbackAfterSeconds: range(30, 900),
  oneTap: Schema.Boolean,
  oneTapDays: range(1, 365),
  oneTapMaxDays: range(1, 365),
  strictReverify: Schema.Boolean,
  /** Whether owners and admins do more than read only after signing in with a passkey. That of `live` is the rule for both. */
  requirePasskey: Schema.Boolean,
  /** Where approved logins may return to: nowhere else, to the letter. */
  redirectUris: Schema.Array(redirectUri).check(Schema.isMaxLength(100)),
  /** Whether a link's page asks which number the waiting side shows. */
  linkNumberMatch: Schema.Boolean,
  allowedOrigins: Schema.Array(text(2048)).check(Schema.isMaxLength(100)),
  /** From where server keys may be used; empty: from anywhere. Only people and the operator change it: see `changeSettings`. */
  serverAddresses: Schema.Array(addressRange).check(Schema.isMaxLength(100)),
  sdkInitiatesPerIpPerHour: range(1, 100_000),
  /** Messages an hour that apps may have sent to one person, over all spellings: resends and fallbacks too. Live only. */
  sdkMessagesPerHour: range(1, 1000),
  /** Launches and conversions an hour, over all addresses. */
  attributionPerHour: range(1, 10_000_000),
  /** ISO 3166 codes, and `+881` for a calling code of no country; null allows every country, and no such code. */
  allowedCountries: Schema.NullOr(Schema.Array(destination).check(Schema.isMaxLength(250))),
  /** E.164 digits without `+`. */
  blockedPrefixes: Schema.Array(Schema.String.check(Schema.isPattern(/^[0-9]{1,15}$/))).check(Schema.isMaxLength(1000)),
  brand: text(60),
  locale: Schema.String.check(Schema.isPattern(locale)),
  /** Ends an SMS, so that Android hands it to this app. Null: none. */
  appHash: Schema.NullOr(Schema.String.check(Schema.isPattern(/^[A-Za-z0-9+/]{11}$/))),
  /** Ends an SMS with `@domain #code`, so that browsers and iOS fill the code in on this site. Null: none. */
  domain: Schema.NullOr(Schema.String.check(Schema.isPattern(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/), Schema.isMaxLength(253))),
  /** The zone in which the merchant's day begins and ends. */
  timeZone: text(64).check(
    Schema.makeFilter((name: string) => zoneOf(name) !== null || "a time zone of the IANA database, as Asia/Kolkata")
  ),
  /** When campaigns do not write, by the recipient's own clock; null: at any time. */
  quietHours: Schema.NullOr(Schema.Struct({ from: clockTime, to: clockTime })),
  billing: Schema.Literals(["OFF", "PREPAID"]),
  /** Price of one send by channel, in the smallest unit of the currency: one for all, or by the number's first digits. */
  prices: Schema.Record(ChannelName, price).check(Schema.isMaxProperties(mostChannels)),
  /** The most that a day's sends may cost, by channel; null or nothing: any amount. */
  dailyCap: Schema.Record(ChannelName, Schema.NullOr(range(0, 1_000_000_000_000))).check(
    Schema.isMaxProperties(mostChannels)
  ),
  /** Below this much the merchant is told that the balance is low; null: never. */
  balanceLowAt: Schema.NullOr(range(0, 1_000_000_000_000)),
  /** Campaigns pause before they take the balance below this; null: below `balanceLowAt`, where that is set. */
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
  redirectUris: [],
  linkNumberMatch: false,
  allowedOrigins: ["*"],
  serverAddresses: [],
  sdkInitiatesPerIpPerHour: 30,
  sdkMessagesPerHour: 10,
  attributionPerHour: 100_000,
  allowedCountries: null,
  blockedPrefixes: [],
  brand: "Countersign",
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
