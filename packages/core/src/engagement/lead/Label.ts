import { Context, type Effect } from "effect"
import type { Outgoing } from "../../foundation/outbox/Change.ts"
import type { Conflict } from "../../foundation/storage/Conflict.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import type { Instant } from "../../foundation/time/Instant.ts"

export const LabelColour = ["GREY", "RED", "ORANGE", "YELLOW", "GREEN", "TEAL", "BLUE", "PURPLE"] as const
export type LabelColour = (typeof LabelColour)[number]

/** A word that a merchant's agents put on leads. All environments share it. Leads have its id, so a rename is one row. */
export interface Label {
  readonly merchantId: string
  /** `lbl_…` */
  readonly id: string
  /** Unique at its merchant, ignoring case. */
  readonly name: string
  readonly colour: LabelColour
  readonly createdAt: Instant
}

/** The most labels of a merchant. */
export const mostLabels = 50
/** The most labels of a lead. */
export const mostLabelsOfLead = 10

/** Stores the labels of merchants. */
export class LabelStore extends Context.Service<
  LabelStore,
  {
    /** All of a merchant, by id, which is by age. */
    readonly list: (merchantId: string) => Effect.Effect<ReadonlyArray<Label>, StoreError>
    /**
     * Commits the change with all its effects, or nothing. Fails with `Conflict` when another label has the name, when
     * the added one exists, or when the changed or removed one does not.
     */
    readonly commit: (change: LabelStore.Change) => Effect.Effect<void, Conflict | StoreError>
  }
>()("@countersign/core/lead/LabelStore") {}

export declare namespace LabelStore {
  export type Change = Outgoing & {
    readonly label: Label
    readonly becomes: "added" | "changed" | "removed"
  }
}
