import type { CallbackRequest, Channel, Message } from "@countersign/core/channel"
import type { Effect, Scope } from "effect"
import type { HttpAnswers, HttpDouble } from "./HttpDouble.ts"
import type { ProviderDouble } from "./ProviderDouble.ts"

/** Optional fields for every message of a suite. */
export interface MessageWords {
  readonly options?: Message["options"]
  readonly brand?: string
  readonly locale?: string
}

/** A merchant's own number, and its token. */
export interface KitAccount {
  readonly id: string
  readonly accessToken: string
}

/** The tools of a check: it starts the provider, and connects the channel to it. */
export interface Bench {
  readonly provider: Effect.Effect<ProviderDouble, unknown, Scope.Scope>
  /** The same provider, with failures that repeat the request. */
  readonly talkative: Effect.Effect<ProviderDouble, unknown, Scope.Scope>
  /** The same provider with HTTP faults; null when it does not speak HTTP. */
  readonly http: Effect.Effect<HttpDouble, unknown, Scope.Scope> | null
  /** Its recorded answers; null when it does not speak HTTP. */
  readonly answers: HttpAnswers | null
  /** An HTTP server that does not behave like the provider. */
  readonly anyHttp: Effect.Effect<HttpDouble, unknown, Scope.Scope>
  readonly make: (url: string) => Effect.Effect<Channel, unknown, Scope.Scope>
  readonly secrets: ReadonlyArray<string>
  /** A merchant's own number that the provider knows, for channels with accounts. */
  readonly account: KitAccount | null
  /** The n-th of ten different recipients. */
  readonly to: (channel: Channel, n: number) => string
  readonly message: MessageWords
  /** Whether the words of a message are sent, or only the code. */
  readonly carries: "text" | "code"
  readonly receiptsElsewhere: boolean
  /** A genuine receipt for the message with that reference. */
  readonly receipt: ((reference: string, channel: Channel) => CallbackRequest) | null
}

/** A promise of a channel, and the program that checks it. */
export interface ChannelCheck {
  readonly promise: string
  readonly check: Effect.Effect<void, unknown, Scope.Scope>
}

export type BenchCheck = readonly [promise: string, check: (bench: Bench) => ChannelCheck["check"]]
