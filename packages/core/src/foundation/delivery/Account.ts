import { type Effect, type Redacted, Schema, type Stream } from "effect"
import type { ChannelError } from "./ChannelError.ts"

/** A number that a merchant brought, to be used in place of those that the channel was made with. */
export interface Account {
  /** The provider's id of the number. */
  readonly id: string
  readonly accessToken: Redacted.Redacted
}

/** What the provider says of a number that can be used. */
export interface AccountFacts {
  /** The number as people write it. */
  readonly displayNumber: string | null
  /** The name that people see beside it. */
  readonly displayName: string | null
}

/** The provider does not let us use the number. `problem` says why in its own words, without the token. */
export class AccountRefused extends Schema.TaggedError<AccountRefused>()("AccountRefused", {
  problem: Schema.String
}) {}

/** The provider does not have the file, or has it no more. */
export class MediaGone extends Schema.TaggedError<MediaGone>()("MediaGone", {}) {}

/** A file that somebody sent, as it comes from the provider. Nothing of it is kept. */
export interface MediaContent {
  readonly mimeType: string
  /** In bytes, where the provider says so. */
  readonly size: number | null
  readonly body: Stream.Stream<Uint8Array, ChannelError>
}

/** What a channel can do for merchants with numbers of their own. */
export interface Accounts {
  /**
   * Asks the provider whether messages can go out from this number, and sees to it that what people write there is
   * reported to us. `groupId` is the provider's account that the number belongs to.
   */
  readonly connect: (account: Account & { readonly groupId: string }) => Effect.Effect<AccountFacts, AccountRefused>
  /** A file that somebody sent to a number: one of a merchant's, or of the channel's own with null. */
  readonly media: (id: string, account: Account | null) => Effect.Effect<MediaContent, MediaGone | ChannelError>
}
