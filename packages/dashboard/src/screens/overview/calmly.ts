/** Sums are read by people: on a busy day they need not move at every login. Midnight passes without news. */
export const calmly = { least: 10_000, most: 60_000 }
