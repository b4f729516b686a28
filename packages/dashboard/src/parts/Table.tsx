import type { ComponentChildren } from "preact"

export interface Column<R> {
  /** Its heading, which is read out with every cell. */
  readonly title: string
  readonly cell: (row: R) => ComponentChildren
  readonly number?: boolean
  /** Left out where there is no room, the highest first. */
  readonly drop?: 1 | 2 | 3
  /** Whether this cell names its row. */
  readonly names?: boolean
}

interface Props<R> {
  /** What it is a table of. */
  readonly caption: string
  readonly columns: ReadonlyArray<Column<R>>
  readonly rows: ReadonlyArray<R>
  readonly id: (row: R) => string | number
}

/** A table of as many rows as one looks through. For lists without an end there is `LongTable`. */
export function Table<R>({ caption, columns, id, rows }: Props<R>) {
  return (
    <div class="table" tabIndex={0} role="region" aria-label={caption}>
      <table>
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            {columns.map(({ drop, number, title }) => (
              <th key={title} scope="col" class={number ? "number" : undefined} data-drop={drop}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={id(row)}>
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
          ))}
        </tbody>
      </table>
    </div>
  )
}
