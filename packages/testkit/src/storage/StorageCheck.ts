import type { Storage } from "@countersign/core/storage"
import type { Effect, Scope } from "effect"

/** A promise of a storage, and the program that checks it. */
export interface StorageCheck {
  readonly promise: string
  readonly check: Effect.Effect<void, unknown, Storage | Scope.Scope>
}

export const promise = (sentence: string, check: StorageCheck["check"]): StorageCheck => ({ promise: sentence, check })
