import type { Event } from "../../foundation/event/Event.ts"
import { maskedEvent } from "../../foundation/event/maskedEvent.ts"
import { maskMessageName, maskText } from "../../foundation/identity/maskText.ts"
import type { Caller } from "./Caller.ts"
import { atLeast } from "./Role.ts"

/** Where identities are: in conversations, which people work in, or in records of what happened. */
export type Holding = "CONVERSATIONS" | "RECORDS"

/**
 * Whether a caller is shown whole identities, and not their masks. Keys are, and so is the merchant's own process.
 * Somebody who is signed in sees whom they talk to, if they work in conversations; of records they see masks, and unmask
 * one where they must.
 */
export const seesIdentities = ({ person }: Pick<Caller, "person">, holding: Holding): boolean =>
  person === null || (holding === "CONVERSATIONS" && atLeast(person.role, "AGENT"))

/** An event as the caller may see it. */
export const seenEvent = (caller: Caller, event: Event): Event =>
  seesIdentities(caller, "RECORDS") ? event : maskedEvent(event, caller.settings.defaultCountry)

/** A text out of a record, such as what an endpoint answered, as the caller may see it. */
export const seenText = (caller: Caller, text: string): string =>
  seesIdentities(caller, "RECORDS") ? text : maskText(text)

/** A provider's name of a message, in a record, as the caller may see it. */
export const seenMessageName = <N extends string | null>(caller: Caller, name: N): N | string =>
  name === null || seesIdentities(caller, "RECORDS") ? name : maskMessageName(name)
