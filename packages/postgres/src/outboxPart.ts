import type { Balance, Outgoing } from "@countersign/core/storage"
import type { Table, Values } from "./table.ts"

/** The parts of a statement that writes what changes leave. */
export type PartName = "terms" | "booked" | "done" | "recorded" | "added" | "told" | "noted" | "folded" | "audited"

/** What is known of a statement when one of its queries is written. */
export interface Around {
  /** The first of the query's parameters. */
  readonly from: number
  readonly has: (part: PartName) => boolean
  readonly repeatable: boolean
}

/** One kind of thing that changes leave, and the query that writes it. */
export interface Part {
  readonly table: Table
  /** The rows of it in a change; `terms` is what the gateway of balances alone writes beside amounts. */
  readonly encode: (outgoing: Outgoing, terms: Balance | undefined) => ReadonlyArray<Values>
  readonly query: (around: Around) => string
  /** What the statement answers besides, once for each change. */
  readonly answer?: string
  /** Its rows are written whatever becomes of their change, so they have no positions. */
  readonly isPlain?: true
  /** An earlier part that this one does its work with, without rows of its own, too. */
  readonly with?: PartName
}
