import { Data, Effect } from "effect"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { LeadView } from "./LeadView.ts"

/** Actions on several leads at once. Each one is the action on a single lead, once for each. */
export const BulkAction = ["ASSIGN", "CLOSE", "REOPEN", "SNOOZE", "UNSNOOZE", "LABEL", "UNLABEL"] as const
export type BulkAction = (typeof BulkAction)[number]

/**
 * What became of one lead. `DONE` says that it is now as requested, also when it was before. `CLOSED` leads cannot be
 * snoozed. A `FULL` lead has as many labels as it can have. A `BUSY` lead was changed by others at the same time, so the request may be repeated.
 */
export const BulkOutcome = ["DONE", "CLOSED", "FULL", "NOT_FOUND", "BUSY"] as const
export type BulkOutcome = (typeof BulkOutcome)[number]

export interface BulkResult {
  readonly id: number
  readonly outcome: BulkOutcome
}

/** The most leads of one request. */
const mostLeads = 100
/** Leads that are changed at the same time. */
const atOnce = 8

/** Each id once. */
export const checkIds = (ids: ReadonlyArray<number>): Effect.Effect<ReadonlyArray<number>, InvalidField> => {
  const unique = [...new Set(ids)]
  return unique.length >= 1 && unique.length <= mostLeads
    ? Effect.succeed(unique)
    : Effect.fail(invalidField("ids", Problem.of("LEAD_IDS", { min: 1, max: mostLeads })))
}

/** A lead would have more labels than it can have. */
export class TooManyLabels extends Data.TaggedError("TooManyLabels") {}

const outcomeOf = (action: BulkAction, { lead }: LeadView): BulkOutcome =>
  action === "SNOOZE" && lead.status === "CLOSED" ? "CLOSED" : "DONE"

/** The failures that concern one lead alone. */
const outcomes = { UnknownLead: "NOT_FOUND", Contended: "BUSY", TooManyLabels: "FULL" } as const
type OfOne = { readonly _tag: keyof typeof outcomes }

/** Runs the action on each lead. Failures that concern one lead are its outcome; any other failure ends the request. */
export const inBulk = <E extends { readonly _tag: string }>(
  ids: ReadonlyArray<number>,
  action: BulkAction,
  run: (id: number) => Effect.Effect<LeadView, E>
): Effect.Effect<ReadonlyArray<BulkResult>, Exclude<E, OfOne>> =>
  Effect.forEach(
    ids,
    (id) =>
      Effect.matchEffect(run(id), {
        onSuccess: (view) => Effect.succeed({ id, outcome: outcomeOf(action, view) }),
        onFailure: (failure): Effect.Effect<BulkResult, Exclude<E, OfOne>> =>
          failure._tag in outcomes
            ? Effect.succeed({ id, outcome: outcomes[failure._tag as OfOne["_tag"]] })
            : Effect.fail(failure as Exclude<E, OfOne>)
      }),
    { concurrency: atOnce }
  )
