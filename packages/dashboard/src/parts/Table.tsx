import type { ComponentChildren } from "preact"

export interface Column<R> {
  /** Column heading, read out with every cell. */
  readonly title: string
  readonly cell: (row: R) => ComponentChildren
  readonly number?: boolean
  /** Columns with the highest number are hidden first when space is short. */
  readonly drop?: 1 | 2 | 3
  /** Whether this cell is the row's heading. */
  readonly names?: boolean
  /** Sort key of the column, as `sorted` names it. */
  readonly sort?: string
}

/** The current sort order. The caller sorts the rows. */
export interface Sorted {
  readonly by: string
  readonly isDescending: boolean
  readonly choose: (sort: string) => void
}

interface Props<R> {
  /** Accessible caption. */
  readonly caption: string
  readonly columns: ReadonlyArray<Column<R>>
  readonly rows: ReadonlyArray<R>
  readonly id: (row: R) => string | number
  readonly sorted?: Sorted
  /** Totals row. */
  readonly total?: R
  /** Hidden visually but available to screen readers. The keyboard does not stop at it. */
  readonly isUnseen?: boolean
}

function Heading<R>({
  column: { drop, number, sort, title },
  sorted
}: {
  readonly column: Column<R>
  readonly sorted: Sorted | undefined
}) {
  const isHere = sorted !== undefined && sort === sorted.by
  return (
    <th
      scope="col"
      class={number ? "number" : undefined}
      data-drop={drop}
      aria-sort={isHere ? (sorted.isDescending ? "descending" : "ascending") : undefined}
    >
      {sort === undefined || sorted === undefined ? (
        title
      ) : (
        <button type="button" class="sort" onClick={() => sorted.choose(sort)}>
          {title}
        </button>
      )}
    </th>
  )
}

function Row<R>({ columns, row }: { readonly columns: ReadonlyArray<Column<R>>; readonly row: R }) {
  return (
    <tr>
      {columns.map(({ cell, drop, names, number, title }) =>
        names ? (
          <th key={title} scope="row" data-drop={drop}>
            {cell(row)}
          </th>
        ) : (
          <td key={title} class={number ? "number" : undefined} data-drop={drop}>
            {cell(row)}
          </td>
        )
      )}
    </tr>
  )
}

/** A table for a limited number of rows. Use `LongTable` for endless lists. */
export function Table<R>({ caption, columns, id, isUnseen = false, rows, sorted, total }: Props<R>) {
  return (
    <div class={isUnseen ? undefined : "table"} tabIndex={isUnseen ? undefined : 0} role="group" aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map((column) => (
              <Heading key={column.title} column={column} sorted={sorted} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={id(row)} columns={columns} row={row} />
          ))}
        </tbody>
        {total === undefined ? null : (
          <tfoot>
            <Row columns={columns} row={total} />
          </tfoot>
        )}
      </table>
    </div>
  )
}
