import type { Item } from "../api/Api.ts"

export type FoundPerson = Item<"GET /v1/dashboard/people">

const leastLetters = 2
const leastCharacters = 3

/** The text to search people for. Null for a text that is too short to be a name, an order or digits. */
export const peopleSearch = (typed: string): string | null => {
  const text = typed.trim()
  const letters = text.match(/\p{L}/gu)?.length ?? 0
  return letters >= leastLetters || text.length >= leastCharacters ? text : null
}

/** A hit in one line: the name, if a lead has one, and the masked identity. */
export const labelOfPerson = ({ identity, name }: FoundPerson): string =>
  name === null ? identity : `${name} · ${identity}`

/** Whether the hit is certainly meant: by a whole identity, digits, a request or an order, and not by a common name. */
export const isCertain = ({ foundBy }: FoundPerson): boolean => foundBy !== "NAME"
