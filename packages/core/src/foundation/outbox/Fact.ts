import type { Instant } from "../time/Instant.ts"

/**
 * An occurrence to count or to charge. The change it belongs to appends it, and a later change adds it to a sum and
 * deletes it. This way no commit waits for a shared counter.
 */
export interface Fact {
  readonly environment: string
  /** The name of its `FactKind`. */
  readonly kind: string
  readonly at: Instant
  /**
   * Distinguishes facts of one kind and instant. Facts appended twice with the same key are stored once. `sent:dlv_…`
   */
  readonly key: string
  readonly value: FactValue
  /**
   * Storage may keep equal facts of one instant as a single row with a count. A version guards the change, so no fact
   * is appended twice, and nothing looks up its key.
   */
  readonly adds?: true
  /** How often the fact was appended, when storage keeps a count; absent means once. */
  readonly times?: number
}

/** Small: names and numbers, never a code or personal data. */
export type FactValue = { readonly [name: string]: string | number | null }

/** Identifies a fact. */
export type FactId = Omit<Fact, "value" | "adds" | "times">
