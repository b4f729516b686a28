/** What a browser sees of a list without judging it: its size, its columns, the first recipient. */
export interface Glance {
  readonly bytes: number
  /** Lines that are not empty, without the header and the `sep=` of a spreadsheet. */
  readonly recipients: number
  readonly columns: ReadonlyArray<string>
  /** Of the first line, by the names that a template's places have. */
  readonly first: { readonly [place: string]: string }
}

/** A place's name of a column: `First Name` is `first_name`, as the service reads it. */
export const placeOf = (column: string): string =>
  column
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_")

/** The first records of delimited text. Quotes hold delimiters, line breaks, and quotes written twice. */
const records = (text: string, delimiter: string, most: number): ReadonlyArray<ReadonlyArray<string>> => {
  const found: Array<Array<string>> = []
  let [cell, record, quoted]: [string, Array<string>, boolean] = ["", [], false]
  const end = () => {
    record.push(cell)
    if (record.some((each) => each.trim() !== "")) found.push(record)
    ;[cell, record] = ["", []]
  }
  for (let at = 0; at < text.length && found.length < most; at++) {
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
  if (found.length < most && (cell !== "" || record.length > 0)) end()
  return found
}

const delimiters = [",", ";", "\t"]
/** A header is in the first part of the file; so is the first recipient. */
const looked = 64 * 1024

export const glance = (csv: string): Glance => {
  const head = csv.slice(0, looked).replace(/^\uFEFF/, "")
  const said = /^sep=(.)\r?\n/.exec(head)
  const text = said === null ? head : head.slice(said[0].length)
  const line = text.slice(0, (text.search(/[\r\n]/) + 1 || text.length + 1) - 1)
  const delimiter = said?.[1] ?? delimiters.toSorted((a, b) => line.split(b).length - line.split(a).length)[0]!
  const [columns = [], first = []] = records(text, delimiter, 2)
  const lines = csv.split(/\r\n|\r|\n/).filter((each) => each.trim() !== "")
  return {
    bytes: new TextEncoder().encode(csv).length,
    recipients: Math.max(0, lines.length - (said === null ? 1 : 2)),
    columns: columns.map((column) => column.trim()),
    first: Object.fromEntries(columns.map((column, at) => [placeOf(column), (first[at] ?? "").trim()]))
  }
}

/** The service takes no more. */
export const mostBytes = 5_000_000

/** Problems of a list as CSV: a cell that a spreadsheet would compute is text there. */
export const problemsAsCsv = (
  problems: ReadonlyArray<{ readonly line: number; readonly column: string | null; readonly problem: string }>
): string => {
  const cell = (text: string) => `"${(/^[=+\-@\t]/.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
  const rows = problems.map(({ column, line, problem }) => [String(line), cell(column ?? ""), cell(problem)].join(","))
  return ["line,column,problem", ...rows, ""].join("\r\n")
}
