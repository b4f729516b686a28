import { Result } from "effect"
import { isChannelName } from "../../foundation/delivery/ChannelName.ts"
import { checkInstant } from "../../foundation/identity/checkInstant.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import { guardReasons } from "../../foundation/guard/GuardReason.ts"
import { isOutcomeExact, keptOutcomes, type OutcomeFilter } from "../../auth/verification/keptOutcome.ts"
import { OutcomeCode, OutcomeReason } from "../../auth/verification/outcome.ts"
import { AuthStatus } from "../../auth/verification/Verification.ts"
import { isTagName, isTagValue } from "../../auth/verification/RequestContext.ts"
import type { SearchFilter, SearchPage, Tag } from "../../auth/verification/VerificationSearch.ts"
import { checkPerson } from "./checkPerson.ts"

/** A search as the caller sent it. */
export interface SearchRequest {
  /** A phone number or an e-mail address, in any spelling. */
  readonly identity?: string | undefined
  /** A person's reference. */
  readonly person?: string | undefined
  readonly orderId?: string | undefined
  readonly status?: string | undefined
  readonly channel?: string | undefined
  /** Two letters. */
  readonly country?: string | undefined
  /** Codes of outcomes, separated by commas. */
  readonly outcome?: string | undefined
  /** The reason of an outcome. */
  readonly reason?: string | undefined
  /** `name:value`. */
  readonly tag?: string | undefined
  readonly guard?: string | undefined
  /** True for codes of other systems only, false for everything else. */
  readonly relayed?: boolean | undefined
  /** The start, inclusive. */
  readonly from?: string | undefined
  /** The end, exclusive. */
  readonly to?: string | undefined
  readonly cursor?: string | undefined
  readonly limit?: number | undefined
}

const invalid = (field: string, problem: Problem.Problem) => Result.fail(invalidField(field, problem))

const oneOf = <A extends string>(
  field: string,
  known: ReadonlyArray<A>,
  text: string | undefined
): Result.Result<A | undefined, InvalidField> => {
  const found = known.find((one) => one === text)
  return text !== undefined && found === undefined
    ? invalid(field, Problem.of("ONE_OF", { values: known.join(", ") }))
    : Result.succeed(found)
}

const checkTag = (text: string | undefined): Result.Result<Tag | undefined, InvalidField> => {
  if (text === undefined) return Result.succeed(undefined)
  const colon = text.indexOf(":")
  const [name, value] = [text.slice(0, colon), text.slice(colon + 1)]
  return colon > 0 && isTagName(name) && isTagValue(value)
    ? Result.succeed({ name, value })
    : invalid("tag", Problem.of("TAG"))
}

const checkOutcome = ({ outcome, reason }: SearchRequest): Result.Result<OutcomeFilter | null, InvalidField> =>
  Result.gen(function* () {
    if (outcome === undefined && reason === undefined) return null
    const codes: Array<OutcomeCode> = []
    for (const text of outcome?.split(",") ?? []) {
      const code = OutcomeCode.find((known) => known === text)
      if (code === undefined)
        return yield* invalid("outcome", Problem.of("EACH_ONE_OF", { values: OutcomeCode.join(", ") }))
      codes.push(code)
    }
    const checkedReason = yield* oneOf("reason", OutcomeReason, reason)
    return { codes: outcome === undefined ? null : codes, reason: checkedReason ?? null }
  })

const pageSize = 50
/** How many rows a page reads: rarer matches come in shorter pages. */
const mostLookedAt = 5_000
const longestOrderId = 255

export interface CheckedSearch extends Pick<SearchPage, "before" | "filter" | "limit" | "most" | "since"> {
  /** The codes to check with `outcomeOf`, because the kept outcomes do not tell them apart. Null otherwise. */
  readonly outcomeCodes: ReadonlyArray<OutcomeCode> | null
}

/** The validated filter for verifications. `openPerson` returns the canonical identity of a reference, or null. */
export const checkSearch = (
  request: SearchRequest,
  defaultCountry: string | null,
  openPerson: (reference: string) => string | null
): Result.Result<CheckedSearch, InvalidField> =>
  Result.gen(function* () {
    const { country, cursor, limit = pageSize, orderId, relayed } = request
    const status = yield* oneOf("status", AuthStatus, request.status)
    const { channel } = request
    // Verifications over a removed channel can still be found.
    if (channel !== undefined && !isChannelName(channel)) {
      return yield* invalid("channel", Problem.of("CHANNEL_NAME"))
    }
    if (country !== undefined && !/^[A-Z]{2}$/.test(country)) {
      return yield* invalid("country", Problem.of("COUNTRY"))
    }
    if (orderId !== undefined && (orderId === "" || orderId.length > longestOrderId)) {
      return yield* invalid("orderId", Problem.of("LENGTH", { min: 1, max: longestOrderId }))
    }
    const tag = yield* checkTag(request.tag)
    const guard = yield* oneOf("guard", guardReasons, request.guard)
    const outcome = yield* checkOutcome(request)
    if (cursor !== undefined && !Identifier.is("ver", cursor)) {
      return yield* invalid("cursor", Problem.of("CURSOR"))
    }
    const from = yield* checkInstant("from", request.from)
    const to = yield* checkInstant("to", request.to)
    const canonical = yield* checkPerson(request, defaultCountry, openPerson)
    const filter: SearchFilter = {
      ...(canonical === null ? {} : { canonical }),
      ...(orderId === undefined ? {} : { orderId }),
      ...(status === undefined ? {} : { status }),
      ...(channel === undefined ? {} : { channel }),
      ...(country === undefined ? {} : { country }),
      ...(tag === undefined ? {} : { tag }),
      ...(guard === undefined ? {} : { guard }),
      ...(relayed === undefined ? {} : { relayed }),
      ...(outcome === null ? {} : { outcomes: keptOutcomes(outcome) })
    }
    const end = to === undefined ? "ver_~" : Identifier.first("ver", to)
    return {
      filter,
      outcomeCodes: outcome === null || isOutcomeExact(outcome) ? null : outcome.codes,
      before: cursor !== undefined && cursor < end ? cursor : end,
      since: from === undefined ? "ver_" : Identifier.first("ver", from),
      limit,
      most: mostLookedAt
    }
  })
