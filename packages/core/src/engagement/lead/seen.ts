import { maskContact, maskText } from "../../foundation/identity/maskText.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { seesIdentities } from "../../account/merchant/seesIdentities.ts"
import type { LeadView, MessageView } from "./LeadView.ts"

const masked = (text: string | null): string | null => (text === null ? null : maskText(text))

/** Masks a lead as the caller's role requires: only roles that work in conversations see personal data. */
export const seenLead = (caller: Pick<Caller, "person">, view: LeadView): LeadView =>
  seesIdentities(caller, "CONVERSATIONS")
    ? view
    : {
        ...view,
        lead: {
          ...view.lead,
          contact: maskContact(view.lead.contact),
          phone: null,
          userId: null,
          name: masked(view.lead.name)
        }
      }

const longestPreview = 160

/** The line of a message that a list shows. It is cut after masking, because a cut number would not be masked. */
export const seenPreview = (caller: Pick<Caller, "person">, view: MessageView) => {
  const { at, deleted, direction, sentBy, status, text, type } = seenMessage(caller, view)
  const line = text
    ?.slice(0, longestPreview * 4)
    .replaceAll(/\s+/g, " ")
    .trim()
    .slice(0, longestPreview)
    .toWellFormed()
  return { direction, type, text: line ?? null, status, sentBy, at, deleted }
}

/** Masks a message as the caller's role requires. Locations and contact cards cannot be masked, so they are removed. */
export const seenMessage = (caller: Pick<Caller, "person">, view: MessageView): MessageView =>
  seesIdentities(caller, "CONVERSATIONS")
    ? view
    : {
        ...view,
        text: masked(view.text),
        payload: masked(view.payload),
        media: view.media === null ? null : { ...view.media, fileName: masked(view.media.fileName) },
        template: view.template === null ? null : { ...view.template, values: view.template.values.map(maskText) },
        error: masked(view.error),
        location: null,
        details: null
      }
