import type { MasterKey } from "../../foundation/secret/Keyring.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { textOf } from "../../foundation/identity/Identifier.ts"
import { isBefore, type Launch, type Origin } from "./Launch.ts"

/** The first launch of a trail, with the fields that reports need. */
export interface First {
  readonly id: string
  readonly at: Instant
  readonly origin: Origin
  /** The key of its visitor's trail. */
  readonly visitor: string | null
}

/**
 * All launches of one visitor or one click. It stores only the first launch; a trail without launches is not stored.
 */
export interface Trail {
  readonly environment: string
  /** `v:` with an HMAC of the fingerprint, or `c:` with the click's id. */
  readonly key: string
  /** The version this state was read at; 0 for a trail that is not stored yet. */
  readonly version: number
  readonly first: First | null
}

/**
 * The next state of a trail. A trail without a first launch is deleted. A deleted trail that starts again counts its
 * versions from 1, so both the version and the first launch guard the change.
 */
export interface TrailStep {
  readonly trail: Trail
  readonly first: First | null
}

/** A trail that is not stored yet. */
export const empty = (environment: string, key: string): Trail => ({ environment, key, version: 0, first: null })

const visitorLength = 26

/** The key of a visitor's trail. The fingerprint itself is never stored. Environments do not share visitors. */
export const visitorKey = (key: MasterKey, environment: string, fingerprint: string): string =>
  `v:${textOf(key.mac("visitor", `${environment}\n${fingerprint}`)).slice(0, visitorLength)}`

/** The key of a click's trail. */
export const clickKey = (clickId: string): string => `c:${clickId}`

export const firstOf = ({ at, id, origin, visitor }: Launch): First => ({ id, at, origin, visitor })

/** Adds a launch to a trail. It becomes the first one when it is earlier. */
export const joined = (trail: Trail, launch: Launch): TrailStep => ({
  trail,
  first: trail.first === null || isBefore(launch, trail.first) ? firstOf(launch) : trail.first
})

/**
 * Removes a launch from a trail. When it was the first, the next one takes its place. `earliest` contains the two
 * earliest launches of the trail, or fewer. The version always increases, so that a concurrent removal of the next
 * launch gets a conflict and decides again.
 */
export const left = (trail: Trail, launch: Launch, earliest: ReadonlyArray<Launch>): TrailStep => {
  const next = earliest.find(({ id }) => id !== launch.id)
  return { trail, first: next === undefined ? null : firstOf(next) }
}
