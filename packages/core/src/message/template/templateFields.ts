import { Result } from "effect"
import { type ChannelName, isKnownChannel, type KnownChannel } from "../../foundation/delivery/ChannelName.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import { isLocale } from "../../account/merchant/Settings.ts"
import { type StoredTemplate, type TemplateContent, TemplatePurpose } from "./StoredTemplate.ts"
import { draftOf, type TemplateDraft } from "./TemplateDraft.ts"
import { IncompleteTemplate } from "./TemplateError.ts"

/** A template's fields as the author sent them. In a change, absent fields stay, and null removes a value. */
export interface TemplateFields {
  readonly name?: string | null | undefined
  readonly channel?: string | null | undefined
  readonly purpose?: string | null | undefined
  readonly locale?: string | null | undefined
  readonly dltTemplateId?: string | null | undefined
  readonly dltText?: string | null | undefined
  readonly header?: string | null | undefined
  readonly body?: string | null | undefined
  readonly subject?: string | null | undefined
  readonly html?: string | null | undefined
  readonly whatsappName?: string | null | undefined
  readonly whatsappLanguage?: string | null | undefined
}

type ContentField = Exclude<keyof TemplateContent, "numberId">

/** The maximum lengths in characters. `lint` checks the limits of each channel. */
const longest: { readonly [F in ContentField]: number } = {
  subject: 500,
  body: 20_000,
  html: 60_000,
  dltText: 2_000,
  dltTemplateId: 100,
  header: 100,
  whatsappName: 512,
  whatsappLanguage: 20
}
const contentFields = Object.keys(longest) as ReadonlyArray<ContentField>
const longestName = 100

interface Fields {
  readonly may: ReadonlyArray<ContentField>
  readonly must: ReadonlyArray<ContentField>
}

/** The allowed and the required fields of each channel. */
const knownFields: { readonly [C in KnownChannel]: Fields } = {
  SMS: { may: ["body", "dltText", "dltTemplateId", "header"], must: ["body"] },
  RCS: { may: ["body"], must: ["body"] },
  EMAIL: { may: ["subject", "body", "html"], must: ["subject", "body"] },
  WHATSAPP: { may: ["body", "whatsappName", "whatsappLanguage"], must: ["whatsappName"] }
}

/** A channel of a third-party package sends plain text. */
const fieldsOf = (channel: ChannelName): Fields => (isKnownChannel(channel) ? knownFields[channel] : knownFields.RCS)

const whyNeeded: { readonly [F in ContentField]?: string } = {
  body: "is the sent text, and the plain-text part of a mail",
  subject: "is the title of a mail in the inbox",
  whatsappName: "is the name by which WhatsApp knows the approved template",
  dltTemplateId: "is the id of the registered dltText"
}

const refuse = (field: string, problem: Problem.Problem) => Result.fail(invalidField(field, problem))

const checkName = (rawName: string | null | undefined): Result.Result<string, InvalidField> => {
  const name = rawName?.trim() ?? ""
  return name !== "" && name.length <= longestName && !/[\p{Cc}\p{Cs}]/u.test(name)
    ? Result.succeed(name)
    : refuse("name", Problem.of("LINE", { min: 1, max: longestName }))
}

const oneOf = <W extends string>(
  field: string,
  words: ReadonlyArray<W>,
  value: string | null | undefined
): Result.Result<W, InvalidField> => {
  const word = words.find((candidate) => candidate === value)
  return word === undefined ? refuse(field, Problem.of("ONE_OF", { values: words.join(", ") })) : Result.succeed(word)
}

const checkLocale = (locale: string | null | undefined): Result.Result<string | null, InvalidField> =>
  locale == null || isLocale(locale) ? Result.succeed(locale ?? null) : refuse("locale", Problem.of("LANGUAGE"))

/** Checks a text and normalises its line breaks. Null for a blank text. */
const checkText = (field: ContentField, rawText: string | null): Result.Result<string | null, InvalidField> => {
  if (rawText === null || rawText.trim() === "") return Result.succeed(null)
  if (rawText.length > longest[field]) return refuse(field, Problem.of("TOO_LONG", { max: longest[field] }))
  const text = rawText.replace(/\r\n?/g, "\n")
  return /[^\P{Cc}\n\t]|\p{Cs}/u.test(text) ? refuse(field, Problem.of("CONTROL_CHARACTERS")) : Result.succeed(text)
}

const nothing: TemplateContent = {
  subject: null,
  body: null,
  html: null,
  dltText: null,
  dltTemplateId: null,
  header: null,
  whatsappName: null,
  whatsappLanguage: null,
  numberId: null
}

const checkContent = (
  channel: ChannelName,
  locale: string | null,
  before: TemplateContent,
  fields: TemplateFields
): Result.Result<TemplateContent, InvalidField> => {
  const content = { ...before }
  for (const field of contentFields) {
    const value = fields[field]
    if (value === undefined) continue
    if (value !== null && !fieldsOf(channel).may.includes(field))
      return refuse(field, Problem.of("NOT_FOR_CHANNEL", { channel }))
    const text = checkText(field, value)
    if (Result.isFailure(text)) return Result.fail(text.failure)
    content[field] = text.success
  }
  if (channel === "WHATSAPP") content.whatsappLanguage ??= locale?.replace("-", "_") ?? "en"
  return Result.succeed(content)
}

/** Returns a new template if all fields have the right form. */
export const checkNew = (
  fields: TemplateFields,
  channels: ReadonlyArray<ChannelName>
): Result.Result<TemplateDraft, InvalidField> =>
  Result.gen(function* () {
    const name = yield* checkName(fields.name)
    const channel = yield* oneOf("channel", channels, fields.channel)
    const purpose = yield* oneOf("purpose", TemplatePurpose, fields.purpose ?? "CODE")
    const locale = yield* checkLocale(fields.locale)
    return { name, channel, purpose, locale, content: yield* checkContent(channel, locale, nothing, fields) }
  })

/**
 * Returns the template with the given fields changed. Its channel and purpose are fixed: another channel needs another
 * template.
 */
export const checkChange = (
  stored: StoredTemplate,
  fields: TemplateFields
): Result.Result<TemplateDraft, InvalidField> =>
  Result.gen(function* () {
    const before = draftOf(stored)
    for (const field of ["channel", "purpose"] as const) {
      if (fields[field] != null && fields[field] !== before[field]) {
        return yield* refuse(field, Problem.of("UNCHANGEABLE", { thing: "template" }))
      }
    }
    const name = fields.name == null ? before.name : yield* checkName(fields.name)
    const locale = fields.locale === undefined ? before.locale : yield* checkLocale(fields.locale)
    return { ...before, name, locale, content: yield* checkContent(before.channel, locale, before.content, fields) }
  })

/** Checks that a template has every field its channel requires. */
export const checkComplete = ({ channel, content }: TemplateDraft): Result.Result<void, IncompleteTemplate> => {
  const must: ReadonlyArray<ContentField> =
    content.dltText === null ? fieldsOf(channel).must : [...fieldsOf(channel).must, "dltTemplateId"]
  const missing = must.find((field) => content[field] === null)
  return missing === undefined
    ? Result.void
    : Result.fail(
        new IncompleteTemplate({
          field: missing,
          problem: `is required for channel ${channel}${whyNeeded[missing] === undefined ? "" : `: it ${whyNeeded[missing]}`}`
        })
      )
}
