import { knownChannels, namePattern } from "@countersign/core/channel"
import { Schema, SchemaGetter } from "effect"

/** A field that may be left out, or null, which means the same. */
export const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** Which provider was asked to send a message. */
export const Carrier = Schema.NullOr(Schema.String).annotate({
  description: "The provider that was asked to send it; null where none was"
})

/** Any JSON object. Its members are looked at by nobody. */
export const JsonObject = Schema.declare(
  (value): value is { readonly [name: string]: unknown } =>
    typeof value === "object" && value !== null && !Array.isArray(value),
  { expected: "a JSON object", toJsonSchema: () => ({ type: "object" }) }
)

/**
 * A text of which the published contract says more than decoding asks. What does not fit is refused all the same, but
 * in its turn and with its own code: an unknown `mode` is `INVALID_MODE`, and comes after the shape of the whole body.
 */
export const text = (published: { readonly [keyword: string]: unknown }) =>
  Schema.String.check(Schema.makeFilter<string>(() => true, { toJsonSchema: () => published }))

/** The same for a number, which is one that JSON can write. */
export const number = (published: { readonly [keyword: string]: unknown }) =>
  Schema.Finite.check(Schema.makeFilter<number>(() => true, { toJsonSchema: () => published }))

/** The name of a channel in a request. One that the server does not have is refused in its turn. */
export const ChannelField = text({ pattern: namePattern.source }).annotate({
  description: `${knownChannels.join(", ")}, or another channel that this server has`,
  examples: ["SMS"]
})

/** A merchant's own reference. */
export const OrderId = text({ minLength: 1, maxLength: 255 })

interface Range {
  readonly minimum: number
  readonly maximum: number
}

/** What stands in a path or a query is text: it is published as what it means, and refused where it means nothing. */
const written = (
  published: { readonly [keyword: string]: unknown },
  problem: string,
  fits: (value: string) => boolean
) =>
  Schema.String.check(Schema.makeFilter<string>((value) => fits(value) || problem, { toJsonSchema: () => published }))

const digits = /^(0|[1-9][0-9]{0,15})$/

/** A whole number in a path or a query, in decimal digits. */
export const WholeNumber = ({ maximum, minimum }: Range) =>
  written(
    { type: "integer", minimum, maximum },
    `must be a whole number from ${minimum} to ${maximum}`,
    (value) => digits.test(value) && Number(value) >= minimum && Number(value) <= maximum
  ).pipe(
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum, maximum })), {
      decode: SchemaGetter.transform(Number),
      encode: SchemaGetter.transform(String)
    })
  )

/** `true` or `false` in a query. */
export const Flag = written({ type: "boolean" }, "must be true or false", (value) => /^(true|false)$/.test(value)).pipe(
  Schema.decodeTo(Schema.Boolean, {
    decode: SchemaGetter.transform((text) => text === "true"),
    encode: SchemaGetter.transform(String)
  })
)

const idRange = { minimum: 1, maximum: 2_147_483_647 }
/** An id that is counted from 1, in a path: of a lead, an agent, a team. */
export const CountedId = WholeNumber(idRange)
/** The same in a body. */
export const CountedIdNumber = Schema.Int.check(Schema.isBetween(idRange))

/** How many items a page of a list may hold. */
export const Limit = WholeNumber({ minimum: 1, maximum: 200 })

/** ISO 8601 in UTC with milliseconds. */
export const Timestamp = Schema.String.annotate({ format: "date-time", examples: ["2026-01-31T09:30:00.000Z"] })

/** A page of a list: `nextCursor` is null on the last one. */
export const listOf = <Item extends Schema.Top>(item: Item) =>
  Schema.Struct({ items: Schema.Array(item), nextCursor: Schema.NullOr(Schema.String) })
