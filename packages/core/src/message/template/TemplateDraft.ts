import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { StoredTemplate, TemplateContent, TemplatePurpose } from "./StoredTemplate.ts"
import type { Template } from "./Template.ts"

/** A template as its author wrote it, before validation. */
export interface TemplateDraft {
  readonly name: string
  readonly channel: ChannelName
  readonly purpose: TemplatePurpose
  /** Null for all languages. */
  readonly locale: string | null
  readonly content: TemplateContent
}

export const draftOf = ({ content, head }: StoredTemplate): TemplateDraft => ({
  name: head.name,
  channel: head.channel,
  purpose: head.purpose,
  locale: head.locale,
  content
})

/** Returns its text, ready to render. */
export const wordsOf = ({ channel, content, locale, name, purpose }: TemplateDraft, version = 1): Template => ({
  name,
  purpose,
  channel,
  locale: locale ?? "en",
  version,
  subject: content.subject,
  body: content.body ?? "",
  html: content.html
})
