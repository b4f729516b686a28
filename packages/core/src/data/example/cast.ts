import { Effect, Random } from "effect"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { IdentityType } from "../../foundation/identity/Identity.ts"

/** A fictional person. */
export interface Somebody {
  readonly name: string
  readonly type: IdentityType
  readonly identity: string
}

const names: readonly [string, ...ReadonlyArray<string>] = [
  "Asha",
  "Ravi",
  "Meera",
  "Arjun",
  "Leila",
  "Noah",
  "Mia",
  "Kofi",
  "Yuki",
  "Sofia",
  "Omar",
  "Ines"
]

/**
 * Unassigned numbers, which countries reserve for films and books. India reserves none, so its numbers are round, with
 * a counter at the end. No message is ever sent to them.
 */
const ranges: ReadonlyArray<readonly [weight: number, prefix: string, digits: number]> = [
  [55, "+919999900", 3],
  [14, "+1202555", -1],
  [9, "+61491", -2],
  [9, "+3363998", 4],
  [7, "+4917139200", 2],
  [6, "+442079460", 3]
]

/** The endings of the Australian numbers. */
const australian: readonly [string, ...ReadonlyArray<string>] = [
  "570006",
  "570156",
  "570157",
  "570158",
  "570159",
  "570110",
  "570313",
  "570737"
]

/** Picks an item with a probability proportional to its weight. */
export const weighed = <A>(of: ReadonlyArray<readonly [weight: number, A]>): Effect.Effect<A> =>
  Effect.map(
    Random.nextBetween(
      0,
      of.reduce((sum, [weight]) => sum + weight, 0)
    ),
    (drawn) => {
      let left = drawn
      return (of.find(([weight]) => (left -= weight) < 0) ?? of[0]!)[1]
    }
  )

/** Picks an item, each with the same probability. */
export const oneOf = <A>(of: readonly [A, ...ReadonlyArray<A>]): Effect.Effect<A> =>
  Effect.map(Random.nextIntBetween(0, of.length - 1), (place) => of[place] ?? of[0])

const digitsOf = Effect.fnUntraced(function* (count: number) {
  if (count === -2) return yield* oneOf(australian)
  if (count === -1) return `01${String(yield* Random.nextIntBetween(0, 99)).padStart(2, "0")}`
  return String(yield* Random.nextIntBetween(0, 10 ** count - 1)).padStart(count, "0")
})

/** Returns a fictional person that this channel can reach. */
export const somebody = Effect.fnUntraced(function* (channel: ChannelName | null) {
  const name = yield* oneOf(names)
  if (channel === "EMAIL") {
    const number = yield* Random.nextIntBetween(10, 99)
    const person: Somebody = { name, type: "EMAIL", identity: `${name.toLowerCase()}.${number}@example.com` }
    return person
  }
  const [prefix, digits] = yield* weighed(ranges.map(([weight, prefix, digits]) => [weight, [prefix, digits]] as const))
  const person: Somebody = { name, type: "MOBILE", identity: prefix + (yield* digitsOf(digits)) }
  return person
})
