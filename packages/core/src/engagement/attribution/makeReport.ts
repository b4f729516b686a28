import { Clock, Effect, Result, Schema } from "effect"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import * as Cursor from "../lead/Cursor.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { days, fromIso, type Instant } from "../../foundation/time/Instant.ts"
import { type LocalDays, localDays, midnight, zoneOf } from "../../foundation/time/localDays.ts"
import type { AttributionQuery } from "./AttributionRequest.ts"
import { AttributionModel, type AttributionStore } from "./AttributionStore.ts"
import { unitsOf } from "./checkMoney.ts"

/** The sums for one origin on one day. */
export interface ReportRow {
  /** `2026-01-31`, in the requested time zone. */
  readonly day: string
  readonly source: string | null
  readonly medium: string | null
  readonly campaign: string | null
  readonly launches: number
  readonly verifications: number
  readonly conversions: number
  readonly leads: number
  /** The value of conversions by currency. */
  readonly values: ReadonlyArray<{ readonly currency: string | null; readonly value: number }>
}

export interface Report {
  readonly items: ReadonlyArray<ReportRow>
  readonly nextCursor: string | null
}

const mostRows = 1_000
const longestRange = days(400)
const usualDays = 30

/** The checked query. */
interface Asked {
  readonly model: AttributionModel
  readonly tz: string
  readonly days: LocalDays
  readonly until: Instant
}

const refuse = (field: string, problem: Problem.Problem) => Result.fail(invalidField(field, problem))

const checkTime = (field: string, given: string | null | undefined): Result.Result<Instant | null, InvalidField> => {
  if (given == null) return Result.succeed(null)
  const at = fromIso(given)
  return at === null ? refuse(field, Problem.of("TIME")) : Result.succeed(at)
}

const checkQuery = (query: AttributionQuery, now: Instant): Result.Result<Asked, InvalidField> =>
  Result.gen(function* () {
    const model = AttributionModel.find((known) => known === (query.model ?? "last"))
    if (model === undefined) return yield* refuse("model", Problem.of("ONE_OF", { values: "last, first" }))
    const tz = query.tz ?? "UTC"
    const zone = zoneOf(tz)
    if (zone === null) return yield* refuse("tz", Problem.of("TIME_ZONE"))
    // Includes reports of the current millisecond.
    const until = (yield* checkTime("to", query.to)) ?? now + 1
    const from = (yield* checkTime("from", query.from)) ?? midnight(zone, until - 1, 1 - usualDays)
    if (from >= until) return yield* refuse("from", Problem.of("BEFORE", { other: "to" }))
    if (until - from > longestRange) return yield* refuse("from", Problem.of("RANGE_LONG", { days: 400 }))
    return { model, tz, days: localDays(zone, from, until), until }
  })

const Place = Schema.Struct({
  day: Schema.String,
  source: Schema.String,
  medium: Schema.String,
  campaign: Schema.String
})
type Place = typeof Place.Type

/** The remaining days after a position. */
const pageAfter = (
  { begin, names }: LocalDays,
  place: Place | null
): Pick<AttributionStore.SumPage, "after" | "days"> => {
  if (place === null) return { days: begin, after: null }
  const { day, ...origin } = place
  const at = names.indexOf(day)
  const later = names.findIndex((name) => name > day)
  if (at === -1) return { days: later === -1 ? [] : begin.slice(later), after: null }
  return { days: begin.slice(at), after: { day: 0, ...origin } }
}

const orNull = (text: string) => (text === "" ? null : text)

const rowOf = (
  { campaign, day: _, medium, source, values, ...counts }: AttributionStore.Sum,
  day: string
): ReportRow => ({
  day,
  source: orNull(source),
  medium: orNull(medium),
  campaign: orNull(campaign),
  ...counts,
  values: values.map(({ currency, micros }) => ({ currency: orNull(currency), value: unitsOf(micros) }))
})

/** Answers reports, in pages of a thousand rows. */
export const makeReport = (store: AttributionStore["Service"], keyring: Keyring["Service"]) =>
  Effect.fnUntraced(function* (
    { environment }: Caller,
    query: AttributionQuery
  ): Effect.fn.Return<Report, InvalidField | StoreError> {
    const asked = yield* Effect.fromResult(checkQuery(query, yield* Clock.currentTimeMillis))
    const list = `attribution:${environment}:${asked.model}:${asked.tz}`
    const place = query.cursor == null ? null : Cursor.read(keyring, list, Place, query.cursor)
    if (place === undefined) {
      return yield* Effect.fromResult(refuse("cursor", Problem.of("CURSOR")))
    }
    const page = pageAfter(asked.days, place)
    if (page.days.length === 0) return { items: [], nextCursor: null }
    const { model, until } = asked
    const found = yield* store.sums({ environment, model, until, ...page, limit: mostRows + 1 })
    const skipped = asked.days.begin.length - page.days.length
    const dayOf = ({ day }: AttributionStore.Sum) => asked.days.names[skipped + day]!
    const sums = found.slice(0, mostRows)
    const last = found.length > mostRows ? sums.at(-1) : undefined
    const next = (sum: AttributionStore.Sum): Place => ({
      day: dayOf(sum),
      source: sum.source,
      medium: sum.medium,
      campaign: sum.campaign
    })
    return {
      items: sums.map((sum) => rowOf(sum, dayOf(sum))),
      nextCursor: last === undefined ? null : Cursor.write(keyring, list, next(last))
    }
  })
