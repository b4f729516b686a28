import { type Effect, Schema } from "effect"
import type { Account } from "./Account.ts"
import type { CodeMessage, LinkMessage, TemplateMessage, TemplateName } from "./Message.ts"

/**
 * How a template stands with the provider that has to approve it. Only `APPROVED` ones are sent. `MISSING`: the provider
 * has none of that name and language; `UNKNOWN`: it could not be asked yet.
 */
export const TemplateStatus = ["APPROVED", "PENDING", "REJECTED", "PAUSED", "DISABLED", "MISSING", "UNKNOWN"] as const
export type TemplateStatus = (typeof TemplateStatus)[number]

/** What a provider says of a template that it has. */
export interface TemplateFacts {
  readonly status: Exclude<TemplateStatus, "MISSING" | "UNKNOWN">
  /** The provider's word for what it may be used for. */
  readonly category: string
  /** How many values its text takes; null where that cannot be told. */
  readonly values: number | null
  /** Whether it has a button that takes a value; null where that cannot be told. */
  readonly hasButton: boolean | null
}

/** A template to be made at the provider. */
export interface NewProviderTemplate extends TemplateName {
  readonly purpose: "CODE" | "LINK" | "MESSAGE"
  /** With `{{1}}`, `{{2}}` for its values; null where the provider has the words. */
  readonly body: string | null
  /** One for each value. */
  readonly examples: ReadonlyArray<string>
  /** What the button of a template for links opens, without the token at its end. */
  readonly linkBase: string | null
  readonly validForSeconds: number
}

/** Whose templates are meant: those of a number's account, or with null the channel's own. */
export type TemplateAccount = (Account & { readonly groupId: string }) | null

/** The provider could not be asked, or did not take the template. `problem` is in its own words, without a token. */
export class TemplatesUnanswered extends Schema.TaggedError<TemplatesUnanswered>()("TemplatesUnanswered", {
  problem: Schema.String
}) {}

/** For channels whose provider has the words and approves them. */
export interface ProviderTemplates {
  /** Whether it knows which account is the channel's own, and so can be asked about that one. */
  readonly hasOwn: boolean
  /** Null when the account has none of that name and language. */
  readonly look: (
    name: TemplateName,
    account: TemplateAccount
  ) => Effect.Effect<TemplateFacts | null, TemplatesUnanswered>
  /** Asks the provider to approve a template. It answers how that stands. */
  readonly submit: (
    template: NewProviderTemplate,
    account: TemplateAccount
  ) => Effect.Effect<Pick<TemplateFacts, "status">, TemplatesUnanswered>
  /** The part of a request that says which template is sent, with which values: as it would go on the wire. */
  readonly shown: (message: CodeMessage | LinkMessage | TemplateMessage) => { readonly [name: string]: unknown }
}
