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
 * Removes the mark of a message that its provider does not have, so that it is sent again. Null when the message has
 * moved on or has another send's mark. `wasAsked`: the provider got the request.
 */
export const unmarked = <D extends Delivery>(stored: D, mark: Delivery, wasAsked: boolean): D | null => {
  if (stored.status !== "PENDING" || stored.handedAt !== mark.handedAt || stored.tries !== mark.tries) return null
  const { tries } = stored
  return { ...stored, handedAt: null, ...(tries === undefined ? {} : { tries: wasAsked ? tries : tries - 1 }) }
}
