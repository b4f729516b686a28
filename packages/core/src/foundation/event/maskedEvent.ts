import { maskContact, maskMessageName, maskSpelling, maskText } from "../identity/maskText.ts"
import type { Event, EventOf, EventType } from "./Event.ts"
import type { EventData } from "./EventData.ts"

type Masks = { readonly [T in EventType]: (data: EventData[T], defaultCountry: string | null) => EventData[T] }

type Verification = Pick<EventData["otp.initiated"], "identity" | "identityType">

const verification = <D extends Verification>(data: D, defaultCountry: string | null): D => ({
  ...data,
  identity: maskSpelling(data.identityType, data.identity, defaultCountry)
})

const nobody = <D>(data: D): D => data

/** How to mask the personal data in each event type. Omitting a type is a compile error. */
const masks: Masks = {
  "otp.initiated": verification,
  "otp.verified": verification,
  "otp.expired": verification,
  "session.created": nobody,
  "delivery.failed": verification,
  "delivery.updated": verification,
  "campaign.delivered": nobody,
  "message.received": (data) => ({
    ...data,
    contact: maskContact(data.contact),
    name: data.name === null ? null : maskText(data.name),
    text: data.text === null ? null : maskText(data.text),
    messageId: maskMessageName(data.messageId)
  }),
  "balance.low": nobody,
  "guard.tripped": nobody,
  "guard.blocked": nobody,
  "webhook.disabled": nobody,
  "webhook.test": nobody
}

/** Masks the personal data of an event. */
export const maskedEvent = <T extends EventType>(event: EventOf<T>, defaultCountry: string | null): Event =>
  ({ ...event, data: masks[event.type](event.data, defaultCountry) }) as Event
