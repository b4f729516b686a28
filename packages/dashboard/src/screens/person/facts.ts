import type { Answer } from "../../api/Api.ts"

export type Person = Answer<"GET /v1/dashboard/people/:person">

/** A reason why the user gets no codes or no links, and until when. */
export interface Lock {
  readonly of: "SERVER" | "SDK" | "LINKS"
  readonly until: string
  readonly wrongCodes: number
}

/** All reasons that apply now. An unlock ends all of them. */
export const locksOf = ({
  linksPausedUntil,
  locks
}: Pick<Person, "linksPausedUntil" | "locks">): ReadonlyArray<Lock> => [
  ...locks.flatMap(({ lockedUntil, path, wrongCodes }) =>
    lockedUntil === null ? [] : [{ of: path, until: lockedUntil, wrongCodes }]
  ),
  ...(linksPausedUntil === null ? [] : [{ of: "LINKS" as const, until: linksPausedUntil, wrongCodes: 0 }])
]

/** What the user is locked out of: everything, links alone, or nothing. */
export const lockedOutOf = (locks: ReadonlyArray<Pick<Lock, "of">>): "CODES" | "LINKS" | null =>
  locks.length === 0 ? null : locks.some((lock) => lock.of !== "LINKS") ? "CODES" : "LINKS"

/** Whether only counts of wrong codes are left, as after an erasure. */
export const isNothingStored = (
  { devices, lead, optOut }: Pick<Person, "devices" | "lead" | "optOut">,
  ...lists: ReadonlyArray<{ readonly length: number } | null>
): boolean =>
  devices.length === 0 && lead === null && optOut === null && lists.every((list) => list !== null && list.length === 0)

/** How the identity can be shown: by a verification, by the conversation, or not at all. */
export const shownBy = (
  requestId: string | undefined,
  { lead }: Pick<Person, "lead">
): { readonly requestId: string } | { readonly leadId: number } | null =>
  requestId !== undefined ? { requestId } : lead !== null ? { leadId: lead.id } : null
