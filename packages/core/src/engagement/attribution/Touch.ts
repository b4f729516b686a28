import type { Instant } from "../../foundation/time/Instant.ts"
import type { Origin } from "./Launch.ts"

/** What reports count beside launches. */
export const TouchKind = ["VERIFICATION", "CONVERSION", "LEAD"] as const
export type TouchKind = (typeof TouchKind)[number]

/** An amount of money, in millionths of the currency's unit, so that sums are exact. */
export interface Money {
  readonly micros: bigint
  /** ISO 4217, or empty where the caller named none. */
  readonly currency: string
}

/**
 * Something that a launch led to, or that came from somewhere. It carries its launch's origin, which never changes, so
 * that reports look up nothing for the last touch. It stays as it was recorded, until its launch is erased.
 */
export interface Touch {
  readonly environment: string
  readonly kind: TouchKind
  /** Unique in its kind: the verification's id, the conversion's, the lead's. */
  readonly id: string
  readonly at: Instant
  /** The launch that led to it. It is erased with it. */
  readonly launchId: string | null
  /** The key of the visitor's trail, whose first launch is the first touch. */
  readonly visitor: string | null
  /** The key of the trail of a click: its first launch, if there is one, counts instead of `origin`. */
  readonly click: string | null
  readonly origin: Origin
  readonly money: Money | null
  /** What else a conversion said, as JSON. Nothing is decided by it. */
  readonly details: string | null
}
