import type { CallbackRequest, Channel, Message } from "@countersign/core/channel"
import type { Effect, Scope } from "effect"
import type { HttpAnswers, HttpDouble } from "./HttpDouble.ts"
import type { ProviderDouble } from "./ProviderDouble.ts"

/** What every message of a suite can have beside the usual. */
export interface MessageWords {
  readonly options?: Message["options"]
  readonly brand?: string
  readonly locale?: string
}

/** A number that a merchant brought, and the token that opens it. */
export interface KitAccount {
  readonly id: string
  readonly accessToken: string
}

/** What a check works with: a way to start the provider, and a way to put the channel in front of it. */
export interface Bench {
  readonly provider: Effect.Effect<ProviderDouble, unknown, Scope.Scope>
  /** The same provider, whose failures repeat what it was asked. */
  readonly talkative: Effect.Effect<ProviderDouble, unknown, Scope.Scope>
  /** The same provider with the faults of HTTP; null when it speaks something else. */
  readonly http: Effect.Effect<HttpDouble, unknown, Scope.Scope> | null
  /** Its recorded answers; null when it speaks something else. */
  readonly answers: HttpAnswers | null
  /** Something that speaks HTTP and knows nothing of the provider. */
  readonly anyHttp: Effect.Effect<HttpDouble, unknown, Scope.Scope>
  readonly make: (url: string) => Effect.Effect<Channel, unknown, Scope.Scope>
  readonly secrets: ReadonlyArray<string>
  /** A merchant's own number that the provider knows, for channels with accounts. */
  readonly account: KitAccount | null
  /** The n-th of ten recipients, each another. */
  readonly to: (channel: Channel, n: number) => string
  readonly message: MessageWords
  /** Whether the words of a message travel, or the code alone. */
  readonly carries: "text" | "code"
  readonly receiptsElsewhere: boolean
  /** A genuine receipt for the message of that reference. */
  readonly receipt: ((reference: string, channel: Channel) => CallbackRequest) | null
}

/** One sentence that a channel keeps, and the program that would notice if it did not. */
export interface ChannelCheck {
  readonly promise: string
  readonly check: Effect.Effect<void, unknown, Scope.Scope>
}

export type BenchCheck = readonly [promise: string, check: (bench: Bench) => ChannelCheck["check"]]
