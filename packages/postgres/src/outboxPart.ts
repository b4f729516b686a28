import type { Balance, Outgoing } from "@countersign/core/storage"
import type { Table, Values } from "./table.ts"

/** The parts of a statement that write the effects of changes. */
export type PartName = "terms" | "booked" | "done" | "recorded" | "added" | "told" | "noted" | "folded" | "audited"

/** The surrounding statement, as known when one of its queries is built. */
export interface Around {
  /** The number of the query's first parameter. */
  readonly from: number
  readonly has: (part: PartName) => boolean
  readonly repeatable: boolean
}

/** One kind of effect, and the query that writes it. */
export interface Part {
  readonly table: Table
  /** The rows of this part in a change. Only the gateway of balances passes `terms`. */
  readonly encode: (outgoing: Outgoing, terms: Balance | undefined) => ReadonlyArray<Values>
  readonly query: (around: Around) => string
  /** An extra output column, once for each change. */
  readonly answer?: string
  /** Its rows are written whether or not their change succeeds, so they have no positions. */
  readonly isPlain?: true
  /** If the batch has this earlier part, this query is included even without rows of its own. */
  readonly with?: PartName
}
