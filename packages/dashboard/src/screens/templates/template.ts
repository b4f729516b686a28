import { templatePurposes } from "../../address/filters.ts"
import type { Answer, Item } from "../../api/Api.ts"
import type { Failure } from "../../api/Failure.ts"
import type { Tone } from "../../parts/Pill.tsx"

export type Template = Item<"GET /v1/dashboard/templates">
export type Preview = Answer<"POST /v1/dashboard/templates/preview">
export type Finding = Template["findings"][number]
export const purposes = templatePurposes
export type Channel = Template["channel"]
export type Purpose = (typeof purposes)[number]

/** Text fields of a template, by contract name. */
export const texts = [
  "subject",
  "body",
  "html",
  "header",
  "dltTemplateId",
  "dltText",
  "whatsappName",
  "whatsappLanguage"
] as const
export type TextName = (typeof texts)[number]

/** An edited template. Empty text means unset. */
export type Typed = { readonly [T in TextName | "name" | "locale"]: string } & {
  readonly channel: Channel
  readonly purpose: Purpose
}

/** Fields of each channel, in form order. */
export const textsOf = (channel: Channel, purpose: Purpose): ReadonlyArray<TextName> => {
  switch (channel) {
    case "SMS":
      return ["body", "header", "dltTemplateId", "dltText"]
    case "EMAIL":
      return ["subject", "body", "html"]
    case "WHATSAPP":
      // WhatsApp supplies the text of codes.
      return purpose === "CODE" ? ["whatsappName", "whatsappLanguage"] : ["whatsappName", "whatsappLanguage", "body"]
    default:
      return ["body"]
  }
}

const beginnings = {
  CODE: "{{code}} is your {{brand}} code. It is valid for {{minutes}} min.",
  LINK: "Sign in to {{brand}}: {{link}}",
  MESSAGE: ""
} as const

/** A new template with a valid text. */
export const begun = (channel: Channel, purpose: Purpose, more: Partial<Typed> = {}): Typed => ({
  name: "default",
  locale: "",
  channel,
  purpose,
  subject: channel === "EMAIL" ? "{{brand}}" : "",
  body: channel === "WHATSAPP" ? "" : beginnings[purpose],
  html: "",
  header: "",
  dltTemplateId: "",
  dltText: "",
  whatsappName: "",
  whatsappLanguage: "",
  ...more
})

export const typedOf = (template: Template): Typed => ({
  name: template.name,
  channel: template.channel,
  purpose: template.purpose,
  locale: template.locale ?? "",
  subject: template.subject ?? "",
  body: template.body ?? "",
  html: template.html ?? "",
  header: template.header ?? "",
  dltTemplateId: template.dltTemplateId ?? "",
  dltText: template.dltText ?? "",
  whatsappName: template.whatsappName ?? "",
  whatsappLanguage: template.whatsappLanguage ?? ""
})

type Words = { readonly [T in TextName | "locale"]?: string | null }
const orNull = (text: string) => (text.trim() === "" ? null : text)

/** The request that creates a template, without fields of other channels. */
export const bodyOf = (typed: Typed) => {
  const words: Words = Object.fromEntries(
    textsOf(typed.channel, typed.purpose).map((name) => [name, orNull(typed[name])])
  )
  return {
    name: typed.name.trim(),
    channel: typed.channel,
    purpose: typed.purpose,
    locale: orNull(typed.locale)?.trim() ?? null,
    ...words
  }
}

/** Only the changed fields, so that concurrent changes of other users survive. */
export const changesOf = (typed: Typed, stored: Template): { readonly [field: string]: string | null } => {
  const previous = bodyOf(typedOf(stored)) as { readonly [field: string]: string | null }
  return Object.fromEntries(
    Object.entries(bodyOf(typed)).filter(([field, value]) => value !== (previous[field] ?? null))
  )
}

/** Variables of a purpose, the required one first. */
export const placeholdersOf = (purpose: Purpose): ReadonlyArray<string> =>
  purpose === "CODE"
    ? ["code", "brand", "minutes", "domain", "appHash"]
    : purpose === "LINK"
      ? ["link", "brand", "minutes"]
      : ["brand"]

/** Status of a template: ready, ready with warnings, or WhatsApp's status. */
export type State = { readonly word: string; readonly tone: Tone }
export const stateOf = ({
  findings,
  status
}: Pick<Template, "status"> & { readonly findings: ReadonlyArray<Pick<Finding, "severity">> }): State => {
  if (status !== null && status !== "APPROVED")
    return { word: status, tone: status === "PENDING" || status === "UNKNOWN" ? "warn" : "bad" }
  if (findings.some(({ severity }) => severity === "error")) return { word: "ERRORS", tone: "bad" }
  if (findings.length > 0) return { word: "WARNINGS", tone: "warn" }
  return { word: status ?? "READY", tone: "good" }
}
export const states = [
  "READY",
  "WARNINGS",
  "ERRORS",
  "APPROVED",
  "PENDING",
  "REJECTED",
  "PAUSED",
  "DISABLED",
  "MISSING",
  "UNKNOWN"
] as const

/** The statuses that occur, in filter order. */
export const statesOf = (all: ReadonlyArray<Template>): ReadonlyArray<string> =>
  states.filter((state) => all.some((each) => stateOf(each).word === state))

/** Templates with the same name, channel and purpose in other languages. */
export const siblingsOf = (
  template: Pick<Typed, "channel" | "name" | "purpose">,
  all: ReadonlyArray<Template>
): ReadonlyArray<Template> =>
  all.filter(
    ({ channel, name, purpose }) =>
      name.toLowerCase() === template.name.trim().toLowerCase() &&
      channel === template.channel &&
      purpose === template.purpose
  )

/** An existing template with the same name, channel, purpose and language. */
export const takenBy = (typed: Typed, own: string | null, all: ReadonlyArray<Template>): Template | null =>
  siblingsOf(typed, all).find(({ id, locale }) => id !== own && (locale ?? "") === typed.locale.trim()) ?? null

/** Errors of one field, from findings and from a failed preview. */
export const problemsOf = (
  field: string,
  findings: ReadonlyArray<Pick<Finding, "field" | "problem" | "severity">>,
  failure: Pick<Failure, "message"> | null
): ReadonlyArray<Pick<Finding, "problem" | "severity">> => {
  const refused =
    failure !== null && new RegExp(`^${field}\\b`).test(failure.message)
      ? [{ severity: "error" as const, problem: failure.message.slice(field.length).replace(/^:?\s+/, "") }]
      : []
  return [...refused, ...findings.filter((finding) => finding.field === field)]
}

interface Filters {
  readonly channel?: string | undefined
  readonly purpose?: string | undefined
  readonly locale?: string | undefined
  readonly state?: string | undefined
}

/** The language `any` stands for all languages. */
export const matchingTemplates = (all: ReadonlyArray<Template>, wanted: Filters): ReadonlyArray<Template> =>
  all.filter(
    (each) =>
      (wanted.channel === undefined || each.channel === wanted.channel) &&
      (wanted.purpose === undefined || each.purpose === wanted.purpose) &&
      (wanted.locale === undefined || (each.locale ?? "any") === wanted.locale) &&
      (wanted.state === undefined || stateOf(each).word === wanted.state)
  )

export const localesOf = (all: ReadonlyArray<Template>): ReadonlyArray<string> =>
  [...new Set(all.map(({ locale }) => locale ?? "any"))].sort()
