import type { TemplateFault } from "../../foundation/delivery/ChannelError.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { TemplateStatus } from "../../foundation/delivery/ProviderTemplate.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** The purpose of a text: a code, a link, or free text of a campaign or reply. */
export const TemplatePurpose = ["CODE", "LINK", "MESSAGE"] as const
export type TemplatePurpose = (typeof TemplatePurpose)[number]

/** Why an existing template cannot be sent. */
export interface TemplateProblem {
  readonly fault: TemplateFault
  /** A readable explanation that begins with the template's name. */
  readonly problem: string
}

/** The provider's latest report on a template. */
export interface ProviderState {
  readonly status: TemplateStatus
  /** Why the template is unusable although the provider has it; null when it is usable. */
  readonly problem: TemplateProblem | null
  readonly checkedAt: Instant
}

/** The content of a template version, with everything that a send needs. A version never changes. */
export interface TemplateContent {
  /** E-mail only. */
  readonly subject: string | null
  /** Null only on WhatsApp, when the provider stores the text. */
  readonly body: string | null
  /** E-mail only: the body in HTML. */
  readonly html: string | null
  /** The text registered for DLT, with `{#var#}` for each variable. */
  readonly dltText: string | null
  readonly dltTemplateId: string | null
  readonly header: string | null
  /** The template's name at WhatsApp. */
  readonly whatsappName: string | null
  readonly whatsappLanguage: string | null
  /** The connected number whose WhatsApp business account has the template; null for the service's own account. */
  readonly numberId: string | null
}

/** A template without its content: enough to choose among an environment's templates. */
export interface TemplateHead
  extends Pick<TemplateContent, "dltTemplateId" | "header" | "whatsappName" | "whatsappLanguage" | "numberId"> {
  readonly environment: string
  /** `tpl_…` */
  readonly id: string
  /** The revision that was read; 0 before the first save. */
  readonly revision: number
  /** The version of its content: starts at 1 and increases with each change of the content. */
  readonly version: number
  readonly name: string
  readonly channel: ChannelName
  readonly purpose: TemplatePurpose
  /** Null for all languages. */
  readonly locale: string | null
  /** The placeholders in its content. */
  readonly places: ReadonlyArray<string>
  /** How many values the text receives at a provider that stores it. */
  readonly values: number
  /** WhatsApp only; null when no approval is needed. */
  readonly state: ProviderState | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** From then on it can no longer be chosen. Its content stays as long as a message may still need it. */
  readonly removedAt: Instant | null
}

/** A template with the content of its newest version. */
export interface StoredTemplate {
  readonly head: TemplateHead
  readonly content: TemplateContent
}

/** Identifies the content of a message. Later changes to the template do not affect it. */
export interface TextReference {
  readonly id: string
  readonly version: number
}

/** The merchant's own template by channel. A channel without one uses the built-in text. */
export type Texts = { readonly [channel: string]: TextReference }

/** Returns the canonical form of a name. */
export const canonicalName = (name: string): string => name.trim().normalize("NFKC").toLowerCase()

/** Returns the key that must be unique among the templates of an environment. */
export const slotOf = ({
  channel,
  locale,
  name,
  purpose
}: Pick<TemplateHead, "channel" | "locale" | "name" | "purpose">): string =>
  `${channel}/${purpose}/${locale ?? ""}/${canonicalName(name)}`
