import { composedOnce } from "./composedOnce.ts"
import type { PartName } from "./outboxPart.ts"
import { parts } from "./outboxParts.ts"

const names = Object.keys(parts) as ReadonlyArray<PartName>

/** An aggregate's own part of its commit statement. */
export interface OwnStatement {
  /**
   * The `with` queries that write a batch of changes. One of them, `ok`, is materialized. It holds the positions `n`,
   * from 1, of the changes whose guard succeeded. Only the effects of those changes are written.
   */
  readonly own: string
  /**
   * More queries, without parameters, that write rows of `ok`. They run before the queries that many changes wait for.
   */
  readonly writes?: string
  /** How many parameters `own` has; the outbox's parameters follow. */
  readonly parameters: number
  /** The output columns for each row of `ok`. */
  readonly answer: string
  /** For changes without a version: existing events stay as they are, so the statement may run twice. */
  readonly repeatable?: boolean
}

/** The commit statement of one store. */
export interface OutboxStatement {
  /** Its text for a batch with these parts. */
  readonly text: (left: ReadonlyArray<PartName>) => string
  /** Its text with every part. */
  readonly whole: string
}

/**
 * Builds the statement that commits a batch of one aggregate's changes with all their effects. Every store commits
 * through it.
 *
 * Each query adds a tenth of the statement's cost before it writes anything, so parts without rows are left out. Each
 * text is built once. The number of texts per store depends on which effects occur together: about ten for
 * verifications.
 *
 * Rows are sorted, so that concurrent statements lock in the same order.
 *
 * Plans are cached, often while the tables are still empty, so the plan's shape is forced:
 *
 * - `offset 0` forces a lookup by key. The row is then changed by `ctid`, unless another session was faster: then its
 *   `attempt` differs.
 * - `(… in …) is true` forces a hash lookup; a join could become a nested loop.
 * - `(dead_at is null) is true` prevents a full scan of the index of due jobs.
 */
export const outboxStatement = ({
  answer,
  own,
  parameters,
  repeatable = false,
  writes
}: OwnStatement): OutboxStatement => {
  const compose = (left: ReadonlyArray<PartName>) => {
    const has = (part: PartName) => left.includes(part)
    const queries = [own]
    const answers = [answer]
    let before = parameters + 1
    for (const name of left) {
      const { answer, isPlain, query, table } = parts[name]
      queries.push(query({ from: before, has, repeatable }))
      if (answer !== undefined) answers.push(answer)
      before += table.names.length + (isPlain === true ? 0 : 1)
    }
    if (writes !== undefined) queries.push(writes)
    return `\nwith ${queries.join(", ")}\nselect ${answers.join(", ")} from ok`
  }
  return { text: composedOnce(compose), whole: compose(names) }
}
