/** What the browser reads from a list without validating it: size, columns, first recipient. */
export interface Glance {
  readonly bytes: number
  /** Lines with content, without the header and a spreadsheet's `sep=` line. */
  readonly recipients: number
  readonly columns: ReadonlyArray<string>
  /** Columns of the header, normalised like template variables. */
  readonly first: { readonly [place: string]: string }
}

/** Variable name of a column: `First Name` becomes `first_name`, as in the service. */
export const placeOf = (column: string): string =>
  column
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_")

/** The first records of delimited text. Quoted cells can contain delimiters, line breaks and doubled quotes. */
const records = (text: string, delimiter: string, most: number): ReadonlyArray<ReadonlyArray<string>> => {
  const rows: Array<Array<string>> = []
  let [cell, record, quoted]: [string, Array<string>, boolean] = ["", [], false]
  const end = () => {
    record.push(cell)
    if (record.some((each) => each.trim() !== "")) rows.push(record)
    ;[cell, record] = ["", []]
  }
  for (let at = 0; at < text.length && rows.length < most; at++) {
    const c = text[at]!
    if (quoted) {
      if (c !== '"') cell += c
      else if (text[at + 1] === '"') [cell, at] = [`${cell}"`, at + 1]
      else quoted = false
    } else if (c === '"' && cell.trim() === "") [cell, quoted] = ["", true]
    else if (c === delimiter) {
      record.push(cell)
      cell = ""
    } else if (c === "\n" || c === "\r") end()
    else cell += c
  }
  if (rows.length < most && (cell !== "" || record.length > 0)) end()
  return rows
}

const delimiters = [",", ";", "\t"]
/** The header and the first recipient are in the first part of the file. */
const looked = 64 * 1024

export const glance = (csv: string): Glance => {
  const head = csv.slice(0, looked).replace(/^\uFEFF/, "")
  const separatorLine = /^sep=(.)\r?\n/.exec(head)
  const text = separatorLine === null ? head : head.slice(separatorLine[0].length)
  const line = text.slice(0, (text.search(/[\r\n]/) + 1 || text.length + 1) - 1)
  const delimiter = separatorLine?.[1] ?? delimiters.toSorted((a, b) => line.split(b).length - line.split(a).length)[0]!
  const [columns = [], first = []] = records(text, delimiter, 2)
  const lines = csv.split(/\r\n|\r|\n/).filter((each) => each.trim() !== "")
  return {
    bytes: new TextEncoder().encode(csv).length,
    recipients: Math.max(0, lines.length - (separatorLine === null ? 1 : 2)),
    columns: columns.map((column) => column.trim()),
    first: Object.fromEntries(columns.map((column, at) => [placeOf(column), (first[at] ?? "").trim()]))
  }
}

/** Limit of the service. */
export const mostBytes = 5_000_000

/** The errors of a list as CSV. Cells that a spreadsheet would evaluate are escaped. */
export const problemsAsCsv = (
  problems: ReadonlyArray<{ readonly line: number; readonly column: string | null; readonly problem: string }>
): string => {
  const cell = (text: string) => `"${(/^[=+\-@\t]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
  const rows = problems.map(({ column, line, problem }) => [String(line), cell(column ?? ""), cell(problem)].join(","))
  return ["line,column,problem", ...rows, ""].join("\r\n")
}
