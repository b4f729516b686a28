import type { Instant } from "../../foundation/time/Instant.ts"
import type { Origin } from "./Launch.ts"

/** The kinds of touches that reports count, in addition to launches. */
export const TouchKind = ["VERIFICATION", "CONVERSION", "LEAD"] as const
export type TouchKind = (typeof TouchKind)[number]

/** An amount in millionths of the currency's unit, so that sums are exact. */
export interface Money {
  readonly micros: bigint
  /** ISO 4217, or empty when the caller named no currency. */
  readonly currency: string
}

/**
 * An event that a launch led to, or that has an origin of its own. It copies the launch's origin, which never changes,
 * so that reports for the last touch need no lookup. It is never changed, and is erased with its launch.
 */
export interface Touch {
  readonly environment: string
  readonly kind: TouchKind
  /** The id of the verification, the conversion or the lead. Unique within its kind. */
  readonly id: string
  readonly at: Instant
  /** The launch that led to it. Erasing the launch erases the touch. */
  readonly launchId: string | null
  /** The key of the visitor's trail. The trail's first launch is the first touch. */
  readonly visitor: string | null
  /** The key of a click's trail. The trail's first launch, if any, replaces `origin`. */
  readonly click: string | null
  readonly origin: Origin
  readonly money: Money | null
  /** Further details of a conversion, as JSON. No decision depends on them. */
  readonly details: string | null
}
