/** Midnight of a day in the viewer's time zone, as a moment. `after` adds days. */
export const beginOf = (day: string, after = 0): string | null => {
  const [year, month, date] = day.split("-").map(Number)
  if (year === undefined || month === undefined || date === undefined || !/^\d{4}-\d\d-\d\d$/.test(day)) return null
  const begin = new Date(year, month - 1, date + after)
  return Number.isNaN(begin.getTime()) ? null : begin.toISOString()
}

/** The day of a moment. For an exclusive end, the day before. */
export const dayOf = (at: string | undefined, isEnd = false): string => {
  if (at === undefined) return ""
  const moment = new Date(Date.parse(at) - (isEnd ? 1 : 0))
  const two = (value: number) => String(value).padStart(2, "0")
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`
}
