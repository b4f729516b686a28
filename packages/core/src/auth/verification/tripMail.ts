import { Schema } from "effect"
import type { Trip } from "../../foundation/guard/Trip.ts"
import * as JobKind from "../../foundation/outbox/JobKind.ts"

/** Mails the merchant's owners and admins about the places that the guard stopped since the last mail. */
export const tripMailKind = JobKind.make("guard-tripped", Schema.Struct({}), { joins: true })

/** What a mail says. It names no person: at least ten thousand numbers share a place. */
export interface TripMail {
  /** The places that no mail named yet, the latest first. Never empty. */
  readonly trips: ReadonlyArray<Trip>
  readonly merchant: string
  /** An amount of the smallest unit in words, such as `₹24.00`. */
  readonly money: (amount: number) => string
  readonly page: string
  readonly timeZone: string
  readonly locale: string
}

/** A mail names no more places than this. */
const mostNamed = 10

const timeOf = (instant: number, timeZone: string, language: string) =>
  new Intl.DateTimeFormat(language, { timeZone, dateStyle: "long", timeStyle: "short" }).format(instant)

const digits: { readonly [R in Trip["reason"]]: number } = {
  PREFIX_UNVERIFIED: 4,
  RANGE_UNVERIFIED: 6,
  COUNTRY_UNVERIFIED: 0
}

/** `+99891234****` for numbers, and the country's name. */
const nameOf = ({ place, reason }: Trip, language: string): string =>
  /^[A-Z]{2}$/.test(place)
    ? (new Intl.DisplayNames([language], { type: "region" }).of(place) ?? place)
    : `+${place}${"*".repeat(digits[reason])}`

const costOf = ({ codes, price }: Trip): number | null => (price === null ? null : price * codes)

const english = ({ merchant, money, page, timeZone, trips }: TripMail) => {
  const [first, ...more] = trips
  const name = (trip: Trip) => nameOf(trip, "en-GB")
  const what = more.length === 0 ? name(first!) : `${trips.length} places`
  const isEnforced = trips.some(({ enforced }) => enforced)
  const line = (trip: Trip) => {
    const cost = costOf(trip)
    const ends = trip.enforced
      ? `stopped until ${timeOf(trip.until, timeZone, "en-GB")} (${timeZone}), and longer while the requests continue`
      : "still sent, because you do not enforce this reason"
    const about = cost === null ? "" : `, about ${money(cost)}`
    return `${name(trip)}: ${trip.codes} codes of the last day were not entered${about}; ${trip.typed} were entered (${trip.reason}). Codes are ${ends}.`
  }
  const rest = trips.length > mostNamed ? [`And ${trips.length - mostNamed} more.`] : []
  return {
    subject: isEnforced
      ? `Codes to ${what} are stopped – ${merchant}`
      : `Codes to ${what} look like fraud – ${merchant}`,
    text: [
      `Requests for codes of ${merchant} look like fraud.`,
      ...trips.slice(0, mostNamed).map(line),
      ...rest,
      `See them, or let the numbers through:\n${page}`,
      "Owners and admins get at most one such mail an hour."
    ].join("\n\n")
  }
}

const hindi = ({ merchant, money, page, timeZone, trips }: TripMail) => {
  const [first, ...more] = trips
  const name = (trip: Trip) => nameOf(trip, "hi-IN")
  const what = more.length === 0 ? name(first!) : `${trips.length} जगहों`
  const isEnforced = trips.some(({ enforced }) => enforced)
  const line = (trip: Trip) => {
    const cost = costOf(trip)
    const ends = trip.enforced
      ? `${timeOf(trip.until, timeZone, "hi-IN-u-nu-latn")} (${timeZone}) तक कोड नहीं भेजे जाएँगे, और अनुरोध जारी रहने पर उसके बाद भी नहीं`
      : "कोड भेजे जा रहे हैं, क्योंकि आप यह कारण लागू नहीं करते"
    const about = cost === null ? "" : `, लगभग ${money(cost)}`
    return `${name(trip)}: पिछले एक दिन के ${trip.codes} कोड दर्ज नहीं हुए${about}; ${trip.typed} दर्ज हुए (${trip.reason})। ${ends}।`
  }
  const rest = trips.length > mostNamed ? [`और ${trips.length - mostNamed}।`] : []
  return {
    subject: isEnforced ? `${what} को कोड रोके गए – ${merchant}` : `${what} को कोड धोखाधड़ी जैसे लगते हैं – ${merchant}`,
    text: [
      `${merchant} के कोड के अनुरोध धोखाधड़ी जैसे लगते हैं।`,
      ...trips.slice(0, mostNamed).map(line),
      ...rest,
      `देखें, या नंबरों को जाने दें:\n${page}`,
      "ओनर और एडमिन को ऐसा मेल एक घंटे में अधिकतम एक बार आता है।"
    ].join("\n\n")
  }
}

/** The subject and text of the mail, in Hindi or else in English. */
export const tripMail = (mail: TripMail): { readonly subject: string; readonly text: string } =>
  /^hi([-_]|$)/.test(mail.locale) ? hindi(mail) : english(mail)
