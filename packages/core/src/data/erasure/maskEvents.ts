import type { Event } from "../../foundation/event/Event.ts"
import * as Identifier from "../../foundation/identity/Identifier.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import { isSpellingOf, type PersonQuery } from "./PersonQuery.ts"

/** The placeholder names of erased customers. */
const maskedContact = (contact: string): string => (/^[0-9]+$/.test(contact) ? Identity.mask("MOBILE", contact) : "***")

/** Whether an event is about the person, within the given time. */
export const concerns = (event: Event, person: PersonQuery, isMeant: (at: Instant) => boolean): boolean => {
  switch (event.type) {
    case "otp.initiated":
    case "otp.verified":
    case "otp.expired":
    case "delivery.failed":
    case "delivery.updated":
      return (
        event.data.identityType === person.type &&
        isMeant(Identifier.timeOf(event.data.requestId)) &&
        isSpellingOf(person, event.data.identity)
      )
    case "message.received":
      return (
        person.type === "MOBILE" &&
        isMeant(event.createdAt) &&
        (person.leads.includes(event.data.leadId) ||
          event.data.contact === person.canonical ||
          person.contacts.includes(event.data.contact))
      )
    default:
      return false
  }
}

/**
 * The reduced event: its id, its type, its time, and fields that do not identify the person. WhatsApp's message ids
 * contain the number, so a replacement stands for them.
 */
export const maskEvent = (event: Event, { canonical, type }: Pick<PersonQuery, "canonical" | "type">): Event => {
  switch (event.type) {
    case "otp.initiated":
    case "otp.verified":
    case "otp.expired":
    case "delivery.failed":
      return {
        ...event,
        data: { ...event.data, identity: Identity.mask(type, canonical), orderId: null }
      } as Event
    case "delivery.updated":
      return { ...event, data: { ...event.data, identity: Identity.mask(type, canonical) } }
    case "message.received":
      return {
        ...event,
        data: {
          ...event.data,
          contact: maskedContact(event.data.contact),
          name: null,
          text: null,
          messageId: event.id
        }
      }
    default:
      return event
  }
}
