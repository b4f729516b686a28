const steps = [
  1,
  2,
  5,
  10,
  20,
  50,
  100,
  200,
  500,
  ...[1, 2, 5, 10, 15, 30].map((seconds) => seconds * 1_000),
  ...[1, 2, 5, 10, 15, 30].map((minutes) => minutes * 60_000),
  ...[1, 2, 4, 6, 12, 24].map((hours) => hours * 3_600_000)
]

/** The smallest round step in milliseconds that is at least `least`. */
export const niceStep = (least: number): number =>
  steps.find((step) => step >= least) ?? Math.ceil(least / 86_400_000) * 86_400_000
