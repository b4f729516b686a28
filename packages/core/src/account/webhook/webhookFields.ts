import { Effect } from "effect"
import { EventType } from "../../foundation/event/Event.ts"
import { invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { WebhookStatus } from "./Webhook.ts"

/** An endpoint's fields as the merchant sent them. A null field counts as absent. */
export interface WebhookFields {
  readonly url?: string | null | undefined
  /** Event types; null for all. */
  readonly events?: ReadonlyArray<string> | null | undefined
  readonly description?: string | null | undefined
  readonly status?: string | null | undefined
}

const longestDescription = 200
const mostEvents = 50

/**
 * The event types that an endpoint may subscribe to. A test event is sent immediately, and only to the endpoint under
 * test.
 */
const types = EventType.literals.filter((type) => type !== "webhook.test")

const invalid = (field: string, problem: Problem.Problem) => Effect.fail(invalidField(field, problem))

export const checkEvents = (asked: ReadonlyArray<string> | null) => {
  if (asked === null) return Effect.succeed(null)
  const events = [...new Set(asked)].slice(0, mostEvents).map((name) => types.find((type) => type === name))
  if (events.length === 0) return invalid("events", Problem.of("EVENTS_NONE"))
  return events.every((type) => type !== undefined)
    ? Effect.succeed(events)
    : invalid("events", Problem.of("EACH_ONE_OF", { values: types.join(", ") }))
}

export const checkDescription = (description: string | null) =>
  description !== null && (description.length > longestDescription || /[\p{Cc}\p{Cs}]/u.test(description))
    ? invalid("description", Problem.of("LINE_TOO_LONG", { max: longestDescription }))
    : Effect.succeed(description)

export const checkStatus = (status: string) =>
  status === "ACTIVE" || status === "DISABLED"
    ? Effect.succeed<WebhookStatus>(status)
    : invalid("status", Problem.of("ONE_OF", { values: "ACTIVE, DISABLED" }))
