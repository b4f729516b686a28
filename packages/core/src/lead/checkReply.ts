import { Effect } from "effect"
import type { InvalidField } from "../identity/InvalidField.ts"
import { type Instant, toIso } from "../time/Instant.ts"
import { checkText, invalid } from "./inboxFields.ts"
import { type Lead, replyWindow } from "./Lead.ts"
import type { LeadMessage } from "./LeadMessage.ts"

/** Words for the customer, or one of the provider's templates: `name` or `name/language`. */
export interface ReplyRequest {
  readonly text?: string | null | undefined
  readonly template?: string | null | undefined
  /** What fills the template's places, in its order. */
  readonly values?: ReadonlyArray<string> | null | undefined
}

/** A reply that may be sent. */
export type CheckedReply = Pick<LeadMessage, "template" | "text">

const longestText = 4_096
const longestValue = 1_024
const mostValues = 50
const usualLanguage = "en"

/** Until when plain words may be sent to a customer; null when they never wrote. */
export const windowEnd = ({ lastInboundAt }: Pick<Lead, "lastInboundAt">): Instant | null =>
  lastInboundAt === null ? null : lastInboundAt + replyWindow

const checkWindow = (lead: Lead, now: Instant): Effect.Effect<void, InvalidField> => {
  const end = windowEnd(lead)
  if (end !== null && now < end) return Effect.void
  const problem =
    end === null
      ? "can be sent once the customer has written; send a template instead"
      : `can be sent for 24 hours after the customer's last message, which were over at ${toIso(end)}; send a template instead`
  return Effect.fail(invalid("text", problem))
}

const checkTemplate = Effect.fnUntraced(function* (template: string, values: ReadonlyArray<string>) {
  const [, name, language = usualLanguage] =
    /^([a-z0-9_]{1,512})(?:\/([A-Za-z]{2,3}(?:_[A-Za-z]{2,4})?))?$/.exec(template) ?? []
  if (name === undefined) {
    return yield* invalid("template", "must be a template's name, or name/language as in welcome/en_US")
  }
  if (values.length > mostValues) return yield* invalid("values", `must be at most ${mostValues}`)
  for (const value of values) yield* checkText("values", value, longestValue)
  return { name, language, values: [...values] }
})

/** A reply as it was asked for: plain words within 24 hours of the customer's last message, a template at any time. */
export const checkReply = Effect.fnUntraced(function* (
  lead: Lead,
  { template, text, values }: ReplyRequest,
  now: Instant
): Effect.fn.Return<CheckedReply, InvalidField> {
  if (template != null) {
    if (text != null) return yield* invalid("text", "send text or template, not both")
    return { text: null, template: yield* checkTemplate(template, values ?? []) }
  }
  if (values != null) return yield* invalid("values", "go with a template")
  const words = yield* checkText("text", text, longestText)
  yield* checkWindow(lead, now)
  return { text: words, template: null }
})
