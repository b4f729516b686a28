import { Result } from "effect"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { EnvironmentKind } from "../merchant/Merchant.ts"
import type { Settings } from "../merchant/Settings.ts"
import { auditChange, auditEntry, type AuditTarget, type Doer } from "../../foundation/outbox/AuditEntry.ts"
import type { Booking } from "../../foundation/outbox/Booking.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { Balance } from "./Balance.ts"
import { BalanceStore } from "./BalanceStore.ts"

/** The largest amount of a top-up or correction, and the largest credit. */
export const mostAtOnce = 1_000_000_000_000
/** The highest balance that a top-up may reach. Storage holds up to nine quadrillion, and refunds need room. */
export const mostOnBalance = 8_000_000_000_000_000

const longestReference = 100

export interface TopUpRequest {
  readonly amount: number
  /** A payment's id. */
  readonly reference?: string | null | undefined
}

export interface CorrectionRequest {
  /** Negative for amounts taken away. */
  readonly amount: number
  /** The reason. The merchant sees it in the ledger. */
  readonly reason: string
}

type Checked<A> = Result.Result<A, InvalidField>

const invalid = (field: string, problem: Problem.Problem) => Result.fail(invalidField(field, problem))

/** One line of text, because people open ledgers in spreadsheets. */
const checkWords = (field: string, text: string): Checked<string> =>
  text.trim() !== "" && text.length <= longestReference && /^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u.test(text)
    ? Result.succeed(text)
    : invalid(field, Problem.of("LINE", { min: 1, max: longestReference }))

const isWithin = (amount: number, least: number) => Number.isInteger(amount) && amount >= least && amount <= mostAtOnce

export const checkTopUp = ({ amount, reference = null }: TopUpRequest): Checked<string | null> =>
  !isWithin(amount, 1)
    ? invalid("amount", Problem.of("AMOUNT", { min: 1, max: mostAtOnce }))
    : reference === null
      ? Result.succeed(null)
      : checkWords("reference", reference)

export const checkCorrection = ({ amount, reason }: CorrectionRequest): Checked<string> =>
  amount === 0 || !isWithin(amount, -mostAtOnce)
    ? invalid("amount", Problem.of("AMOUNT_NOT_0", { min: -mostAtOnce, max: mostAtOnce }))
    : checkWords("reason", reason)

export const checkCredit = (creditLimit: number): Checked<number> =>
  isWithin(creditLimit, 0)
    ? Result.succeed(creditLimit)
    : invalid("creditLimit", Problem.of("AMOUNT", { min: 0, max: mostAtOnce }))

/** The environment of the balance, and the actor. */
export interface Account extends Doer {
  readonly environment: string
  readonly kind: EnvironmentKind
  readonly settings: Pick<Settings, "balanceLowAt">
}

const given = (
  balance: Balance,
  { environment, settings: { balanceLowAt } }: Account,
  booking: Pick<Booking, "amount" | "at" | "item" | "kind" | "reference">
): BalanceStore.Change =>
  BalanceStore.change(
    // Resets the warning, so that the next fall warns again.
    { ...balance, isLow: balance.isLow && balanceLowAt !== null && balance.amount + booking.amount < balanceLowAt },
    { booked: [{ environment, spent: null, ...booking }] }
  )

const tooMuch = (balance: Balance) =>
  invalid("amount", Problem.of("BALANCE_TOO_HIGH", { max: mostOnBalance, balance: balance.amount }))

const balanceOf = ({ kind }: Account): AuditTarget => ({ kind: "balance", id: kind })

/** Tops up. */
export const toppedUp = (
  balance: Balance,
  account: Account,
  { amount, reference }: { readonly amount: number; readonly reference: string },
  now: Instant
): Checked<BalanceStore.Change> => {
  if (balance.amount + amount > mostOnBalance) return tooMuch(balance)
  const deed = { action: "money.topped_up", target: balanceOf(account), to: { amount, reference } }
  const booking = { kind: "TOP_UP", amount, reference, item: null, at: now } as const
  return Result.succeed({ ...given(balance, account, booking), audited: [auditEntry(account, deed, now)] })
}

export const correctionDone = "money.corrected"

/**
 * Corrects the balance. A correction takes no more than sends could, because a balance below its credit would be a debt
 * that the operator never granted.
 */
export const corrected = (
  balance: Balance,
  account: Account,
  { amount, id, reason }: CorrectionRequest & { readonly id: string },
  now: Instant
): Checked<BalanceStore.Change> => {
  const { amount: before, creditLimit } = balance
  if (before + amount > mostOnBalance) return tooMuch(balance)
  if (amount < 0 && before + creditLimit + amount < 0) {
    return invalid("amount", Problem.of("BALANCE_TOO_LOW", { balance: before, creditLimit }))
  }
  const deed = { action: correctionDone, target: { kind: "correction", id }, to: { amount, reason } }
  const booking = { kind: "CORRECTION", amount, reference: reason, item: id, at: now } as const
  return Result.succeed({ ...given(balance, account, booking), audited: [auditEntry(account, deed, now)] })
}

/**
 * Sets another credit; null when it does not change. A credit below the current debt stops sends, but demands no
 * payment.
 */
export const credited = (
  balance: Balance,
  account: Account,
  creditLimit: number,
  now: Instant
): BalanceStore.Change | null => {
  const deed = {
    action: "credit.changed",
    target: balanceOf(account),
    from: { creditLimit: balance.creditLimit },
    to: { creditLimit }
  }
  const audited = auditChange(account, deed, now)
  return audited.length === 0 ? null : BalanceStore.change({ ...balance, creditLimit }, { audited })
}
