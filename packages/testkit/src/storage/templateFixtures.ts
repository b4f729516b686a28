import { Identifier } from "@countersign/core"
import type { TemplateContent, TemplateHead } from "@countersign/core/storage"
import { fresh, noon } from "./fixtures.ts"

/** A text for codes over SMS before its first save. */
export const head = (environment: string, fields: Partial<TemplateHead> = {}): TemplateHead => ({
  environment,
  id: Identifier.make("tpl", noon),
  revision: 0,
  version: 1,
  name: fresh("login"),
  channel: "SMS",
  purpose: "CODE",
  locale: null,
  dltTemplateId: null,
  header: null,
  whatsappName: null,
  whatsappLanguage: null,
  numberId: null,
  places: ["code"],
  values: 0,
  state: null,
  createdAt: noon,
  updatedAt: noon,
  removedAt: null,
  ...fields
})

export const content: TemplateContent = {
  subject: null,
  body: "{{code}} is your code",
  html: null,
  dltText: null,
  dltTemplateId: null,
  header: null,
  whatsappName: null,
  whatsappLanguage: null,
  numberId: null
}
