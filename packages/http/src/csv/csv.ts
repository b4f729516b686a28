/** What a cell of a table may hold. */
export type Cell = string | number | null

/** Spreadsheets read a cell as a formula when it starts with these, also after spaces, tabs or line breaks. */
const formula = /^(\s*[=+\-@＝＋－＠]|[\t\r\n])/u

/** Prefixes a possible formula with an apostrophe, so that spreadsheets show it as text. */
const harmless = (text: string): string => (formula.test(text) ? `'${text}` : text)

const cellOf = (cell: Cell): string => {
  if (cell === null) return ""
  if (typeof cell === "number") return String(cell)
  const text = harmless(cell)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** A line of CSV, per RFC 4180. */
export const csvLine = (cells: ReadonlyArray<Cell>): string => `${cells.map(cellOf).join(",")}\r\n`

interface Range {
  readonly type: string
  readonly weight: number
}

const rangeOf = (text: string): Range => {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase())
  const given = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
  const weight = given === undefined ? 1 : Number(given)
  return { type, weight: Number.isFinite(weight) ? weight : 0 }
}

/** Whether the caller accepts CSV by name and does not prefer JSON. */
export const prefersCsv = (accept: string | null): boolean => {
  const ranges = (accept ?? "").split(",").map(rangeOf)
  const weightOf = (type: string) => Math.max(0, ...ranges.filter((range) => range.type === type).map((r) => r.weight))
  const csv = weightOf("text/csv")
  return csv > 0 && csv >= weightOf("application/json")
}
