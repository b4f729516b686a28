import type { Instant } from "../time/Instant.ts"

/**
 * Something to be counted or charged. It is appended with the change that it belongs to, and gone when a later change
 * has folded it into a sum: so no commit waits for a counter that many share.
 */
export interface Fact {
  readonly environment: string
  /** The name of its `FactKind`. */
  readonly kind: string
  readonly at: Instant
  /** Tells facts of one kind and instant apart: what is appended twice with one key is there once. `sent:dlv_…` */
  readonly key: string
  readonly value: FactValue
  /**
   * It may be kept as a number: of many that say the same of one instant, storage may keep one row, with how often. Its
   * change is guarded by a version, so nothing is appended twice, and nobody asks for its key.
   */
  readonly adds?: true
  /** How often it was appended, where storage kept the number; once, where it says nothing. */
  readonly times?: number
}

/** Small: names and numbers, never a code and never a person. */
export type FactValue = { readonly [name: string]: string | number | null }

/** Which fact it is. */
export type FactId = Omit<Fact, "value" | "adds" | "times">
