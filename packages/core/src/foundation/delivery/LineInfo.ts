import { type Effect, Schema } from "effect"
import type { Instant } from "../time/Instant.ts"
import { OutcomeUnknown, Refused, Unavailable } from "./ChannelError.ts"
import type { ProviderCheck } from "./ProviderCheck.ts"

/**
 * What a provider can tell about a phone line.
 *
 * - `type`: the kind of line
 * - `carrier`: the name of the line's operator
 * - `simSwapped`: whether the number moved to another SIM within some hours
 * - `simSwappedAt`: when it last did
 * - `recycled`: whether the number got another owner since a date
 */
export const lineFacts = ["type", "carrier", "simSwapped", "simSwappedAt", "recycled"] as const
export type LineFact = (typeof lineFacts)[number]

export const isLineFact = (text: string): text is LineFact => (lineFacts as ReadonlyArray<string>).includes(text)

/** The kinds of line that Countersign has names for. A provider's other words are kept as they are. */
export const knownLineTypes = ["mobile", "landline", "fixedVoip", "nonFixedVoip"] as const

/** The facts about one line. Null means that the provider does not know. */
export interface LineFacts {
  /** One of `knownLineTypes`, or the provider's own word. */
  readonly type: string | null
  readonly carrier: string | null
  readonly simSwapped: boolean | null
  readonly simSwappedAt: Instant | null
  readonly recycled: boolean | null
}

/** A request for facts about one line. */
export interface LineRequest {
  /** E.164, with `+`. */
  readonly number: string
  /** The facts to look up, all of which the adapter can tell. Providers charge for each of them. */
  readonly facts: ReadonlyArray<LineFact>
  /** For `simSwapped`: the age up to which a swap counts, from 1 to 2400 hours. */
  readonly simSwapHours: number
  /** For `recycled`: the date since which a new owner counts, as `2025-01-31`. */
  readonly recycledSince: string
}

/** A lookup that told nothing. It has the provider's code and never its answer, which contains the number. */
export class LineInfoError extends Schema.TaggedError<LineInfoError>()("LineInfoError", {
  provider: Schema.String,
  reason: Schema.Union([Refused, Unavailable, OutcomeUnknown])
}) {}

/**
 * A provider of facts about phone lines. It says which facts it can tell, looks up the requested ones once, and leaves
 * out what it could not learn. Core decides which provider to ask, how long to wait, and what the facts mean.
 *
 * A lookup that learned some facts succeeds with them. It fails only if it learned none because of a failure. A number
 * that the provider does not know is no failure: the answer is empty.
 *
 * `Refused`: the provider rejects the request; with `because: "account"` it rejects the operator's account.
 *
 * `Unavailable`: the provider did not accept the request.
 *
 * `OutcomeUnknown`: the response is unreadable or did not come. The provider may charge for the lookup.
 *
 * @example
 * ```ts
 * import type { LineInfo } from "@countersign/core/channel"
 * import { Effect } from "effect"
 *
 * const acme: LineInfo = {
 *   provider: "acme",
 *   facts: ["type"],
 *   lookUp: ({ number }) => Effect.succeed({ type: number.startsWith("+9180") ? "landline" : "mobile" })
 * }
 * ```
 */
export interface LineInfo {
  /** The provider: `camara`. */
  readonly provider: string
  /** The name in a table of providers. Default: the provider. Two accounts of one provider need different names. */
  readonly carrier?: string
  /** The first digits of the numbers that it knows, without `+`. Default: every number. */
  readonly prefixes?: ReadonlyArray<string>
  /** The facts that it can tell. */
  readonly facts: ReadonlyArray<LineFact>
  /** Asks the provider once. It may take as long as the provider needs: core has its own limit. */
  lookUp(request: LineRequest): Effect.Effect<Partial<LineFacts>, LineInfoError>
  /** Whether the provider would answer, without a lookup that costs money. */
  readonly check?: ProviderCheck
}
