import { Effect, Option, Stream } from "effect"
import { HttpApiSchema } from "effect/http-api"
import { type Cell, csvLine } from "./csv.ts"

/** The most rows of a file. Spreadsheets open about a million. */
export const mostRows = 1_000_000

/** The last line of a file that has more rows than it may hold. */
export const cutLine = (most: number): string =>
  csvLine([
    `# The export ends here: it has ${most.toLocaleString("en")} rows, the limit. Narrow the filters to export the rest.`
  ])

/** The columns of a file, in their order: the name of each, and its cell in a row. */
export type Columns<Row> = { readonly [name: string]: (row: Row) => Cell }

interface Page<Row, Cursor> {
  readonly items: ReadonlyArray<Row>
  readonly nextCursor: Cursor | null
}

/** All pages of a list, each read when the one before it was sent. */
export const pagesOf = <Row, Cursor, E>(
  load: (cursor: Cursor | undefined) => Effect.Effect<Page<Row, Cursor>, E>
): Stream.Stream<ReadonlyArray<Row>, E> =>
  Stream.paginate(undefined as Cursor | undefined, (cursor) =>
    Effect.map(
      load(cursor),
      ({ items, nextCursor }) => [[items], nextCursor === null ? Option.none() : Option.some(nextCursor)] as const
    )
  )

/** The lines of a file, one text for each page. Reads no page after the one that exceeds `most`. */
const linesOf = <Row, E>(columns: Columns<Row>, pages: Stream.Stream<ReadonlyArray<Row>, E>, most: number) => {
  const cells = Object.values(columns)
  const lineOf = (row: Row) => csvLine(cells.map((cell) => cell(row)))
  return Stream.mapAccum(
    pages,
    () => 0,
    (written, page) => {
      const lines = page
        .slice(0, most - written)
        .map(lineOf)
        .join("")
      const total = written + page.length
      return [total, [{ lines, isOver: total > most }]] as const
    }
  ).pipe(
    Stream.takeUntil(({ isOver }) => isOver),
    Stream.map(({ isOver, lines }) => (isOver ? lines + cutLine(most) : lines)),
    Stream.filter((lines) => lines !== "")
  )
}

/**
 * A list as a file, streamed page by page: each page is a read of its own, so a slow reader holds neither a transaction
 * nor a connection, and memory holds one page.
 */
export const csvFile = <Row, E>(
  name: string,
  columns: Columns<Row>,
  pages: Stream.Stream<ReadonlyArray<Row>, E>,
  most = mostRows
) =>
  HttpApiSchema.withHeaders({
    body: Stream.make(csvLine(Object.keys(columns))).pipe(
      Stream.concat(linesOf(columns, pages, most)),
      Stream.encodeText
    ) as Stream.Stream<Uint8Array, unknown>,
    headers: {
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="${name}.csv"`,
      "x-content-type-options": "nosniff" as const
    }
  })
