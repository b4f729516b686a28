/** A query that answers statements: they are run, in its order. For what differs by database, such as its partitions. */
export interface Each {
  readonly each: string
}

/** One step from a version of the tables to the next. */
export interface Migration {
  readonly statements: ReadonlyArray<string | Each>
  /**
   * With a transaction the statements happen together or not at all. Without one each happens by itself, and the whole
   * list runs again after a process was killed in the middle: each statement must bear that.
   */
  readonly inTransaction: boolean
}

/**
 * Statements that happen together. They hold their locks until the last is done, so none of them may go over a table
 * that grows: what fills or indexes one is a migration `online`.
 */
export const statements = (list: ReadonlyArray<string>): Migration => ({ statements: list, inTransaction: true })

/**
 * Statements outside a transaction, for what must not stop those who write meanwhile. An index that was cut off in the
 * middle stays behind invalid, so each `create index concurrently` follows a `drop index concurrently if exists`.
 */
export const online = (list: ReadonlyArray<string | Each>): Migration => ({ statements: list, inTransaction: false })
