import { failures, filtersOf, verificationStatuses } from "../../address/filters.ts"
import type { Filters } from "../../address/filtersIn.ts"
import { failureReasons } from "../../words/failureReasons.ts"
import { type GuardReason, guardReasons } from "../../words/guardReasonNames.ts"

export const statuses = verificationStatuses

export { failureReasons, failures, guardReasons }

/** The outcomes of each failure, as the service names them. */
const outcomes: { readonly [F in (typeof failures)[number]]: string } = {
  notSent: "NOT_SENT",
  notDelivered: "NOT_DELIVERED",
  unused: "DELIVERED_UNUSED,SENT_UNUSED,NO_RECEIPT",
  noAttempts: "NO_ATTEMPTS_LEFT",
  wrongNumber: "WRONG_NUMBER",
  notConfirmed: "NOT_CONFIRMED"
}

/** Whether a reason can narrow the list: the other failures have none. */
export const hasReason = ({ failure, reason }: Wanted): boolean =>
  reason !== undefined || failure === "notSent" || failure === "notDelivered"

export const filters = filtersOf.verifications
export type Wanted = Filters<typeof filters>

/** The text in the search field. */
export type Meant =
  | { readonly kind: "request"; readonly requestId: string }
  | { readonly kind: "identity"; readonly identity: string }
  | { readonly kind: "order"; readonly orderId: string }
  /** A tag of the backend: `tag:plan:pro` */
  | { readonly kind: "tag"; readonly tag: string }
  /** A reason of the guard: `guard:country_unverified` */
  | { readonly kind: "guard"; readonly guard: GuardReason }

/** A phone number as users write it: at least ten digits, or fewer after a plus. */
const isPhone = (typed: string): boolean => {
  const digits = typed.replace(/\D/g, "").length
  return /^\+?[\d\s().-]+$/.test(typed) && digits <= 15 && digits >= (typed.startsWith("+") ? 6 : 10)
}

/** Whether the service may know the text as an identity. It refuses one that can be neither a number nor an e-mail. */
export const mayBeIdentity = (typed: string): boolean => {
  const digits = typed.replace(/\D/g, "").length
  return typed.includes("@") || (/^\+?[\d\s().-]+$/.test(typed.trim()) && digits >= 6 && digits <= 15)
}

/** What the search means: a request id, an identity, or an order id. `as` settles ambiguous input. */
export const meantBy = (typed: string, as?: "identity" | "order"): Meant => {
  const found = typed.trim()
  if (as === "order") return { kind: "order", orderId: found }
  if (as === "identity") return { kind: "identity", identity: found }
  if (/^tag:[^:]+:./.test(found)) return { kind: "tag", tag: found.slice("tag:".length) }
  const guard = guardReasons.find((reason) => found.toLowerCase() === `guard:${reason.toLowerCase()}`)
  if (guard !== undefined) return { kind: "guard", guard }
  if (/^ver_[0-9a-z]{26}$/.test(found)) return { kind: "request", requestId: found }
  return /^[^\s@]+@[^\s@]+$/.test(found) || isPhone(found)
    ? { kind: "identity", identity: found }
    : { kind: "order", orderId: found }
}

/** The query for the service. */
export const queryOf = ({ as, channel, country, failure, find, from, guard, reason, relayed, status, to }: Wanted) => {
  const meant = find === undefined ? null : meantBy(find, as)
  return {
    ...(meant?.kind === "identity" ? { identity: meant.identity } : {}),
    ...(meant?.kind === "order" ? { orderId: meant.orderId } : {}),
    ...(meant?.kind === "tag" ? { tag: meant.tag } : {}),
    // A link to one requestId shows exactly that verification, so other filters are ignored.
    ...(meant?.kind === "request" ? { orderId: meant.requestId } : {}),
    ...(status === undefined ? {} : { status }),
    ...(channel === undefined ? {} : { channel }),
    ...(country === undefined ? {} : { country }),
    ...(failure === undefined ? {} : { outcome: outcomes[failure] }),
    ...(reason === undefined ? {} : { reason }),
    ...(guard === undefined ? {} : { guard }),
    ...(relayed === undefined ? {} : { relayed: relayed === "true" }),
    ...(meant?.kind === "guard" ? { guard: meant.guard } : {}),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to })
  }
}

/** The query for refused requests. */
export const refusalsOf = ({ from, guard, to }: Wanted) => ({
  ...(guard === undefined ? {} : { reason: `guard.${guard}` }),
  ...(from === undefined ? {} : { from }),
  ...(to === undefined ? {} : { to })
})

/** Number of filters that are set. */
export const activeIn = ({ as: _as, ...rest }: Wanted): number => Object.keys(rest).length

/** Whether any filter besides the list is set. */
export const isFiltered = ({ view: _view, as: _as, ...rest }: Wanted): boolean => Object.keys(rest).length > 0
