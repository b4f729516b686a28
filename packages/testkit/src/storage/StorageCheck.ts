import type { Storage } from "@countersign/core/storage"
import type { Effect, Scope } from "effect"

/** One sentence that a storage keeps, and the program that would notice if it did not. */
export interface StorageCheck {
  readonly promise: string
  readonly check: Effect.Effect<void, unknown, Storage | Scope.Scope>
}

export const promise = (sentence: string, check: StorageCheck["check"]): StorageCheck => ({ promise: sentence, check })
