/** A cell of a list, with its place in the text. Quotes are part of the place, not of the value. */
interface Cell {
  readonly value: string
  readonly from: number
  readonly to: number
}

/** A record of a list: usually one line, more when a quoted cell has line breaks. */
export interface Line {
  /** The line of the file on which the record begins, from 1, as the service counts. */
  readonly line: number
  readonly from: number
  readonly to: number
  readonly cells: ReadonlyArray<Cell>
}

const separatorLine = /^sep=(.)(?:\r\n|\r|\n|$)/i
const delimiters = [",", ";", "\t"]

const isBreak = (character: string | undefined): boolean => character === "\n" || character === "\r"

const countBreaks = (text: string): number => text.match(/\r\n|\r|\n/g)?.length ?? 0

/** The delimiter, and where the records begin. */
export const dialectOf = (csv: string) => {
  const start = csv.startsWith("\uFEFF") ? 1 : 0
  const separator = separatorLine.exec(csv.slice(start, start + 8))
  if (separator !== null) return { delimiter: separator[1]!, from: start + separator[0].length, line: 2 }
  const head = csv
    .slice(start, start + 16_384)
    .trimStart()
    .replace(/"[^"]*"/g, "")
  const [first = ""] = head.split(/[\r\n]/, 1)
  const delimiter = delimiters.toSorted((a, b) => first.split(b).length - first.split(a).length)[0]!
  return { delimiter, from: start, line: 1 }
}

/** The records of a list, read as the service reads them: without empty lines, and with spaces around cells. */
export function* linesOf(csv: string): Generator<Line, void> {
  const { delimiter, from: begin, line: first } = dialectOf(csv)
  let line = first
  for (let at = begin; at < csv.length; ) {
    const [from, begins] = [at, line]
    const cells: Array<Cell> = []
    for (let isRecord = true; isRecord; ) {
      const start = at
      while (csv[at] === " ") at++
      let value = ""
      if (csv[at] === '"') {
        for (at++; at < csv.length; at++) {
          if (csv[at] !== '"') value += csv[at]
          else if (csv[at + 1] === '"') value += csv[at++]
          else break
        }
        line += countBreaks(value)
        at++
        // Text after a closing quote belongs to no cell: the service refuses such a line.
        while (at < csv.length && csv[at] !== delimiter && !isBreak(csv[at])) at++
      } else {
        while (at < csv.length && csv[at] !== delimiter && !isBreak(csv[at])) at++
        value = csv.slice(start, at)
      }
      at = Math.min(at, csv.length)
      cells.push({ value: value.trim(), from: start, to: at })
      isRecord = csv[at] === delimiter
      if (isRecord) at++
    }
    const to = at
    if (at < csv.length) {
      at += csv.startsWith("\r\n", at) ? 2 : 1
      line++
    }
    if (cells.some(({ value }) => value !== "")) yield { line: begins, from, to, cells }
  }
}

/** Variable name of a column: `First Name` becomes `first_name`, as in the service. */
export const placeOf = (column: string): string =>
  column
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_")

interface Problem {
  readonly line: number
  readonly column: string | null
  readonly problem: string
}

/** Finds the header, and the records that begin on the given lines. */
const found = (csv: string, wanted: ReadonlySet<number>) => {
  let header: Line | null = null
  const rows = new Map<number, Line>()
  for (const row of linesOf(csv)) {
    if (header === null) header = row
    else if (wanted.has(row.line)) rows.set(row.line, row)
    if (rows.size === wanted.size) break
  }
  return { columns: header?.cells.map(({ value }) => value) ?? [], rows }
}

/** What a problem is about: the text to correct, and its place in the list. */
export interface Wrong {
  readonly text: string
  readonly from: number
  readonly to: number
  /** Whether the text is a whole line, with its delimiters and quotes. */
  readonly isLine: boolean
  /** How many delimiters are missing before a cell that the line does not have. */
  readonly missing: number
}

/**
 * The text of each problem that can be corrected in place: the cell, or the line when the problem concerns all of it.
 * Null for problems of the file and its header, and for text with line breaks.
 */
export const wrongIn = (csv: string, problems: ReadonlyArray<Problem>): ReadonlyArray<Wrong | null> => {
  const { columns, rows } = found(csv, new Set(problems.map(({ line }) => line)))
  return problems.map(({ column, line }): Wrong | null => {
    const row = rows.get(line)
    if (row === undefined) return null
    const at = column === null ? -1 : columns.findIndex((name) => placeOf(name) === placeOf(column))
    if (column !== null && at === -1) return null
    const cell = column === null ? { value: csv.slice(row.from, row.to), from: row.from, to: row.to } : row.cells[at]
    const missing = cell === undefined ? at - row.cells.length + 1 : 0
    const { from, to, value } = cell ?? { value: "", from: row.to, to: row.to }
    return /[\r\n]/.test(value) ? null : { text: value, from, to, isLine: column === null, missing }
  })
}

const quoted = (value: string, delimiter: string): string =>
  value.includes(delimiter) || value.includes('"') ? `"${value.replaceAll('"', '""')}"` : value

/** The list with the texts replaced. The rest of the list stays as it is, to the character. */
export const corrected = (csv: string, corrections: ReadonlyArray<readonly [wrong: Wrong, text: string]>): string => {
  const { delimiter } = dialectOf(csv)
  // From the end, so that the places of the others stay right.
  return corrections
    .toSorted(([a], [b]) => b.from - a.from || b.missing - a.missing)
    .reduce((text, [{ from, isLine, missing, to }, value], n, sorted) => {
      const words = value.replace(/[\r\n]+/g, " ")
      // An earlier missing cell of the same line brings its own delimiters.
      const [next] = sorted[n + 1] ?? []
      const before = delimiter.repeat(missing - (next?.from === from ? next.missing : 0))
      return text.slice(0, from) + before + (isLine ? words : quoted(words, delimiter)) + text.slice(to)
    }, csv)
}

/** The lines that have problems, with their cells and the reason, for a file. */
export const badLines = (
  csv: string,
  problems: ReadonlyArray<Problem>
): ReadonlyArray<ReadonlyArray<string | number>> => {
  const reasons = new Map<number, Array<string>>()
  for (const { column, line, problem } of problems) {
    reasons.set(line, [...(reasons.get(line) ?? []), column === null ? problem : `${column} ${problem}`])
  }
  const { columns, rows } = found(csv, new Set(reasons.keys()))
  return [
    ["line", "reason", ...columns],
    ...[...reasons].map(([line, reason]) => [
      line,
      reason.join("; "),
      ...(rows.get(line)?.cells.map(({ value }) => value) ?? [])
    ])
  ]
}
