/** Number of days shown. It is in the address. */
export const spans = ["7", "30", "90"] as const
export type Span = (typeof spans)[number]
export const usual: Span = "30"

/** Today and the days before it, from midnight in the viewer's zone. */
export const fromOf = (span: Span, now: Date): string =>
  new Date(now.getFullYear(), now.getMonth(), now.getDate() - (Number(span) - 1)).toISOString()
