import { mask } from "../../foundation/identity/Identity.ts"
import { maskMessageName, maskText } from "../../foundation/identity/maskText.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { seesIdentities } from "../../account/merchant/seesIdentities.ts"
import type { Recipient } from "./Recipient.ts"

/**
 * Masks a recipient as the caller's role requires: as in the inbox, only roles that work in conversations see the phone
 * number.
 */
export const seenRecipient = (caller: Caller, recipient: Recipient): Recipient =>
  seesIdentities(caller, "CONVERSATIONS")
    ? recipient
    : {
        ...recipient,
        phone: mask("MOBILE", recipient.phone.slice(1)),
        values: recipient.values.map(maskText),
        providerId: recipient.providerId === null ? null : maskMessageName(recipient.providerId),
        providerCode: recipient.providerCode === null ? null : maskText(recipient.providerCode)
      }
