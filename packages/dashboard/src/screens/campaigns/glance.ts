import { dialectOf, linesOf, placeOf } from "./lines.ts"

/** What the browser reads from a list without validating it: size, columns, first recipient. */
export interface Glance {
  readonly bytes: number
  /** Lines with content, without the header and a spreadsheet's `sep=` line. */
  readonly recipients: number
  readonly columns: ReadonlyArray<string>
  /** Columns of the header, normalised like template variables. */
  readonly first: { readonly [place: string]: string }
}

/** The header and the first recipient are in the first part of the file. */
const looked = 64 * 1024

export const glance = (csv: string): Glance => {
  const head = linesOf(csv.slice(0, looked))
  const [columns = [], first = []] = [head.next(), head.next()].map(({ value }) =>
    value?.cells.map((cell) => cell.value)
  )
  const lines = csv.split(/\r\n|\r|\n/).filter((each) => each.trim() !== "")
  return {
    bytes: new TextEncoder().encode(csv).length,
    recipients: Math.max(0, lines.length - dialectOf(csv).line),
    columns,
    first: Object.fromEntries(columns.map((column, at) => [placeOf(column), first[at] ?? ""]))
  }
}

/** Limit of the service. */
export const mostBytes = 5_000_000
