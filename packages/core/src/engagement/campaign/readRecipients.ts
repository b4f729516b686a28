import { Effect, Result } from "effect"
import * as Problem from "../../foundation/identity/Problem.ts"
import { onePhone } from "../optOut/decisions.ts"
import { fill } from "../../message/template/Placeholder.ts"
import { measure } from "../../message/template/SmsText.ts"
import type { CampaignChannel } from "./Campaign.ts"
import { type CsvRecord, dialectOf, readCsv } from "./readCsv.ts"
import { listedPhone } from "./listedPhone.ts"
import { problemOfValue } from "./problemOfValue.ts"

/** The most recipients in one list, without the header and empty lines. */
export const mostRecipients = 100_000
/** The errors that a list reports unless the caller wants more. The total counts all of them. */
export const mostNamed = 100
/** The most errors that a caller can ask for. */
export const mostProblems = 100_000

/** How many records are read between two pauses, in which other fibers can run. */
const atOnce = 32
const longestSms = 1_600
const phoneColumn = "phone"

/** The template and the country that a list is read for. */
export interface ListWanted {
  readonly channel: CampaignChannel
  /** The template's placeholders with a column, in order and with repetitions. */
  readonly places: ReadonlyArray<string>
  /** The template's text, when this server stores it. For SMS it gives the number of segments. */
  readonly body: string | null
  /** The country of ten-digit numbers without `+`; null rejects such numbers. */
  readonly defaultCountry: string | null
  /** How many errors to report. By default `mostNamed`. */
  readonly problems?: number | undefined
}

/** A valid line of a list. */
export interface ListedRecipient {
  /** The line of the file on which the record begins, from 1. */
  readonly line: number
  /** E.164 with `+`. */
  readonly phone: string
  /** The values of the template's placeholders, in order. */
  readonly values: ReadonlyArray<string>
}

/** An error in the list. A list with errors can be sent only without the lines that have them: see `listRefusal`. */
export interface ListProblem extends Problem.Worded {
  /** The line on which the record begins, from 1. */
  readonly line: number
  /** The column's name in the file; null when the error concerns the whole line or file. */
  readonly column: string | null
}

/** The parsed list. `listRefusal` decides whether it can be sent. */
export interface RecipientList {
  /** Recipients without duplicates, in file order. */
  readonly recipients: ReadonlyArray<ListedRecipient>
  /** How many lines repeat the number of an earlier line. The earlier line counts. */
  readonly duplicates: number
  /** The first hundred errors. */
  readonly invalid: ReadonlyArray<ListProblem>
  readonly invalidTotal: number
  /** How many lines have errors. None of them is among the recipients. */
  readonly invalidLines: number
  /**
   * Whether the list can be sent without its invalid lines. False when an error concerns the file, its header, or an
   * unknown number of lines.
   */
  readonly skippable: boolean
  /** Columns without a placeholder in the template. */
  readonly unused: ReadonlyArray<string>
  /** SMS only: the segments of all messages together, and of the longest one. */
  readonly segments: { readonly total: number; readonly most: number } | null
}

/** An error of the file or its header. */
const ofFile = (line: number, column: string | null, problem: Problem.Problem): ListProblem => ({
  line,
  column,
  ...problem
})

const shownName = (name: string): string => name.replace(/\p{C}/gu, " ").slice(0, 64).toWellFormed()

/** Normalizes a name, so that column `First Name` fills `{{first_name}}`. */
const canonical = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/gu, "_")

/** Recognizes files that are not text with lines; returns null when the file may be a list. */
const problemOfFile = (csv: string): Problem.Problem | null => {
  if (/^\s*$/.test(csv.slice(0, 4_096)) && csv.trim() === "") return Problem.of("CSV_EMPTY")
  if (csv.startsWith("PK\u0003\u0004")) return Problem.of("CSV_WORKBOOK")
  if (csv.includes("\0") || csv.startsWith("\uFFFE")) return Problem.of("CSV_UTF16")
  if (csv.startsWith("\uFFFD")) return Problem.of("CSV_NOT_UTF8")
  return null
}

