import { mask } from "../../foundation/identity/Identity.ts"
import type { Recipient } from "./Recipient.ts"
import { givenUp } from "./resolve.ts"

/** Of whom nothing is kept but what became of a message. */
const erased = "erased"

/** Whether a recipient names nobody any more. */
export const isErased = ({ phone }: Pick<Recipient, "phone">): boolean => phone.includes("*")

/**
 * A recipient without the person: what is left counts what became of the messages of a campaign. The provider's name for
 * a message goes too, for WhatsApp writes the number into it. Whoever was not written to yet is not written to.
 */
export const erasedRecipient = (recipient: Recipient): Recipient => {
  const nobody: Recipient = {
    ...recipient,
    phone: mask("MOBILE", recipient.phone.slice(1)),
    values: [],
    providerId: null
  }
  if (recipient.status !== "PENDING") return nobody
  return recipient.handedAt === null ? { ...nobody, status: "SKIPPED", providerCode: erased } : givenUp(nobody)
}
