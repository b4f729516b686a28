import { issueOf, Problem } from "@countersign/core"
import { knownChannels, namePattern } from "@countersign/core/channel"
import { Schema, SchemaGetter } from "effect"

/** A field that may be absent or null, which mean the same. */
export const optional = <S extends Schema.Top>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

/** Published as text, because a later version may have more codes. */
const Code = Schema.String.annotate({
  description: "Stable, or null for a provider's own sentence. A later version may have more codes",
  examples: ["LISTED_EMPTY"]
}) as unknown as Schema.Codec<Problem.ProblemCode>

/** The code and parameters of a `problem`, so that a page can word it in another language. */
export const coded = {
  code: Schema.NullOr(Code),
  params: Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Finite])).annotate({
    description: "What the sentence names"
  })
}

/** The provider that was asked to send a message. */
export const Carrier = Schema.NullOr(Schema.String).annotate({
  description: "The provider that was asked to send it; null if none was"
})

/** Any JSON object. Its members are not validated. */
export const JsonObject = Schema.declare(
  (value): value is { readonly [name: string]: unknown } =>
    typeof value === "object" && value !== null && !Array.isArray(value),
  { expected: "a JSON object", toJsonSchema: () => ({ type: "object" }) }
)

/**
 * A text with constraints that only the published contract states. Decoding does not check them: core refuses violations
 * later with their own code. So an unknown `mode` is `INVALID_MODE`, after the shape of the whole body was checked.
 */
export const text = (published: { readonly [keyword: string]: unknown }) =>
  Schema.String.check(Schema.makeFilter<string>(() => true, { toJsonSchema: () => published }))

/** The same for a finite number. */
export const number = (published: { readonly [keyword: string]: unknown }) =>
  Schema.Finite.check(Schema.makeFilter<number>(() => true, { toJsonSchema: () => published }))

/** The name of a channel in a request. Core refuses channels that the server does not have. */
export const ChannelField = text({ pattern: namePattern.source }).annotate({
  description: `${knownChannels.join(", ")}, or another channel of this server`,
  examples: ["SMS"]
})

/** A masked phone number or e-mail address. */
export const Masked = Schema.String.annotate({ description: "Masked", examples: ["+91******3210"] })

/** The reference of an end user. */
export const PersonField = Schema.String.annotate({
  description:
    "The person's reference: the same for all their records in this environment. It does not show the identity",
  examples: ["per_Zk3mQ0c1Jm8bqf0t8e3sYv5pM2yDq7hXwA9lB4nC6rT1uE8oKjLzRgSiPdNaHfGb"]
})

/** A merchant's own reference. */
export const OrderId = text({ minLength: 1, maxLength: 255 })

interface Range {
  readonly minimum: number
  readonly maximum: number
}

/** A value in a path or query is text. The contract publishes its real type, and decoding refuses anything else. */
const written = (
  published: { readonly [keyword: string]: unknown },
  problem: Problem.Problem,
  fits: (value: string) => boolean
) =>
  Schema.String.check(
    Schema.makeFilter<string>((value) => fits(value) || issueOf(problem), { toJsonSchema: () => published })
  )

const digits = /^(0|[1-9][0-9]{0,15})$/

/** A whole number in a path or a query, in decimal digits. */
export const WholeNumber = ({ maximum, minimum }: Range) =>
  written(
    { type: "integer", minimum, maximum },
    Problem.of("BETWEEN", { min: minimum, max: maximum }),
    (value) => digits.test(value) && Number(value) >= minimum && Number(value) <= maximum
  ).pipe(
    Schema.decodeTo(Schema.Int.check(Schema.isBetween({ minimum, maximum })), {
      decode: SchemaGetter.transform(Number),
      encode: SchemaGetter.transform(String)
    })
  )

/** `true` or `false` in a query. */
export const Flag = written({ type: "boolean" }, Problem.of("TRUE_OR_FALSE"), (value) =>
  /^(true|false)$/.test(value)
).pipe(
  Schema.decodeTo(Schema.Boolean, {
    decode: SchemaGetter.transform((text) => text === "true"),
    encode: SchemaGetter.transform(String)
  })
)

const idRange = { minimum: 1, maximum: 2_147_483_647 }
/** A numeric id in a path, counted from 1: of a lead, an agent or a team. */
export const CountedId = WholeNumber(idRange)
/** A numeric id in a body. */
export const CountedIdNumber = Schema.Int.check(Schema.isBetween(idRange))

/** The page size of a list. */
export const Limit = WholeNumber({ minimum: 1, maximum: 200 })

/** ISO 8601 in UTC with milliseconds. */
export const Timestamp = Schema.String.annotate({ format: "date-time", examples: ["2026-01-31T09:30:00.000Z"] })

/** A page of a list. `nextCursor` is null on the last page. */
export const listOf = <Item extends Schema.Top>(item: Item) =>
  Schema.Struct({ items: Schema.Array(item), nextCursor: Schema.NullOr(Schema.String) })
