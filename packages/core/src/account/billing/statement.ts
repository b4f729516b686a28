import { Result } from "effect"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { BookingKind } from "../../foundation/outbox/Booking.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { beginOfDay, zoneOf } from "../../foundation/time/localDays.ts"
import type { Settings } from "../merchant/Settings.ts"
import type { BalanceStore } from "./BalanceStore.ts"

/** The uses of a charged message: a code or a link, a recipient of a campaign, or a message of the inbox. */
export const StatementUse = ["VERIFICATION", "CAMPAIGN", "MESSAGE"] as const
export type StatementUse = (typeof StatementUse)[number]

/** All entries of one kind, and for messages of one channel and one use. */
export interface StatementLine {
  readonly kind: BookingKind
  readonly channel: string | null
  readonly use: StatementUse | null
  readonly count: number
  /** Negative when it took money. */
  readonly amount: number
}

/** A month of a ledger. `opening` and the amounts of all lines add up to `closing`. */
export interface Statement {
  readonly opening: number
  readonly closing: number
  /** Top-ups and corrections first, then messages and refunds, with the largest amount first. */
  readonly lines: ReadonlyArray<StatementLine>
}

/** The bounds of a month: `from` is included, `to` is not. */
export interface Month {
  readonly from: Instant
  readonly to: Instant
}

const monthPattern = /^(2[0-9]{3})-(0[1-9]|1[0-2])$/

/** The bounds of a month such as `2026-11`, in the merchant's time zone. */
export const monthOf = (text: string, { timeZone }: Pick<Settings, "timeZone">): Result.Result<Month, InvalidField> => {
  const [, year, month] = monthPattern.exec(text) ?? []
  if (year === undefined) return Result.fail(invalidField("month", Problem.of("MONTH")))
  const zone = zoneOf(timeZone) ?? zoneOf("UTC")!
  const begin = (of: number) => beginOfDay(zone, Date.UTC(Number(year), of, 1))
  return Result.succeed({ from: begin(Number(month) - 1), to: begin(Number(month)) })
}

const useOf = ({ kind, reference }: BalanceStore.LedgerEntry): StatementUse | null => {
  if (kind !== "SEND" && kind !== "REFUND") return null
  if (reference !== null && Identifier.is("ver", reference)) return "VERIFICATION"
  return reference !== null && Identifier.is("cmp", reference) ? "CAMPAIGN" : "MESSAGE"
}

const order: ReadonlyArray<BookingKind> = ["TOP_UP", "CORRECTION", "SEND", "REFUND"]

/** Sums of a ledger's entries, newest first, as they are read. */
export interface Tally {
  /** The balance after the newest entry, without the entries after the month. */
  readonly closing: number
  readonly isEmpty: boolean
  readonly lines: ReadonlyMap<string, StatementLine>
}

export const noTally: Tally = { closing: 0, isEmpty: true, lines: new Map() }

/**
 * Adds the next older entries. Entries after the month count against the balance of the newest entry, because numbers
 * follow the order of commits and moments that of decisions.
 */
export const tally = (before: Tally, entries: ReadonlyArray<BalanceStore.LedgerEntry>, { from, to }: Month): Tally => {
  const [newest] = entries
  if (newest === undefined) return before
  let closing = before.isEmpty ? newest.balance : before.closing
  const lines = new Map(before.lines)
  for (const entry of entries) {
    const { amount, at, channel, kind } = entry
    if (at >= to) closing -= amount
    else if (at >= from) {
      const use = useOf(entry)
      const key = `${kind}\n${channel ?? ""}\n${use ?? ""}`
      const line = lines.get(key) ?? { kind, channel, use, count: 0, amount: 0 }
      lines.set(key, { ...line, count: line.count + 1, amount: line.amount + amount })
    }
  }
  return { closing, isEmpty: false, lines }
}

/** The statement of all entries that were added. */
export const statementOf = ({ closing, lines }: Tally): Statement => {
  const all = [...lines.values()].sort(
    (a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || Math.abs(b.amount) - Math.abs(a.amount)
  )
  return { opening: all.reduce((sum, { amount }) => sum - amount, closing), closing, lines: all }
}
