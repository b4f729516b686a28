import type { OptOut } from "./OptOutStore.ts"

/** Something that was said about campaigns to a number. */
export type Said = Pick<OptOut, "at" | "by" | "isOut" | "phone">

/** Of two things said, whether the second holds after the first: what was said later, at one moment the wish for none. */
export const holdsAfter = (before: Pick<OptOut, "at" | "isOut">, said: Pick<OptOut, "at" | "isOut">): boolean =>
  said.at > before.at || (said.at === before.at && said.isOut && !before.isOut)

/** What holds of all that is known of one person; null of nothing. */
export const lastOf = (known: ReadonlyArray<OptOut>): OptOut | null =>
  known.reduce<OptOut | null>((last, one) => (last === null || holdsAfter(last, one) ? one : last), null)

/**
 * Whether something said is to be put down. Who never wanted none has nothing to take back. What was said before is put
 * down again when it is said later: an earlier message of the contrary may still be on its way.
 */
export const isNews = (known: ReadonlyArray<OptOut>, said: Said): boolean => {
  const last = lastOf(known)
  return last === null ? said.isOut : holdsAfter(last, said)
}

const rewritten: ReadonlyArray<readonly [RegExp, string]> = [
  [/^\+521(\d{10})$/, "+52$1"],
  [/^\+55(\d\d)([6-9]\d{7})$/, "+55$19$2"],
  [/^\+54(\d{10})$/, "+549$1"]
]

/**
 * One form of the numbers under which WhatsApp and the numbering plan know the same phone: Mexico's without the 1 that
 * was given up, Brazil's with the ninth digit, Argentina's with the 9 of mobiles.
 */
export const onePhone = (phone: string): string =>
  rewritten.reduce((text, [pattern, form]) => text.replace(pattern, form), phone)
