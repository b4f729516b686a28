import { Schema } from "effect"

/** A field that may be left out, or null, which means the same. */
export const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** Any JSON object. Its members are looked at by nobody. */
export const JsonObject = Schema.declare(
  (value): value is { readonly [name: string]: unknown } =>
    typeof value === "object" && value !== null && !Array.isArray(value),
  { expected: "a JSON object", toJsonSchema: () => ({ type: "object" }) }
)

/** How many items a page of a list may hold. */
export const Limit = Schema.NumberFromString.check(Schema.isInt(), Schema.isBetween({ minimum: 1, maximum: 200 }))

/** ISO 8601 in UTC with milliseconds. */
export const Timestamp = Schema.String.annotate({ format: "date-time", examples: ["2026-01-31T09:30:00.000Z"] })
