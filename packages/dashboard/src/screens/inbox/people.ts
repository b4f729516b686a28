import { me } from "../../session/session.ts"
import { say } from "./words.ts"

/** Who did something, by the name that the service keeps: oneself, somebody else's address, or a key of the server. */
export const who = (name: string | null): string => {
  if (name === null) return say.service
  if (name === me.value?.agent.email) return say.you
  return name.includes("@") ? name.slice(0, name.indexOf("@")) : say.aKey
}

/** Whom a lead is with, as a list calls them: by their name, or by their number as far as it is shown. */
export const called = ({ contact, name }: { readonly contact: string; readonly name: string | null }): string =>
  name !== null && name.trim() !== "" ? name : numberOf(contact)

/** The number with its plus; who hides it has an id of WhatsApp's instead. */
export const numberOf = (contact: string): string => (/^\d/.test(contact) ? `+${contact}` : contact)
