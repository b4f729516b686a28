import type { Instant } from "../../foundation/time/Instant.ts"

/** The origin in a report. An empty text means none. */
export interface Origin {
  readonly source: string
  readonly medium: string
  readonly campaign: string
}

/** The origin is unknown. */
export const direct: Origin = { source: "", medium: "", campaign: "" }

/** Further details of a launch. No decision depends on them. */
export interface LaunchDetails {
  readonly term: string | null
  readonly content: string | null
  readonly installReferrer: string | null
  readonly platform: string | null
}

/** A consenting user opened an app or a page. Only its version changes after it was recorded. */
export interface Launch {
  readonly environment: string
  /** `lch_…` */
  readonly id: string
  /**
   * The version this state was read at; 0 for a launch that is not stored yet. It increases when a touch names the
   * launch.
   */
  readonly version: number
  readonly at: Instant
  readonly origin: Origin
  /** The keys of its trails: the visitor's, and that of the click. */
  readonly visitor: string | null
  readonly click: string | null
  readonly details: LaunchDetails
  /**
   * SHA-256 of its random token. With it, the user can withdraw the consent even after the key that made the token was
   * retired.
   */
  readonly tokenHash: string
}

/** The order of launches: by time, then by id. */
export const isBefore = (a: Pick<Launch, "at" | "id">, b: Pick<Launch, "at" | "id">): boolean =>
  a.at < b.at || (a.at === b.at && a.id < b.id)
