import * as Problem from "../../foundation/identity/Problem.ts"

/** An error in a record, with the index of its cell, from 0. */
export interface CsvFault {
  readonly cell: number
  readonly problem: Problem.Problem
  /** Whether the error hides the rest of the file. */
  readonly endsFile: boolean
}

/** A record of a file: usually one line, more when a quoted cell contains line breaks. */
export interface CsvRecord {
  /** The line on which the record begins, from 1. */
  readonly line: number
  readonly cells: ReadonlyArray<string>
  /** Null when the whole record was read. A faulty line does not affect the lines after it. */
  readonly fault: CsvFault | null
}

/** The supported cell separators. Excel writes semicolons in locales with decimal commas. */
export const delimiters = [",", ";", "\t"] as const
export type Delimiter = (typeof delimiters)[number]

export const mostColumns = 100
/** The longest cell, in UTF-16 units. */
export const longestCell = 1_024

/** How many characters are read between two pauses, in which other fibers can run. */
const stretch = 16_384

const toLineEnd = /[\r\n]/g
const toCellEnd: { readonly [D in Delimiter]: RegExp } = { ",": /[,\r\n]/g, ";": /[;\r\n]/g, "\t": /[\t\r\n]/g }

/** The index of the next match from `from` on, or the text's length. Reads each character at most once. */
const nextOf = (pattern: RegExp, text: string, from: number): number => {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

const afterSpaces = (text: string, from: number, delimiter: Delimiter): number => {
  let at = from
  while (text[at] === " " || (text[at] === "\t" && delimiter !== "\t")) at++
  return at
}

const afterBreak = (text: string, at: number): number => (text.startsWith("\r\n", at) ? at + 2 : at + 1)

const isBreak = (character: string | undefined) => character === "\n" || character === "\r"

/** A quoted cell. `end` is the index after the closing quote; -1 when the quote is never closed. */
interface Quoted {
  readonly value: string
  readonly end: number
}

function* quotedFrom(text: string, start: number): Generator<null, Quoted> {
  let value = ""
  let paused = start
  for (let at = start; ; ) {
    const quote = text.indexOf('"', at)
    if (quote === -1) return { value, end: -1 }
    if (value.length <= longestCell) value += text.slice(at, quote)
    if (text[quote + 1] !== '"') return { value, end: quote + 1 }
    if (value.length <= longestCell) value += '"'
    at = quote + 2
    if (at - paused >= stretch) {
      paused = at
      yield null
    }
  }
}

function* breaksIn(text: string): Generator<null, number> {
  let count = 0
  let paused = 0
  for (let at = nextOf(toLineEnd, text, 0); at < text.length; at = nextOf(toLineEnd, text, at)) {
    at = afterBreak(text, at)
    count++
    if (at - paused >= stretch) {
      paused = at
      yield null
    }
  }
  return count
}

/**
 * Reads delimited text record by record, as spreadsheets write it: RFC 4180 with any line break, spaces around cells,
 * and literal quotes inside unquoted cells. Skips empty lines. Takes linear time for any input, holds one record at a
 * time, and sometimes yields null so that the caller can let other fibers run.
 */
export function* readCsv(
  text: string,
  { delimiter, from, line: firstLine }: { readonly delimiter: Delimiter; readonly from: number; readonly line: number }
): Generator<CsvRecord | null, void> {
  let at = from
  let line = firstLine
  let paused = from
  while (at < text.length) {
    if (at - paused >= stretch) {
      paused = at
      yield null
    }
    if (isBreak(text[at])) {
      at = afterBreak(text, at)
      line++
      continue
    }
    const begins = line
    const cells: Array<string> = []
    let fault: CsvFault | null = null
    const give = (problem: Problem.Problem, endsFile = false) => {
      if (fault === null || endsFile) fault = { cell: cells.length, problem, endsFile }
    }
    for (let isRecord = true; isRecord; ) {
      if (cells.length === mostColumns) {
        give(Problem.of("CSV_COLUMNS", { max: mostColumns }))
        at = nextOf(toLineEnd, text, at)
        break
      }
      const start = afterSpaces(text, at, delimiter)
      let value: string
      if (text[start] === '"') {
        const quoted: Quoted = yield* quotedFrom(text, start + 1)
        if (quoted.end === -1) {
          give(Problem.of("CSV_QUOTE_OPEN", { line }), true)
          yield { line: begins, cells, fault }
          return
        }
        line += yield* breaksIn(text.slice(start, quoted.end))
        value = quoted.value
        at = afterSpaces(text, quoted.end, delimiter)
        if (at < text.length && text[at] !== delimiter && !isBreak(text[at])) {
          give(Problem.of("CSV_QUOTE_TEXT"))
          at = nextOf(toLineEnd, text, at)
        }
      } else {
        at = nextOf(toCellEnd[delimiter], text, start)
        value = text.slice(start, Math.min(at, start + longestCell + stretch)).trimEnd()
      }
      if (value.length > longestCell) give(Problem.of("OVER", { max: longestCell }))
      cells.push(value.slice(0, longestCell))
      isRecord = text[at] === delimiter
      if (isRecord) at++
    }
    if (at < text.length) {
      at = afterBreak(text, at)
      line++
    }
    if (fault !== null || cells.some((cell) => cell.trim() !== "")) yield { line: begins, cells, fault }
  }
}

/** Detects the delimiter from the first line: Excel's `sep=;`, or the separator of the column names. */
export const dialectOf = (text: string): { delimiter: Delimiter; from: number; line: number } => {
  const start = text.startsWith("\uFEFF") ? 1 : 0
  const said = /^sep=([,;\t])(?:\r\n|\r|\n|$)/i.exec(text.slice(start, start + 8))
  if (said !== null) return { delimiter: said[1] as Delimiter, from: start + said[0].length, line: 2 }
  const names = text
    .slice(start, start + stretch)
    .trimStart()
    .replace(/"[^"]*"/g, "")
  const first = names.slice(0, nextOf(toLineEnd, names, 0))
  const counts = delimiters.map((delimiter) => first.split(delimiter).length)
  return { delimiter: delimiters[counts.indexOf(Math.max(...counts))]!, from: start, line: 1 }
}