/** The use of each column of a file. */
interface Columns {
  readonly names: ReadonlyArray<string>
  readonly phone: number
  /** The column index of each placeholder. */
  readonly places: ReadonlyArray<number>
  readonly unused: ReadonlyArray<string>
}

/** In a file without a header, the first line is a person's name and number. Stored errors must not contain them. */
const whyNoPhone = (names: ReadonlyArray<string>): Problem.Problem =>
  names.some((name) => /\p{Nd}(?:[^\p{L}]*\p{Nd}){5}/u.test(name))
    ? Problem.of("CSV_NO_HEADER")
    : Problem.of("CSV_NO_PHONE", { columns: names.slice(0, 10).join(", ") })

const columnsOf = (header: CsvRecord, wanted: ListWanted): Columns | ReadonlyArray<ListProblem> => {
  const { cells, fault, line } = header
  if (fault !== null) {
    const { code, params, problem } = fault.problem
    return [ofFile(line, null, Problem.of("CSV_HEADER", { ...params, fault: code, problem }))]
  }
  const names = cells.map((cell) => shownName(cell.trim()))
  const known = cells.map(canonical)
  const needed = [...new Set([phoneColumn, ...wanted.places.map(canonical)])]
  const problems = needed.flatMap((name): ReadonlyArray<ListProblem> => {
    const count = known.filter((other) => other === name).length
    if (count === 1) return []
    const problem =
      count > 1
        ? Problem.of("CSV_COLUMN_REPEATED", { count })
        : name === phoneColumn
          ? whyNoPhone(names)
          : Problem.of("CSV_COLUMN_MISSING")
    return [ofFile(line, name, problem)]
  })
  if (problems.length > 0) return problems
  return {
    names,
    phone: known.indexOf(phoneColumn),
    places: wanted.places.map((place) => known.indexOf(canonical(place))),
    unused: names.filter((name, place) => name !== "" && !needed.includes(known[place]!))
  }
}

class Reading {
  readonly #wanted: ListWanted
  readonly #recipients: Array<ListedRecipient> = []
  readonly #seen = new Set<string>()
  readonly #invalid: Array<ListProblem> = []
  #invalidTotal = 0
  readonly #invalidLines = new Set<number>()
  #isSkippable = true
  #duplicates = 0
  #total = 0
  #most = 0
  #columns: Columns | null = null
  #taken = 0
  #isOver = false

  constructor(wanted: ListWanted) {
    this.#wanted = wanted
  }

  /** Records an error after which the list cannot be sent, even without the line that has it. */
  refuseFile(problem: ListProblem): void {
    this.#isSkippable = false
    this.#name(problem)
  }

