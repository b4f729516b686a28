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

/** Whether people entered one in twenty of the codes or more, so that enforcing would turn customers away. */
export const hitsPeople = ({ refused, typed }: Would): boolean => typed > 0 && typed * 20 >= refused
