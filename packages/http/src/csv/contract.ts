import { Schema } from "effect"
import { HttpApiSchema } from "effect/http-api"

/** A list as a CSV file. Beside the list in an endpoint's `success`, for clients that send `Accept: text/csv`. */
export const CsvFile = HttpApiSchema.WithHeaders(HttpApiSchema.StreamUint8Array({ contentType: "text/csv" }), {
  "content-type": Schema.String,
  "content-disposition": Schema.String,
  "x-content-type-options": Schema.Literal("nosniff")
})

/** The sentence about the file in an endpoint's description. */
export const asCsv =
  "With `Accept: text/csv` the answer is a file with all rows that match the filters, at most 1,000,000; `cursor` and `limit` are ignored. A file that reached the limit ends with a line about it. The audit log records the export."
