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
  /** For people; begins with the subject. */
  readonly problem: string
}

/** The provider's latest report on a template. */
export interface ProviderState {
  readonly status: TemplateStatus
  /** Why it is unusable although the provider has it; null when it is usable. */
  readonly problem: TemplateProblem | null
  readonly checkedAt: Instant
}

/** The words of a template version, with everything that a send needs. A version never changes. */
export interface TemplateContent {
  /** E-mail only. */
  readonly subject: string | null
  /** Null only on WhatsApp, where the provider stores the words. */
  readonly body: string | null
  /** E-mail only: the same in HTML. */
  readonly html: string | null
  /** The text registered for DLT, with `{#var#}` for each place. */
  readonly dltText: string | null
  readonly dltTemplateId: string | null
  readonly header: string | null
  /** WhatsApp's name of the template. */
  readonly whatsappName: string | null
  readonly whatsappLanguage: string | null
  /** The connected number whose WhatsApp business account has the template; null for the service's own. */
  readonly numberId: string | null
}

/** A template without its words: enough to choose among an environment's templates. */
export interface TemplateHead
  extends Pick<TemplateContent, "dltTemplateId" | "header" | "whatsappName" | "whatsappLanguage" | "numberId"> {
  readonly environment: string
  /** `tpl_…` */
  readonly id: string
  /** The revision that was read; 0 before the first save. */
  readonly revision: number
  /** The version of its words: starts at 1 and increases with each change of the words. */
  readonly version: number
  readonly name: string
  readonly channel: ChannelName
  readonly purpose: TemplatePurpose
  /** Null for every language. */
  readonly locale: string | null
  /** The places of its words. */
  readonly places: ReadonlyArray<string>
  /** How many values its text receives, at a provider that stores the words. */
  readonly values: number
  /** WhatsApp only; null where no approval is needed. */
  readonly state: ProviderState | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Since then it can no longer be chosen. Its words stay as long as a message may still need them. */
  readonly removedAt: Instant | null
}

/** A template with the words of its newest version. */
export interface StoredTemplate {
  readonly head: TemplateHead
  readonly content: TemplateContent
}

/** The words of a message, unaffected by later changes to the template. */
export interface TextReference {
  readonly id: string
  readonly version: number
}

/** The merchant's own words by channel; where there are none for a channel, the built-in ones are sent. */
export type Texts = { readonly [channel: string]: TextReference }

/** The canonical form of a name. */
export const canonicalName = (name: string): string => name.trim().normalize("NFKC").toLowerCase()

/** The key that is unique among the templates of an environment. */
export const slotOf = ({
  channel,
  locale,
  name,
  purpose
}: Pick<TemplateHead, "channel" | "locale" | "name" | "purpose">): string =>
  `${channel}/${purpose}/${locale ?? ""}/${canonicalName(name)}`
