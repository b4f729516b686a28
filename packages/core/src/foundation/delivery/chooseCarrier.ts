import type { Channel } from "./Channel.ts"

/** The name of a carrier: what its channel says, or its provider. */
export const carrierOf = ({ carrier, provider }: Pick<Channel, "carrier" | "provider">): string => carrier ?? provider

/**
 * Who reports about a carrier's messages, for their signature: its callback, and which of the provider's accounts where
 * several share that.
 */
export const reporterOf = ({
  callback,
  carrier,
  provider
}: Pick<Channel, "callback" | "carrier" | "provider">): string | undefined =>
  callback === undefined || carrier === undefined || carrier === provider
    ? callback?.name
    : `${callback.name} ${carrier}`

/** Which carriers take the numbers that begin with `prefix`, in order of preference. An empty prefix is everybody. */
export interface CarrierRule<C = Channel> {
  /** E.164 digits, without `+`. */
  readonly prefix: string
  readonly carriers: ReadonlyArray<C>
}

/** How carriers of one number are ordered: as they are listed, or the cheapest first by their `price`. */
export type CarrierPreference = "order" | "price"

const longestFirst = (rules: ReadonlyArray<CarrierRule>): ReadonlyArray<CarrierRule> =>
  rules.toSorted((a, b) => b.prefix.length - a.prefix.length)

const cheapestFirst = (carriers: ReadonlyArray<Channel>): ReadonlyArray<Channel> =>
  carriers.toSorted((a, b) => (a.price ?? Number.POSITIVE_INFINITY) - (b.price ?? Number.POSITIVE_INFINITY))

/** How much of a number a carrier's prefixes name; -1 where it does not take the number. */
const matched = ({ prefixes = [""] }: Channel, digits: string): number =>
  prefixes.reduce((most, prefix) => (digits.startsWith(prefix) ? Math.max(most, prefix.length) : most), -1)

/**
 * The rules of carriers that name prefixes of their own: the one with the longest prefix first, then in their order.
 * A carrier without prefixes takes every number.
 */
export const rulesOf = (
  carriers: ReadonlyArray<Channel>,
  preference: CarrierPreference = "order"
): ReadonlyArray<CarrierRule> => {
  const prefixes = new Set(["", ...carriers.flatMap(({ prefixes = [] }) => prefixes)])
  const rules = Array.from(prefixes, (prefix): CarrierRule => {
    const taking = carriers.filter((carrier) => matched(carrier, prefix) >= 0)
    const ordered = preference === "price" ? cheapestFirst(taking) : taking
    return { prefix, carriers: ordered.toSorted((a, b) => matched(b, prefix) - matched(a, prefix)) }
  })
  return longestFirst(rules)
}

/** The rules of a table that names carriers: see `Channels.layer`. */
export const rulesFrom = (
  table: ReadonlyArray<CarrierRule<string>>,
  carriers: ReadonlyArray<Channel>
): ReadonlyArray<CarrierRule> =>
  longestFirst(
    table.map(({ carriers: names, prefix }) => ({
      prefix,
      carriers: names.flatMap((name) => carriers.find((carrier) => carrierOf(carrier) === name) ?? [])
    }))
  )

/**
 * The carriers to try for a recipient, one after the other: those of the longest prefix, the healthy ones before those
 * that rest, then in their order. An address that is no number has no prefix.
 */
export const chooseCarrier = (
  rules: ReadonlyArray<CarrierRule>,
  to: string,
  isResting: (carrier: Channel) => boolean
): ReadonlyArray<Channel> => {
  const digits = to.startsWith("+") ? to.slice(1) : ""
  const carriers = rules.find(({ prefix }) => digits.startsWith(prefix))?.carriers ?? []
  return carriers.some(isResting)
    ? [...carriers.filter((carrier) => !isResting(carrier)), ...carriers.filter(isResting)]
    : carriers
}

/** Tables of carriers by channel: see `Channels.layer`. */
export type CarrierTables = { readonly [channel: string]: ReadonlyArray<CarrierRule<string>> }
