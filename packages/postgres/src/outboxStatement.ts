import type { PartName } from "./outboxPart.ts"
import { parts } from "./outboxParts.ts"

const names = Object.keys(parts) as ReadonlyArray<PartName>

/** The part of an aggregate in the statement that commits its changes. */
export interface OwnStatement {
  /**
   * The queries of a `with` that write a batch of changes. One of them, `ok`, is materialized and has the positions `n`,
   * from 1, of the changes whose guard held: what those leave is written, and nothing of the others.
   */
  readonly own: string
  /** More queries, without parameters, that write what is `ok`. They run before those that many changes wait for. */
  readonly writes?: string
  /** How many parameters `own` has; those of the outbox come after them. */
  readonly parameters: number
  /** What is answered of each row of `ok`. */
  readonly answer: string
  /** For what no version guards: an event that is there already stays as it is, so the statement may be run twice. */
  readonly repeatable?: boolean
}

/** The commit statement of one store. */
export interface OutboxStatement {
  /** Its text for a batch that leaves these things. */
  readonly text: (left: ReadonlyArray<PartName>) => string
  /** Its text with every part that there is. */
  readonly whole: string
}

/**
 * The statement that commits a batch of one aggregate's changes, with all that they leave, in one step. Every store
 * commits by it.
 *
 * A query costs Postgres a tenth of the whole before it has written anything, so parts for which a batch has nothing
 * are left out. Each text is made once. How many texts a store has depends on what its batches leave together: about ten
 * for verifications.
 *
 * Rows are sorted, so that two statements lock in one order.
 *
 * The plan is made once, often while the tables are still empty, so its shape is forced. `offset 0` makes a lookup by
 * key; the row found is changed by its place, if nobody was faster: then its attempt is another, too. `(… in …) is true`
 * is a look into a hash table; as a join it would be a loop in a loop. `(dead_at is null) is true` keeps the index of
 * due jobs out of it, which would be walked from one end to the other.
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
  const texts = new Map<string, string>()
  const text = (left: ReadonlyArray<PartName>) => {
    const key = left.join()
    const known = texts.get(key)
    if (known !== undefined) return known
    const made = compose(left)
    texts.set(key, made)
    return made
  }
  return { text, whole: compose(names) }
}
