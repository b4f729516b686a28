import type { Instant } from "../../foundation/time/Instant.ts"

/** Where somebody came from, as a report names it. An empty text is none. */
export interface Origin {
  readonly source: string
  readonly medium: string
  readonly campaign: string
}

/** Nothing is known of where they came from. */
export const direct: Origin = { source: "", medium: "", campaign: "" }

/** What a launch said besides. Nothing is decided by it. */
export interface LaunchDetails {
  readonly term: string | null
  readonly content: string | null
  readonly installReferrer: string | null
  readonly platform: string | null
}

/**
 * Somebody who agreed to it opened an app or a page. All but its version stays as it was recorded, until it is erased.
 */
export interface Launch {
  readonly environment: string
  /** `lch_…` */
  readonly id: string
  /** The version this state was read at; 0 for one that nobody saved yet. It moves when something names the launch. */
  readonly version: number
  readonly at: Instant
  readonly origin: Origin
  /** The keys of the trails it is on: that of its visitor, and that of the click it came by. */
  readonly visitor: string | null
  readonly click: string | null
  readonly details: LaunchDetails
  /** SHA-256 of its token, which is random: the consent can be withdrawn also when the key that made it is gone. */
  readonly tokenHash: string
}

/** The order in which launches count: by time, and at one moment by id. */
export const isBefore = (a: Pick<Launch, "at" | "id">, b: Pick<Launch, "at" | "id">): boolean =>
  a.at < b.at || (a.at === b.at && a.id < b.id)
