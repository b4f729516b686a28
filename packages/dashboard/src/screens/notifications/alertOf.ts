interface Lead {
  readonly id: number
  readonly contact: string
  readonly name: string | null
  readonly assignedTo: string | null
  readonly lastInboundAt: string | null
}

/** Customers who wrote since the last look. */
export interface Alert {
  readonly leads: ReadonlyArray<Pick<Lead, "contact" | "id" | "name">>
  /** The latest message at this look. The next look begins here. */
  readonly since: string
}

/**
 * Who wrote after `since`, latest first. Leads of other team members alert only them. The first look, without `since`,
 * alerts about nobody: it only learns where to begin.
 */
export const alertOf = (leads: ReadonlyArray<Lead>, since: string | null, email: string): Alert => {
  const written = leads.filter(
    ({ lastInboundAt }) => lastInboundAt !== null && (since === null || lastInboundAt > since)
  )
  const latest = written.map(({ lastInboundAt }) => lastInboundAt!).reduce((a, b) => (a > b ? a : b), since ?? "")
  const mine = since === null ? [] : written.filter(({ assignedTo }) => assignedTo === null || assignedTo === email)
  return { leads: mine.toSorted((a, b) => (a.lastInboundAt! < b.lastInboundAt! ? 1 : -1)), since: latest }
}

const longestName = 60

/**
 * A customer's name for a notification, or null without one. Customers choose their names, so characters that break or
 * reverse a line are removed.
 */
export const nameIn = (name: string | null): string | null => {
  const line = Array.from(
    (name ?? "")
      .slice(0, 1_000)
      .replace(/[\p{C}\p{Z}]+/gu, " ")
      .trim()
  )
  if (line.length === 0) return null
  return line.length > longestName ? `${line.slice(0, longestName - 1).join("")}…` : line.join("")
}
