import { type AuditFields, type Deed, differing } from "../../foundation/outbox/AuditEntry.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { valuesIn } from "./compose.ts"
import type { Finding } from "./lint.ts"
import { namesIn } from "./Placeholder.ts"
import {
  type ProviderState,
  slotOf,
  type StoredTemplate,
  type TemplateContent,
  type TemplateHead
} from "./StoredTemplate.ts"
import type { TemplateDraft } from "./TemplateDraft.ts"
import type { Expected } from "./TemplateStates.ts"

export const mostPerEnvironment = 300

/** The stored form of a template. `content` is null when it does not change. */
export interface TemplateStep {
  readonly head: TemplateHead
  readonly content: TemplateContent | null
}

const placesOf = ({ body, html, subject }: TemplateContent): ReadonlyArray<string> => [
  ...new Set([subject, body, html].flatMap((text) => namesIn(text ?? "")))
]

/** How many values the provider's text receives. */
const valueCount = ({ channel, content: { body }, purpose }: TemplateDraft): number =>
  channel === "WHATSAPP" ? valuesIn(purpose, body).length : 0

const summaryOf = (draft: TemplateDraft) => {
  const { dltTemplateId, header, numberId, whatsappLanguage, whatsappName } = draft.content
  return {
    name: draft.name,
    locale: draft.locale,
    dltTemplateId,
    header,
    whatsappName,
    whatsappLanguage,
    numberId,
    places: placesOf(draft.content),
    values: valueCount(draft)
  }
}

/** Returns the fields that the provider's template must match; null when no provider stores the text. */
export const expectedOf = (draft: TemplateDraft): Expected | null => {
  const { whatsappLanguage: language, whatsappName: name } = draft.content
  return draft.channel !== "WHATSAPP" || name === null || language === null
    ? null
    : { name, language, purpose: draft.purpose, values: valueCount(draft) }
}

export const created = (
  environment: string,
  id: string,
  draft: TemplateDraft,
  state: ProviderState | null,
  now: Instant
): TemplateStep => ({
  head: {
    environment,
    id,
    revision: 0,
    version: 1,
    channel: draft.channel,
    purpose: draft.purpose,
    ...summaryOf(draft),
    state,
    createdAt: now,
    updatedAt: now,
    removedAt: null
  },
  content: draft.content
})

const isSame = (a: TemplateContent, b: TemplateContent): boolean =>
  (Object.keys(a) as ReadonlyArray<keyof TemplateContent>).every((field) => a[field] === b[field])

/** Returns the next state. Changed content becomes a new version. Messages in progress keep the old content. */
export const changed = (
  { content, head }: StoredTemplate,
  draft: TemplateDraft,
  state: ProviderState | null,
  now: Instant
): TemplateStep => {
  const isNew = !isSame(content, draft.content)
  return {
    head: {
      ...head,
      ...summaryOf(draft),
      version: isNew ? head.version + 1 : head.version,
      state,
      updatedAt: now
    },
    content: isNew ? draft.content : null
  }
}

export const removed = (head: TemplateHead, now: Instant): TemplateStep => ({
  head: { ...head, updatedAt: now, removedAt: now },
  content: null
})

/** Returns whether another template has the same unique key. */
export const isTaken = (heads: ReadonlyArray<TemplateHead>, draft: TemplateDraft, id: string | null): boolean =>
  heads.some((head) => head.id !== id && slotOf(head) === slotOf(draft))

/** The HTML of an e-mail is long, so the audit entry holds only its length. */
const auditFields = ({ channel, content, locale, name, purpose }: TemplateDraft, version: number): AuditFields => {
  const { html, ...otherFields } = content
  const filledFields = Object.fromEntries(Object.entries(otherFields).filter(([, value]) => value !== null))
  return {
    name,
    channel,
    purpose,
    locale,
    version,
    ...filledFields,
    ...(html === null ? {} : { htmlLength: html.length })
  }
}

/** Returns the audit entry of a change. For an update it holds only the changed fields. */
export const deedOf = (
  id: string,
  before: { readonly draft: TemplateDraft; readonly version: number } | null,
  after: { readonly draft: TemplateDraft; readonly version: number } | null
): Deed => {
  const target = { kind: "template", id }
  const from = before === null ? null : auditFields(before.draft, before.version)
  const to = after === null ? null : auditFields(after.draft, after.version)
  if (from === null || to === null) {
    return { action: from === null ? "template.created" : "template.removed", target, from, to }
  }
  return { action: "template.changed", target, ...differing(from, to) }
}

/** Returns the findings that follow from the template's state at its provider. */
export const findingsOf = (state: ProviderState | null): ReadonlyArray<Finding> => {
  if (state === null || (state.problem === null && state.status === "APPROVED")) return []
  const { problem, status } = state
  // The provider's own sentence has no code.
  const said =
    problem !== null || status === "APPROVED"
      ? Problem.uncoded(problem?.problem ?? "")
      : Problem.of(`WHATSAPP_${status}`)
  return [{ severity: "warning", field: "whatsappName", ...said }]
}
