import type { OptOut } from "./OptOutStore.ts"

/** An opt-out or opt-in of a phone number. */
export type Said = Pick<OptOut, "at" | "by" | "isOut" | "phone">

/** Whether `said` replaces `before`: it is later, or it has the same time and is the opt-out. */
export const holdsAfter = (stored: Pick<OptOut, "at" | "isOut">, change: Pick<OptOut, "at" | "isOut">): boolean =>
  change.at > stored.at || (change.at === stored.at && change.isOut && !stored.isOut)

/** The state that counts among all stored states of one person; null when there are none. */
export const lastOf = (storedStates: ReadonlyArray<OptOut>): OptOut | null =>
  storedStates.reduce<OptOut | null>(
    (last, candidate) => (last === null || holdsAfter(last, candidate) ? candidate : last),
    null
  )

/**
 * Whether to store an opt-out or opt-in. An opt-in without an earlier opt-out is not stored. A repeated one is stored
 * again with its later time, because an earlier message with the opposite wish may still arrive.
 */
export const isNews = (storedStates: ReadonlyArray<OptOut>, change: Said): boolean => {
  const last = lastOf(storedStates)
  return last === null ? change.isOut : holdsAfter(last, change)
}

const rewriteRules: ReadonlyArray<readonly [RegExp, string]> = [
  [/^\+521(\d{10})$/, "+52$1"],
  [/^\+55(\d\d)([6-9]\d{7})$/, "+55$19$2"],
  [/^\+54(\d{10})$/, "+549$1"]
]

/**
 * Unifies the two forms of some numbers in WhatsApp and in the numbering plan: Mexico without the abolished 1, Brazil
 * with the ninth digit, Argentina with the mobile 9.
 */
export const onePhone = (phone: string): string =>
  rewriteRules.reduce((text, [pattern, form]) => text.replace(pattern, form), phone)
