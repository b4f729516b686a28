import { type Effect, Schema } from "effect"
import type { Account } from "./Account.ts"
import type { CodeMessage, LinkMessage, TemplateMessage, TemplateName } from "./Message.ts"

/**
 * The approval state of a template at the provider. Only `APPROVED` templates are sent. `MISSING`: the provider has no
 * template of that name and language. `UNKNOWN`: the provider could not be asked yet.
 */
export const TemplateStatus = ["APPROVED", "PENDING", "REJECTED", "PAUSED", "DISABLED", "MISSING", "UNKNOWN"] as const
export type TemplateStatus = (typeof TemplateStatus)[number]

/** The provider's data about a template. */
export interface TemplateFacts {
  readonly status: Exclude<TemplateStatus, "MISSING" | "UNKNOWN">
  /** The provider's category of the template. */
  readonly category: string
  /** The number of values in its text; null when unknown. */
  readonly values: number | null
  /** Whether it has a button with a value; null when unknown. */
  readonly hasButton: boolean | null
}

/** A template to create at the provider. */
export interface NewProviderTemplate extends TemplateName {
  readonly purpose: "CODE" | "LINK" | "MESSAGE"
  /** With `{{1}}`, `{{2}}` for its values; null when the provider supplies the text. */
  readonly body: string | null
  /** An example for each value. */
  readonly examples: ReadonlyArray<string>
  /** The base URL of the button in a link template, without the token at its end. */
  readonly linkBase: string | null
  readonly validForSeconds: number
}

/** The owner of the templates: a number's account, or null for the channel's own account. */
export type TemplateAccount = (Account & { readonly groupId: string }) | null

/** The provider could not be asked, or rejected the template. `problem` is the provider's text, without a token. */
export class TemplatesUnanswered extends Schema.TaggedError<TemplatesUnanswered>()("TemplatesUnanswered", {
  problem: Schema.String
}) {}

/** For channels whose provider stores and approves the texts. */
export interface ProviderTemplates {
  /** Whether the channel knows its own account at the provider and so can look up its templates. */
  readonly hasOwn: boolean
  /** Null when the account has no template of that name and language. */
  readonly look: (
    name: TemplateName,
    account: TemplateAccount
  ) => Effect.Effect<TemplateFacts | null, TemplatesUnanswered>
  /** Submits a template for approval. Returns its state. */
  readonly submit: (
    template: NewProviderTemplate,
    account: TemplateAccount
  ) => Effect.Effect<Pick<TemplateFacts, "status">, TemplatesUnanswered>
  /** The template part of a send request, with its values, in the provider's format. */
  readonly shown: (message: CodeMessage | LinkMessage | TemplateMessage) => { readonly [name: string]: unknown }
}
