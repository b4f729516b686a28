import { networksOf } from "../identity/IpAddress.ts"
import type { Place } from "./Limits.ts"

/** What all whose address nobody knows share in place of a network. */
const unknown = { own: "unknown", wider: null }

/** How much more room all of a /48 has than one /64 of it. */
const roomOfWider = 10

/**
 * The places that something takes which is counted by address. Whatever counts an address goes through here, so that it
 * is always counted by the same networks. The wider network is counted in each process: mobile networks have many people
 * in one /48, who would all wait for one row.
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
