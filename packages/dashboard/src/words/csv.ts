/** Phone numbers and amounts stay as they are: a spreadsheet reads them as numbers, and nothing is executed. */
const isNumber = (text: string): boolean => /^[+-]?\d[\d .]*$/.test(text)

/** A cell that a spreadsheet would evaluate as a formula gets an apostrophe. */
const cellOf = (value: string | number): string => {
  if (typeof value === "number") return String(value)
  const safe = /^[=+\-@\t\r]/.test(value) && !isNumber(value) ? `'${value}` : value
  return /[",;\t\r\n']|^\s|\s$/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** Rows as CSV. The first row has the names of the columns. */
export const csvOf = (rows: ReadonlyArray<ReadonlyArray<string | number>>): string =>
  rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("")

/** A CSV file that spreadsheets open as UTF-8. */
export const csvFile = (rows: ReadonlyArray<ReadonlyArray<string | number>>): Blob =>
  new Blob(["\uFEFF", csvOf(rows)], { type: "text/csv" })
