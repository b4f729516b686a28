import { type Effect, type Redacted, Schema, type Stream } from "effect"
import type { ChannelError } from "./ChannelError.ts"

/** A merchant's own number, used instead of the numbers the channel was configured with. */
export interface Account {
  /** The provider's id of the number. */
  readonly id: string
  readonly accessToken: Redacted.Redacted
}

/** The provider's details of a usable number. */
export interface AccountFacts {
  /** The number in its display format. */
  readonly displayNumber: string | null
  /** The display name that recipients see. */
  readonly displayName: string | null
}

/** The provider does not let the server use the number. `problem` is the provider's reason, without the token. */
export class AccountRefused extends Schema.TaggedError<AccountRefused>()("AccountRefused", {
  problem: Schema.String
}) {}

/** The provider does not have the file, or no longer has it. */
export class MediaGone extends Schema.TaggedError<MediaGone>()("MediaGone", {}) {}

/** A file that a customer sent, streamed from the provider. The server stores none of it. */
export interface MediaContent {
  readonly mimeType: string
  /** In bytes, if the provider reports it. */
  readonly size: number | null
  readonly body: Stream.Stream<Uint8Array, ChannelError>
}

/** A file to upload. Its type was found from its bytes. */
export interface NewMedia {
  readonly bytes: Uint8Array
  readonly mimeType: string
  /** The usual ending of files of this type, without the dot: `pdf`. */
  readonly ending: string
}

/** The operations of a channel that supports merchants' own numbers. */
export interface Accounts {
  /**
   * Checks with the provider that the number can send, and subscribes to its incoming messages. `groupId` is the
   * provider's account that owns the number.
   */
  readonly connect: (account: Account & { readonly groupId: string }) => Effect.Effect<AccountFacts, AccountRefused>
  /**
   * Downloads a file that a customer sent to a merchant's number, or to the channel's own number when `account` is
   * null.
   */
  readonly media: (id: string, account: Account | null) => Effect.Effect<MediaContent, MediaGone | ChannelError>
  /**
   * Uploads a file for a later message from the number `sender`, and returns the provider's id of the file. `account` is
   * null for the channel's own number. Without this operation, replies carry no files.
   */
  readonly upload?: (file: NewMedia, sender: string, account: Account | null) => Effect.Effect<string, ChannelError>
}
