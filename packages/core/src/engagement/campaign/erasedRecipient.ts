import { mask } from "../../foundation/identity/Identity.ts"
import type { Recipient } from "./Recipient.ts"
import { givenUp } from "./resolve.ts"

/** The provider code of a recipient whose person was erased before a message was sent. */
const erased = "erased"

/** Whether the recipient's person was erased. */
export const isErased = ({ phone }: Pick<Recipient, "phone">): boolean => phone.includes("*")

/**
 * Removes the person from a recipient and keeps the outcome for the campaign's counts. Removes the provider's message
 * id too, because WhatsApp puts the phone number into it. A recipient not sent to yet becomes `SKIPPED`.
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
