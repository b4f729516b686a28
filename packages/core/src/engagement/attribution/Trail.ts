import type { MasterKey } from "../../foundation/secret/Keyring.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { textOf } from "../../foundation/identity/Identifier.ts"
import { isBefore, type Launch, type Origin } from "./Launch.ts"

/** The first launch of a trail, with what reports need of it. */
export interface First {
  readonly id: string
  readonly at: Instant
  readonly origin: Origin
  /** The key of its visitor's trail. */
  readonly visitor: string | null
}

/** All launches with one visitor, or with one click. It knows the first of them; one without any is not kept. */
export interface Trail {
  readonly environment: string
  /** `v:` and an HMAC of the fingerprint, or `c:` and the click's id. */
  readonly key: string
  /** The version this state was read at; 0 for one that nobody saved yet. */
  readonly version: number
  readonly first: First | null
}

/**
 * The next state of a trail: a trail that has no first launch any more is removed. One that is removed and begun anew
 * counts its versions from 1 again, so a change is guarded by the version and by the first launch that it was decided on.
 */
export interface TrailStep {
  readonly trail: Trail
  readonly first: First | null
}

/** A trail that nobody saved. */
export const empty = (environment: string, key: string): Trail => ({ environment, key, version: 0, first: null })

const visitorLength = 26

/** The key of a visitor's trail: a fingerprint itself is never kept. Environments do not share visitors. */
export const visitorKey = (key: MasterKey, environment: string, fingerprint: string): string =>
  `v:${textOf(key.mac("visitor", `${environment}\n${fingerprint}`)).slice(0, visitorLength)}`

/** The key of a click's trail. */
export const clickKey = (clickId: string): string => `c:${clickId}`

export const firstOf = ({ at, id, origin, visitor }: Launch): First => ({ id, at, origin, visitor })

/** A launch comes to a trail: it is the first one if it was before the one that was. */
export const joined = (trail: Trail, launch: Launch): TrailStep => ({
  trail,
  first: trail.first === null || isBefore(launch, trail.first) ? firstOf(launch) : trail.first
})

/**
 * A launch leaves a trail, and the next one takes its place if it was the first. `earliest` are the two earliest launches of
 * the trail, or fewer if there are no more. The version moves in any case: who decides that this launch follows another
 * one that leaves at the same time has to look again.
 */
export const left = (trail: Trail, launch: Launch, earliest: ReadonlyArray<Launch>): TrailStep => {
  const next = earliest.find(({ id }) => id !== launch.id)
  return { trail, first: next === undefined ? null : firstOf(next) }
}
