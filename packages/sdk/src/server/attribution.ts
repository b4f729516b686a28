import type { Ask } from "./leads.ts"
import type { ServerCallOptions } from "./Server.ts"

export interface AttributionInput {
  /** ISO 8601; the last 30 days by default. */
  readonly from?: string | undefined
  /** It is not in the report. Now by default. */
  readonly to?: string | undefined
  /** The launch that led to something, or the first launch of the same visitor. `last` by default. */
  readonly model?: "last" | "first" | undefined
  /** Whose days: a time zone of the IANA database. `UTC` by default. */
  readonly tz?: string | undefined
  /** The `nextCursor` of the page before. */
  readonly cursor?: string | undefined
}

/** What came from one place on one day. Null is what nobody said. */
export interface AttributionRow {
  /** `2026-01-31` */
  readonly day: string
  readonly source: string | null
  readonly medium: string | null
  readonly campaign: string | null
  readonly launches: number
  readonly verifications: number
  readonly conversions: number
  readonly leads: number
  readonly values: ReadonlyArray<{ readonly currency: string | null; readonly value: number }>
}

export interface AttributionReport {
  readonly items: ReadonlyArray<AttributionRow>
  /** Null on the last page. */
  readonly nextCursor: string | null
}

type Answer = Readonly<Record<string, unknown>>

const isReport = (answer: Answer): answer is Answer & AttributionReport => Array.isArray(answer["items"])

/** Where people came from, and what it led to. The key needs the scope `dashboard`. */
export const makeAttribution =
  ({ get }: Pick<Ask, "get">) =>
  (input: AttributionInput = {}, options?: ServerCallOptions): Promise<AttributionReport> => {
    const given = Object.entries(input).filter((entry): entry is [string, string] => entry[1] !== undefined)
    const query = new URLSearchParams(given).toString()
    return get<AttributionReport>(`/v1/dashboard/attribution${query && `?${query}`}`, isReport, options)
  }
