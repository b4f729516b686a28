import { filtersOf, verificationStatuses } from "../../address/filters.ts"
import type { Filters } from "../../address/filtersIn.ts"

export const statuses = verificationStatuses

export const filters = filtersOf.verifications
export type Wanted = Filters<typeof filters>

/** What somebody typed into the one search field. */
export type Meant =
  | { readonly kind: "request"; readonly requestId: string }
  | { readonly kind: "identity"; readonly identity: string }
  | { readonly kind: "order"; readonly orderId: string }

/** A phone number as people write it: ten digits or more, or fewer after a plus. */
const isPhone = (typed: string): boolean => {
  const digits = typed.replace(/\D/g, "").length
  return /^\+?[\d\s().-]+$/.test(typed) && digits <= 15 && digits >= (typed.startsWith("+") ? 6 : 10)
}

/** What is meant: an identifier of ours, a person, or a merchant's own reference. `as` settles what could be two. */
export const meantBy = (typed: string, as?: "identity" | "order"): Meant => {
  const found = typed.trim()
  if (as === "order") return { kind: "order", orderId: found }
  if (as === "identity") return { kind: "identity", identity: found }
  if (/^ver_[0-9a-z]{26}$/.test(found)) return { kind: "request", requestId: found }
  return /^[^\s@]+@[^\s@]+$/.test(found) || isPhone(found)
    ? { kind: "identity", identity: found }
    : { kind: "order", orderId: found }
}

/** What the service is asked for. */
export const queryOf = ({ as, channel, country, find, from, status, to }: Wanted) => {
  const meant = find === undefined ? null : meantBy(find, as)
  return {
    ...(meant?.kind === "identity" ? { identity: meant.identity } : {}),
    ...(meant?.kind === "order" ? { orderId: meant.orderId } : {}),
    // The address of one verification: whoever comes by a link that says so sees it, and nothing else.
    ...(meant?.kind === "request" ? { orderId: meant.requestId } : {}),
    ...(status === undefined ? {} : { status }),
    ...(channel === undefined ? {} : { channel }),
    ...(country === undefined ? {} : { country }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to })
  }
}

/** Whether anything but which list was asked for. */
export const isFiltered = ({ view: _view, as: _as, ...rest }: Wanted): boolean => Object.keys(rest).length > 0
