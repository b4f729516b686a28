import { Attribution, type Caller } from "@countersign/core"
import { Effect } from "effect"
import { type Handlers, unwritten } from "../Handlers.ts"
import type { errors as auth } from "../auth/errors.ts"
import { prefersCsv } from "../csv/csv.ts"
import { type Columns, csvFile, pagesOf } from "../csv/csvFile.ts"
import { makeExports } from "../csv/makeExports.ts"
import type { AttributionApi, AttributionQuery, AttributionRow } from "./contract.ts"

const nothing = unwritten({ recorded: false, launchId: null, launchToken: null })

const columns: Columns<typeof AttributionRow.Type> = {
  day: ({ day }) => day,
  source: ({ source }) => source,
  medium: ({ medium }) => medium,
  campaign: ({ campaign }) => campaign,
  launches: ({ launches }) => launches,
  verifications: ({ verifications }) => verifications,
  conversions: ({ conversions }) => conversions,
  leads: ({ leads }) => leads,
  values: ({ values }) => values.map(({ currency, value }) => `${currency ?? ""} ${value}`.trim()).join("; ")
}

/** Answers `/v1/sdk/attribution/*` and the report. */
export const make = Effect.gen(function* () {
  const attribution = yield* Attribution
  const exports = yield* makeExports

  const file = Effect.fnUntraced(function* (caller: Caller, { cursor: _, ...query }: typeof AttributionQuery.Type) {
    const load = (cursor: string | undefined) =>
      attribution.report(caller, cursor === undefined ? query : { ...query, cursor })
    // A wrong filter is refused before the export is recorded.
    yield* load(undefined)
    yield* exports.recorded(caller, "attribution", query)
    return csvFile(`attribution-${caller.kind}`, columns, pagesOf(load))
  })

  const handlers: Handlers<typeof AttributionApi, typeof auth> = {
    launch: ({ caller, clientAddress, payload }) =>
      Effect.map(attribution.admitLaunch(caller, payload, clientAddress), (record) =>
        record === null
          ? nothing
          : (idempotencyKey) => Effect.map(record(idempotencyKey), (launch) => ({ recorded: true, ...launch }))
      ),
    withdraw: ({ bearerToken, caller, params }) =>
      Effect.succeed(() => attribution.withdraw(caller, params.id, bearerToken())),
    conversion: ({ caller, clientAddress, payload }) =>
      Effect.map(
        attribution.admitConversion(caller, payload, clientAddress),
        (record) => (idempotencyKey) =>
          Effect.map(record(idempotencyKey), (conversion) => ({ recorded: true as const, ...conversion }))
      ),
    report: ({ accept = null, caller, query }) =>
      prefersCsv(accept) ? file(caller, query) : attribution.report(caller, query)
  }
  return handlers
})
