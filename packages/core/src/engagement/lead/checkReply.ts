import { Effect } from "effect"
import { InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { byName, type Catalogue, problemOf } from "../../message/template/choose.ts"
import { type Instant, toIso } from "../../foundation/time/Instant.ts"
import { checkText } from "./inboxFields.ts"
import { type Lead, replyWindow } from "./Lead.ts"
import type { LeadMessage } from "./LeadMessage.ts"

/** Plain text for the customer, or a template. */
export interface ReplyRequest {
  readonly text?: string | null | undefined
  /**
   * The id or name of a stored template, otherwise the name of a template at the provider: `name` or `name/language`.
   */
  readonly template?: string | null | undefined
  /** The template's placeholder values, in order. */
  readonly values?: ReadonlyArray<string> | null | undefined
}

/** The data for choosing a reply's template. */
export interface ReplyContext {
  readonly catalogue: Catalogue
  readonly settings: Settings
}

/** A reply that passed all checks. */
export type CheckedReply = Pick<LeadMessage, "template" | "text">

const longestText = 4_096
const longestValue = 1_024
const mostValues = 50
const usualLanguage = "en"

/** Until when plain text may be sent to a customer; null when they never wrote. */
export const windowEnd = ({ lastInboundAt }: Pick<Lead, "lastInboundAt">): Instant | null =>
  lastInboundAt === null ? null : lastInboundAt + replyWindow

const checkWindow = (lead: Lead, now: Instant): Effect.Effect<void, InvalidField> => {
  const end = windowEnd(lead)
  if (end !== null && now < end) return Effect.void
  const problem = end === null ? Problem.of("REPLY_FIRST") : Problem.of("REPLY_LATE", { at: toIso(end) })
  return Effect.fail(invalidField("text", problem))
}

/** The stored reply template with this id or name; null when there is none. Fails when the template cannot be sent. */
const ours = Effect.fnUntraced(function* (
  template: string,
  values: ReadonlyArray<string>,
  catalogue: Catalogue,
  settings: Settings
) {
  const heads = catalogue.heads.filter(({ channel, purpose }) => channel === "WHATSAPP" && purpose === "MESSAGE")
  const wanted = { channel: "WHATSAPP", purpose: "MESSAGE", locale: settings.locale } as const
  const head = heads.find(({ id }) => id === template) ?? byName(catalogue, template, wanted)
  if (head === undefined) return null
  const found = problemOf(head, catalogue, settings)
  if (found !== null) return yield* new InvalidField({ field: "template", problem: found.problem })
  if (values.length !== head.values) {
    return yield* invalidField("values", Problem.of("VALUES", { count: head.values, template: head.name }))
  }
  return { name: head.whatsappName ?? "", language: head.whatsappLanguage ?? usualLanguage }
})

const checkTemplate = Effect.fnUntraced(function* (
  template: string,
  values: ReadonlyArray<string>,
  { catalogue, settings }: ReplyContext
) {
  if (values.length > mostValues) return yield* invalidField("values", Problem.of("TOO_MANY", { max: mostValues }))
  for (const value of values) yield* checkText("values", value, longestValue)
  const known = yield* ours(template, values, catalogue, settings)
  if (known !== null) return { ...known, values: [...values] }
  const [, name, language = usualLanguage] =
    /^([a-z0-9_]{1,512})(?:\/([A-Za-z]{2,3}(?:_[A-Za-z]{2,4})?))?$/.exec(template) ?? []
  if (name === undefined) {
    return yield* invalidField("template", Problem.of("TEMPLATE_OR_WHATSAPP"))
  }
  return { name, language, values: [...values] }
})

/**
 * Checks a reply request. Plain text is allowed within 24 hours of the customer's last message, a template at any time.
 */
export const checkReply = Effect.fnUntraced(function* (
  lead: Lead,
  { template, text, values }: ReplyRequest,
  context: ReplyContext,
  now: Instant
): Effect.fn.Return<CheckedReply, InvalidField> {
  if (template != null) {
    if (text != null) return yield* new InvalidField({ field: "text", problem: "send text or template, not both" })
    return { text: null, template: yield* checkTemplate(template, values ?? [], context) }
  }
  if (values != null) return yield* new InvalidField({ field: "values", problem: "need a template; send template too" })
  const words = yield* checkText("text", text, longestText)
  yield* checkWindow(lead, now)
  return { text: words, template: null }
})
