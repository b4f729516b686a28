import type { Channel } from "./Channel.ts"

/** The carrier's name: the one that its channel declares, otherwise its provider. */
export const carrierOf = ({ carrier, provider }: Pick<Channel, "carrier" | "provider">): string => carrier ?? provider

/**
 * The reporter of a carrier's messages, which their signature covers. It is the callback's name, plus the carrier's
 * name when several accounts of a provider share the callback.
 */
export const reporterOf = ({
  callback,
  carrier,
  provider
}: Pick<Channel, "callback" | "carrier" | "provider">): string | undefined =>
  callback === undefined || carrier === undefined || carrier === provider
    ? callback?.name
    : `${callback.name} ${carrier}`

/** What the choice of a provider needs to know about it: a channel's carrier, or a provider of line facts. */
export type Choosable = Pick<Channel, "carrier" | "prefixes" | "price" | "provider">

/**
 * The carriers for numbers that begin with `prefix`, in order of preference. An empty prefix matches every recipient.
 */
export interface CarrierRule<C = Channel> {
  /** E.164 digits, without `+`. */
  readonly prefix: string
  readonly carriers: ReadonlyArray<C>
}

/** The order of carriers for a number: as listed, or by ascending `price`. */
export type CarrierPreference = "order" | "price"

const longestFirst = <C>(rules: ReadonlyArray<CarrierRule<C>>): ReadonlyArray<CarrierRule<C>> =>
  rules.toSorted((a, b) => b.prefix.length - a.prefix.length)

const cheapestFirst = <C extends Choosable>(carriers: ReadonlyArray<C>): ReadonlyArray<C> =>
  carriers.toSorted((a, b) => (a.price ?? Number.POSITIVE_INFINITY) - (b.price ?? Number.POSITIVE_INFINITY))

/** The length of the carrier's longest matching prefix; -1 when it does not serve the number. */
const matched = ({ prefixes = [""] }: Choosable, digits: string): number =>
  prefixes.reduce((most, prefix) => (digits.startsWith(prefix) ? Math.max(most, prefix.length) : most), -1)

/**
 * Builds the rules from the carriers' own prefixes: the carrier with the longest prefix first, then in their order. A
 * carrier without prefixes serves every number.
 */
export const rulesOf = <C extends Choosable>(
  carriers: ReadonlyArray<C>,
  preference: CarrierPreference = "order"
): ReadonlyArray<CarrierRule<C>> => {
  const prefixes = new Set(["", ...carriers.flatMap(({ prefixes = [] }) => prefixes)])
  const rules = Array.from(prefixes, (prefix): CarrierRule<C> => {
    const taking = carriers.filter((carrier) => matched(carrier, prefix) >= 0)
    const ordered = preference === "price" ? cheapestFirst(taking) : taking
    return { prefix, carriers: ordered.toSorted((a, b) => matched(b, prefix) - matched(a, prefix)) }
  })
  return longestFirst(rules)
}

/** Builds the rules from a table of carrier names: see `Channels.layer`. */
export const rulesFrom = <C extends Choosable>(
  table: ReadonlyArray<CarrierRule<string>>,
  carriers: ReadonlyArray<C>
): ReadonlyArray<CarrierRule<C>> =>
  longestFirst(
    table.map(({ carriers: names, prefix }) => ({
      prefix,
      carriers: names.flatMap((name) => carriers.find((carrier) => carrierOf(carrier) === name) ?? [])
    }))
  )

/**
 * The carriers to try for a recipient, in order: those of the longest matching prefix, with resting carriers last. A
 * recipient without a phone number matches only the empty prefix.
 */
export const chooseCarrier = <C>(
  rules: ReadonlyArray<CarrierRule<C>>,
  to: string,
  isResting: (carrier: C) => boolean
): ReadonlyArray<C> => {
  const digits = to.startsWith("+") ? to.slice(1) : ""
  const carriers = rules.find(({ prefix }) => digits.startsWith(prefix))?.carriers ?? []
  return carriers.some(isResting)
    ? [...carriers.filter((carrier) => !isResting(carrier)), ...carriers.filter(isResting)]
    : carriers
}

/** Carrier tables by channel: see `Channels.layer`. */
export type CarrierTables = { readonly [channel: string]: ReadonlyArray<CarrierRule<string>> }
