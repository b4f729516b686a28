import { networksOf } from "../identity/IpAddress.ts"
import type { Place } from "./Limits.ts"

/** Requests without a known address share this network. */
const unknown = { own: "unknown", wider: null }

/** How many times the limit of a /64 its whole /48 has. */
const roomOfWider = 10

/**
 * The places to take for a request that is limited by address. Every limit by address uses this function, so all count
 * the same networks. Each process counts the wider network separately: mobile networks put many people into one /48,
 * who would all wait for one row.
 */
export const placesOfAddress = (
  address: string | null,
  { key, ...place }: Omit<Place, "countedIn">
): readonly [own: Place, ...wider: ReadonlyArray<Place>] => {
  const { own, wider } = (address === null ? null : networksOf(address)) ?? unknown
  const ownPlace: Place = { ...place, key: `${key}:${own}`, countedIn: "storage" }
  if (wider === null) return [ownPlace]
  return [ownPlace, { ...place, key: `${key}:${wider}`, most: place.most * roomOfWider, countedIn: "process" }]
}
