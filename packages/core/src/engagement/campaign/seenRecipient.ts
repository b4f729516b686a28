import { mask } from "../../foundation/identity/Identity.ts"
import { maskMessageName, maskText } from "../../foundation/identity/maskText.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { seesIdentities } from "../../account/merchant/sight.ts"
import type { Recipient } from "./Recipient.ts"

/** A recipient as the caller may see it: whom one talks to is seen by those who work in conversations, as in the inbox. */
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
