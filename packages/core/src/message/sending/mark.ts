import type { Instant } from "../../foundation/time/Instant.ts"
import type { Delivery } from "../../foundation/delivery/Delivery.ts"

/** A message as it is stored before its provider gets it: see `SendPolicy.isMarked`. */
export const marked = <D extends Delivery>(delivery: D, now: Instant): D => ({
  ...delivery,
  handedAt: now,
  ...(delivery.tries === undefined ? {} : { tries: delivery.tries + 1 }),
  providerCode: null
})

/**
 * A message whose provider does not have it, to be sent again; null where it moved on, or where it has another mark than
 * the one that was made for this send. `wasAsked`: its provider got the request.
 */
export const unmarked = <D extends Delivery>(stored: D, mark: Delivery, wasAsked: boolean): D | null => {
  if (stored.status !== "PENDING" || stored.handedAt !== mark.handedAt || stored.tries !== mark.tries) return null
  const { tries } = stored
  return { ...stored, handedAt: null, ...(tries === undefined ? {} : { tries: wasAsked ? tries : tries - 1 }) }
}
