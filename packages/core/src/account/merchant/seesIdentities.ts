import type { Event } from "../../foundation/event/Event.ts"
import { maskedEvent } from "../../foundation/event/maskedEvent.ts"
import { maskMessageName, maskText } from "../../foundation/identity/maskText.ts"
import type { Caller } from "./Caller.ts"
import { atLeast } from "./Role.ts"

/** Where identities appear: in conversations, which agents work in, or in records of past events. */
export type Holding = "CONVERSATIONS" | "RECORDS"

/**
 * Whether a caller sees whole identities instead of masks. Keys and the merchant's own process do. Signed-in agents do
 * in conversations. In records they see masks, and unmask a single identity when needed.
 */
export const seesIdentities = ({ person }: Pick<Caller, "person">, holding: Holding): boolean =>
  person === null || (holding === "CONVERSATIONS" && atLeast(person.role, "AGENT"))

/** Whether a caller may show the whole identities of records, which lists mask. */
export const mayUnmask = ({ person }: Pick<Caller, "person">): boolean =>
  person === null || atLeast(person.role, "ADMIN")

/** An event as the caller may see it. */
export const seenEvent = (caller: Caller, event: Event): Event =>
  seesIdentities(caller, "RECORDS") ? event : maskedEvent(event, caller.settings.defaultCountry)

/** A recorded text as the caller may see it, such as an endpoint's response. */
export const seenText = (caller: Caller, text: string): string =>
  seesIdentities(caller, "RECORDS") ? text : maskText(text)

/** A provider's message id in a record, as the caller may see it. */
export const seenMessageName = <N extends string | null>(caller: Caller, name: N): N | string =>
  name === null || seesIdentities(caller, "RECORDS") ? name : maskMessageName(name)
