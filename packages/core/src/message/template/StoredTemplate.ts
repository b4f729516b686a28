import type { TemplateFault } from "../../foundation/delivery/ChannelError.ts"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { TemplateStatus } from "../../foundation/delivery/ProviderTemplate.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

/** What a text brings: a code, a link, or whatever a campaign or a reply says. */
export const TemplatePurpose = ["CODE", "LINK", "MESSAGE"] as const
export type TemplatePurpose = (typeof TemplatePurpose)[number]

/** Why a template that is there cannot be sent. */
export interface TemplateProblem {
  readonly fault: TemplateFault
  /** For people, beginning with what it is about. */
  readonly problem: string
}

/** What the provider last said of a template. */
export interface ProviderState {
  readonly status: TemplateStatus
  /** Why it cannot be used as it is, though the provider has it; null where nothing speaks against it. */
  readonly problem: TemplateProblem | null
  readonly checkedAt: Instant
}

/** The words of one version, with all that a send needs to know of them. It never changes. */
export interface TemplateContent {
  /** E-mail only. */
  readonly subject: string | null
  /** Null only on WhatsApp, whose provider has the words. */
  readonly body: string | null
  /** E-mail only: the same in HTML. */
  readonly html: string | null
  /** The text as it is registered for DLT, with `{#var#}` for each place. */
  readonly dltText: string | null
  readonly dltTemplateId: string | null
  readonly header: string | null
  /** What WhatsApp knows the template by. */
  readonly whatsappName: string | null
  readonly whatsappLanguage: string | null
  /** The connected number whose WhatsApp business account has the template; null for the service's own. */
  readonly numberId: string | null
}

/** A template without its words: all that is needed to choose among those of an environment. */
export interface TemplateHead
  extends Pick<TemplateContent, "dltTemplateId" | "header" | "whatsappName" | "whatsappLanguage" | "numberId"> {
  readonly environment: string
  /** `tpl_…` */
  readonly id: string
  /** The state that was read; 0 for one that nobody saved yet. */
  readonly revision: number
  /** Of its words: 1, and one more with each change of them. */
  readonly version: number
  readonly name: string
  readonly channel: ChannelName
  readonly purpose: TemplatePurpose
  /** Null for every language. */
  readonly locale: string | null
  /** The places of its words. */
  readonly places: ReadonlyArray<string>
  /** How many values its text is sent at a provider that has the words. */
  readonly values: number
  /** WhatsApp only; null where nobody has to approve it. */
  readonly state: ProviderState | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
  /** Since then it is nobody's choice any more; its words stay as long as somebody may be waiting for them. */
  readonly removedAt: Instant | null
}

/** A template with the words of its newest version. */
export interface StoredTemplate {
  readonly head: TemplateHead
  readonly content: TemplateContent
}

/** The words that a message is made of, whatever becomes of the template meanwhile. */
export interface TextReference {
  readonly id: string
  readonly version: number
}

/** The one form of all spellings of a name. */
export const canonicalName = (name: string): string => name.trim().normalize("NFKC").toLowerCase()

/** What no two templates of an environment share. */
export const slotOf = ({
  channel,
  locale,
  name,
  purpose
}: Pick<TemplateHead, "channel" | "locale" | "name" | "purpose">): string =>
  `${channel}/${purpose}/${locale ?? ""}/${canonicalName(name)}`
