import type { Answer } from "../../api/Api.ts"

export type Seen = Answer<"GET /v1/dashboard/protection">
export type Reason = Seen["reasons"][number]
export type Trip = Seen["trips"][number]
export type Would = Seen["would"]

/** What the guard does now, and what it did. */
export interface Standing {
  /** Which reasons refuse codes. */
  readonly mode: "records" | "some" | "all"
  readonly enforced: number
  /** Requests that it refused in the range. Each had one reason. */
  readonly refused: number
  /** Whether it saw anything in the range. */
  readonly isQuiet: boolean
}

export const standingOf = ({ reasons, would }: Seen): Standing => {
  const enforced = reasons.filter((reason) => reason.enforced).length
  const refused = reasons.reduce((sum, reason) => sum + reason.refused, 0)
  return {
    mode: enforced === 0 ? "records" : enforced === reasons.length ? "all" : "some",
    enforced,
    refused,
    isQuiet: would.refused === 0 && refused === 0
  }
}

type Place = Pick<Answer<"GET /v1/dashboard/stats/funnel">["items"][number], "group" | "verified">

/** The country where people entered more than half of all codes, with that share. Null when there is none. */
export const homeOf = (
  places: ReadonlyArray<Place>
): { readonly country: string; readonly typed: number; readonly of: number } | null => {
  const of = places.reduce((sum, { verified }) => sum + verified, 0)
  const home = places.find(({ group, verified }) => group !== null && verified * 2 > of)
  return home === undefined ? null : { country: home.group!, typed: home.verified, of }
}

/** Reasons that judge a number by its country or range, where the merchant's own people live as well. */
const wide: ReadonlySet<Reason["reason"]> = new Set(["COUNTRY_UNVERIFIED", "RANGE_UNVERIFIED", "COUNTRY_TOO_FAST"])
export const isWide = ({ reason }: Reason): boolean => wide.has(reason)

/** Whether people entered one in twenty of the codes or more, so that enforcing would turn customers away. */
export const hitsPeople = ({ refused, typed }: Would): boolean => typed > 0 && typed * 20 >= refused