  #refuse(problem: ListProblem): void {
    this.#invalidLines.add(problem.line)
    this.#name(problem)
  }

  #name(problem: ListProblem): void {
    this.#invalidTotal++
    if (this.#invalid.length < (this.#wanted.problems ?? mostNamed)) this.#invalid.push(problem)
  }

  /** Adds the next record. Returns whether to read on. */
  take(record: CsvRecord): boolean {
    if (this.#columns === null) this.#begin(record)
    else if (++this.#taken > mostRecipients) {
      const problem = Problem.of("CSV_LINES", { max: mostRecipients })
      this.refuseFile(ofFile(record.line, null, problem))
      this.#isOver = true
    } else this.#add(record, this.#columns)
    return !this.#isOver
  }

  #begin(header: CsvRecord): void {
    const columns = columnsOf(header, this.#wanted)
    if ("names" in columns) this.#columns = columns
    else {
      columns.forEach((problem) => this.refuseFile(problem))
      this.#isOver = true
    }
  }

  #add({ cells, fault, line }: CsvRecord, { names, phone, places }: Columns): void {
    if (fault !== null) {
      const column = names[fault.cell] ?? null
      // A quote that is never closed may hide any number of lines.
      if (fault.endsFile) return this.refuseFile(ofFile(line, column, fault.problem))
      return this.#refuse({ line, column, ...fault.problem })
    }
    if (cells.slice(names.length).some((cell) => cell.trim() !== "")) {
      const problem = Problem.of("CSV_CELLS", { cells: cells.length, columns: names.length })
      return this.#refuse({ line, column: null, ...problem })
    }
    const number = listedPhone(cells[phone] ?? "", this.#wanted.defaultCountry)
    if (Result.isFailure(number)) {
      return this.#refuse({ line, column: names[phone]!, ...number.failure })
    }
    const person = onePhone(number.success)
    if (this.#seen.has(person)) {
      this.#duplicates++
      return
    }
    this.#seen.add(person)
    const values = places.map((place) => (cells[place] ?? "").trim())
    const faults = new Map(
      places.flatMap((place, index) => {
        const problem = problemOfValue(values[index]!, this.#wanted.channel)
        return problem === null ? [] : [[names[place]!, problem] as const]
      })
    )
    for (const [column, problem] of faults) this.#refuse({ line, column, ...problem })
    if (faults.size > 0 || !this.#fits(line, values)) return
    this.#recipients.push({ line, phone: number.success, values })
  }

  /** Checks whether the message with these values can be sent. */
  #fits(line: number, values: ReadonlyArray<string>): boolean {
    const { body, channel, places } = this.#wanted
    if (channel !== "SMS" || body === null) return true
    const text = fill(body, Object.fromEntries(places.map((place, index) => [place, values[index]!])))
    if (text.length > longestSms) {
      const problem = Problem.of("CSV_SMS_LONG", { length: text.length, max: longestSms })
      this.#refuse({ line, column: null, ...problem })
      return false
    }
    const { segments } = measure(text)
    this.#total += segments
    this.#most = Math.max(this.#most, segments)
    return true
  }

  result(): RecipientList {
    if (this.#invalidTotal === 0 && this.#recipients.length === 0) {
      this.refuseFile(ofFile(1, null, Problem.of("CSV_NO_RECIPIENTS")))
    }
    return {
      recipients: this.#recipients,
      duplicates: this.#duplicates,
      invalid: this.#invalid,
      invalidTotal: this.#invalidTotal,
      invalidLines: this.#invalidLines.size,
      skippable: this.#isSkippable,
      unused: this.#columns?.unused ?? [],
      segments: this.#wanted.channel === "SMS" ? { total: this.#total, most: this.#most } : null
    }
  }
}

/**
 * Reads a recipient list: a header with a `phone` column and a column per placeholder, then a line per recipient.
 * Returns a result for any input, pauses every few milliseconds for other fibers, and takes time linear in the file
 * size.
 *
 * @example
 * ```ts
 * import { readRecipients } from "@countersign/core"
 *
 * const csv = "phone,first_name\n+919876543210,Asha\n"
 * const wanted = { channel: "WHATSAPP", places: ["first_name"], body: null, defaultCountry: "IN" } as const
 *
 * // recipients: [{ line: 2, phone: "+919876543210", values: ["Asha"] }]
 * const read = readRecipients(csv, wanted)
 * ```
 */
export const readRecipients = Effect.fnUntraced(function* (
  csv: string,
  wanted: ListWanted
): Effect.fn.Return<RecipientList> {
  const reading = new Reading(wanted)
  const problem = problemOfFile(csv)
  if (problem !== null) {
    reading.refuseFile(ofFile(1, null, problem))
    return reading.result()
  }
  let taken = 0
  for (const record of readCsv(csv, dialectOf(csv))) {
    if (record === null || ++taken % atOnce === 0) yield* Effect.yieldNow
    if (record !== null && !reading.take(record)) break
  }
  return reading.result()
})

/** Formats an error as a sentence. */
export const sayProblem = ({ column, line, problem }: ListProblem): string =>
  column === null ? `line ${line}: ${problem}` : `line ${line}, column ${column}: ${problem}`

/**
 * Why a list cannot be sent; null when it can. With `skipInvalid` the campaign leaves out invalid lines. A number of an
 * invalid line gets no message, even when a later line repeats it.
 */
export const listRefusal = (
  { invalid, recipients, skippable }: Pick<RecipientList, "invalid" | "recipients" | "skippable">,
  skipInvalid: boolean
): ListProblem | null => {
  const [first = null] = invalid
  return skipInvalid && skippable && recipients.length > 0 ? null : first
}
