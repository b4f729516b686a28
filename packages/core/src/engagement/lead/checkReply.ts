import { Effect } from "effect"
import { InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { byName, type Catalogue, problemOf } from "../../message/template/choose.ts"
import { type Instant, toIso } from "../../foundation/time/Instant.ts"
import type { Keyring } from "../../foundation/secret/Keyring.ts"
import { checkAttachment } from "./Attachment.ts"
import { checkText } from "./inboxFields.ts"
import { type Lead, replyWindow } from "./Lead.ts"
import type { LeadMessage } from "./LeadMessage.ts"

/** Plain text for the customer, a file, or a template. */
export interface ReplyRequest {
  /** The text, or the caption of the file. */
  readonly text?: string | null | undefined
  /** The reference of a file that was uploaded for this lead. */
  readonly attachment?: string | null | undefined
  /** The name of the file, which the customer sees if it is a document. */
  readonly fileName?: string | null | undefined
  /**
   * The id or name of a stored template, otherwise the name of a template at the provider: `name` or `name/language`.
   */
  readonly template?: string | null | undefined
  /** The template's placeholder values, in order. */
  readonly values?: ReadonlyArray<string> | null | undefined
}

/** The data for choosing a reply's template. */
export interface ReplyContext {
  readonly keyring: Keyring["Service"]
  readonly catalogue: Catalogue
  readonly settings: Settings
}

/** A reply that passed all checks. */
export type CheckedReply = Pick<LeadMessage, "media" | "template" | "text" | "type">

const longestText = 4_096
const longestValue = 1_024
const mostValues = 50
const usualLanguage = "en"

/** Until when plain text may be sent to a customer; null when they never wrote. */
export const windowEnd = ({ lastInboundAt }: Pick<Lead, "lastInboundAt">): Instant | null =>
  lastInboundAt === null ? null : lastInboundAt + replyWindow

/** Checks that a customer wrote within the last 24 hours. */
export const checkWindow = (field: string, lead: Lead, now: Instant): Effect.Effect<void, InvalidField> => {
  const end = windowEnd(lead)
  if (end !== null && now < end) return Effect.void
  const problem = end === null ? Problem.of("REPLY_FIRST") : Problem.of("REPLY_LATE", { at: toIso(end) })
  return Effect.fail(invalidField(field, problem))
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
 * Checks a reply request. Plain text and files are allowed within 24 hours of the customer's last message, a template
 * at any time.
 */
export const checkReply = Effect.fnUntraced(function* (
  lead: Lead,
  { attachment, fileName, template, text, values }: ReplyRequest,
  context: ReplyContext,
  now: Instant
): Effect.fn.Return<CheckedReply, InvalidField> {
  if (template != null) {
    if (text != null) return yield* new InvalidField({ field: "text", problem: "send text or template, not both" })
    if (attachment != null)
      return yield* new InvalidField({ field: "attachment", problem: "send a file or a template, not both" })
    const chosen = yield* checkTemplate(template, values ?? [], context)
    return { type: "template", text: null, template: chosen, media: null }
  }
  if (values != null) return yield* new InvalidField({ field: "values", problem: "need a template; send template too" })
  if (attachment != null) {
    const checked = yield* checkAttachment(context.keyring, lead, { attachment, fileName, text }, now)
    yield* checkWindow("attachment", lead, now)
    return checked
  }
  if (fileName != null)
    return yield* new InvalidField({ field: "fileName", problem: "needs a file; send attachment too" })
  const words = yield* checkText("text", text, longestText)
  yield* checkWindow("text", lead, now)
  return { type: "text", text: words, template: null, media: null }
})
