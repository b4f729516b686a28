import type { TemplateFault } from "../../foundation/delivery/ChannelError.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { notYours } from "../../account/number/notYours.ts"
import { canonicalName, type TemplateHead, type TemplateProblem, type TemplatePurpose } from "./StoredTemplate.ts"

/** The templates and sender ids of an environment. */
export interface Catalogue {
  /** By id, and so by age. */
  readonly heads: ReadonlyArray<TemplateHead>
  /** The sender ids. An empty set allows any. */
  readonly headers: ReadonlySet<string>
  /** Without an SMS template, a request may name any DLT template id. */
  readonly hasSms: boolean
  /** Whether the environment may use templates of the service's own WhatsApp account. */
  readonly ownsOwn: boolean
}

/** Whether a template belongs to the service's own WhatsApp account. */
export const isOfOwnAccount = ({ channel, numberId }: Pick<TemplateHead, "channel" | "numberId">): boolean =>
  channel === "WHATSAPP" && numberId === null

export const catalogueOf = (
  heads: ReadonlyArray<TemplateHead>,
  headers: Iterable<string>,
  ownsOwn: boolean
): Catalogue => ({
  heads,
  ownsOwn,
  headers: new Set(headers),
  hasSms: heads.some(({ channel }) => channel === "SMS")
})

/** The name of the template for requests that name none. */
export const defaultName = "default"

const spelled = (locale: string) => locale.toLowerCase().replace("_", "-")
const languageOf = (locale: string) => spelled(locale).split("-")[0]!

/** Returns the template for the locale, or else for its language, or else for all languages. */
const nearest = (heads: ReadonlyArray<TemplateHead>, locale: string): TemplateHead | undefined => {
  const exact = (wanted: string) => heads.find((head) => head.locale !== null && spelled(head.locale) === wanted)
  const language = languageOf(locale)
  return (
    exact(spelled(locale)) ??
    exact(language) ??
    heads.find((head) => head.locale !== null && languageOf(head.locale) === language) ??
    heads.find((head) => head.locale === null)
  )
}

/** Selects the candidates for a request. */
interface Among {
  readonly channel: ChannelName
  readonly purpose: TemplatePurpose
  readonly locale: string
}

const among = ({ heads }: Catalogue, { channel, purpose }: Among) =>
  heads.filter((head) => head.channel === channel && head.purpose === purpose)

/** Returns the merchant's default template; undefined when the built-in text is used. */
export const usual = (catalogue: Catalogue, wanted: Among): TemplateHead | undefined =>
  nearest(
    among(catalogue, wanted).filter(({ name }) => canonicalName(name) === defaultName),
    wanted.locale
  )

/** A template that a request names is used in another language rather than not at all. */
const nearestOrFirst = (heads: ReadonlyArray<TemplateHead>, locale: string) => nearest(heads, locale) ?? heads[0]

export const byName = (catalogue: Catalogue, name: string, wanted: Among): TemplateHead | undefined =>
  nearestOrFirst(
    among(catalogue, wanted).filter((head) => canonicalName(head.name) === canonicalName(name)),
    wanted.locale
  )

export const byDltTemplateId = (catalogue: Catalogue, id: string, wanted: Among): TemplateHead | undefined =>
  nearestOrFirst(
    among(catalogue, wanted).filter((head) => head.dltTemplateId === id),
    wanted.locale
  )

const problem = (fault: TemplateFault, text: string): TemplateProblem => ({ fault, problem: text })

const ofState: { readonly [status: string]: string } = {
  PENDING: "waits for WhatsApp's approval",
  REJECTED: "was rejected by WhatsApp",
  PAUSED: "was paused by WhatsApp",
  DISABLED: "was disabled by WhatsApp",
  MISSING: "does not exist at WhatsApp; submit it, or create it there",
  UNKNOWN: "has an unknown state because WhatsApp has not answered yet"
}

/** Returns why a template cannot be sent now; null when it can. */
export const problemOf = (
  head: TemplateHead,
  { headers, ownsOwn }: Catalogue,
  settings: Settings
): TemplateProblem | null => {
  const { header, name, places, state } = head
  const called = `The ${head.channel} template ${name}`
  if (!ownsOwn && isOfOwnAccount(head)) return problem("INVALID", `${called}: ${notYours}`)
  if (header !== null && headers.size > 0 && !headers.has(header)) {
    return problem("INVALID", `${called} is sent from ${header}, which is no longer one of your sender ids`)
  }
  if (state !== null && state.status !== "APPROVED") {
    return problem("INVALID", `${called} ${ofState[state.status] ?? "is not approved"}`)
  }
  if (state !== null && state.problem !== null) {
    return problem(state.problem.fault, `${called}: ${state.problem.problem}`)
  }
  for (const setting of ["brand", "domain", "appHash"] as const) {
    if (places.includes(setting) && (settings[setting] ?? "").trim() === "") {
      return problem("INCOMPLETE", `${called} uses {{${setting}}}, but the setting ${setting} is empty`)
    }
  }
  return null
}
