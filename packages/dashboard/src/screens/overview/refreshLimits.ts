/** Totals need not refresh with every login on a busy day. Midnight passes without an event. */
export const refreshLimits = { least: 10_000, most: 60_000 }
