import { beginOf, dayOf } from "../../address/days.ts"

/** The periods of spend. The chosen one is in the address. */
export const periods = ["month", "last", "7", "30", "90", "custom"] as const
export type Period = (typeof periods)[number]
export const usual: Period = "month"

/** A day of the address, such as `2026-11-23`. */
export const day = (value: string): string | undefined => (beginOf(value) === null ? undefined : value)

export interface Chosen {
  readonly period?: Period
  readonly first?: string
  readonly until?: string
}

/** The moments of a period, from midnight in the viewer's zone. Without `to`, it lasts until now. */
export const spanOf = (
  { first, period = usual, until }: Chosen,
  now: Date
): { readonly from: string; readonly to?: string } => {
  const [year, month] = [now.getFullYear(), now.getMonth()]
  const at = (...parts: [number, number, number]) => new Date(...parts).toISOString()
  switch (period) {
    case "month":
      return { from: at(year, month, 1) }
    case "last":
      return { from: at(year, month - 1, 1), to: at(year, month, 1) }
    case "custom": {
      const from = beginOf(first ?? "") ?? at(year, month, 1)
      const to = beginOf(until ?? "", 1)
      // An end before the start is a date that is still being typed.
      return to === null || to <= from ? { from } : { from, to }
    }
    default:
      return { from: at(year, month, now.getDate() - (Number(period) - 1)) }
  }
}

/** The last months, newest first, as `2026-11`. */
export const monthsBefore = (now: Date, most: number): ReadonlyArray<string> =>
  Array.from({ length: most }, (_, n) =>
    dayOf(new Date(now.getFullYear(), now.getMonth() - n, 1).toISOString()).slice(0, 7)
  )

/** A month of the address. */
export const month = (value: string): string | undefined => (/^2\d{3}-(0[1-9]|1[0-2])$/.test(value) ? value : undefined)
