/**
 * A query that returns statements, which then run in order. For statements that depend on the database, such as its
 * partitions.
 */
export interface Each {
  readonly each: string
}

/** One step from a version of the tables to the next. */
export interface Migration {
  readonly statements: ReadonlyArray<string | Each>
  /**
   * True: the statements commit together. False: each commits by itself, and the whole list runs again after a process
   * was killed, so each statement must tolerate a repeat.
   */
  readonly inTransaction: boolean
}

/**
 * Statements in one transaction. They hold their locks until the last one finishes, so none may scan a table that
 * grows. Use `online` to fill a column or create an index.
 */
export const statements = (list: ReadonlyArray<string>): Migration => ({ statements: list, inTransaction: true })

/**
 * Statements outside a transaction, for changes that must not block writers. An interrupted index build leaves an
 * invalid index, so each `create index concurrently` follows a `drop index concurrently if exists`.
 */
export const online = (list: ReadonlyArray<string | Each>): Migration => ({ statements: list, inTransaction: false })
