import { me } from "../../session/session.ts"
import { say } from "./words.ts"

/** Display name of an actor: you, an agent's address, an API key or the service. */
export const who = (name: string | null): string => {
  if (name === null) return say.service
  if (name === me.value?.agent.email) return say.you
  return name.includes("@") ? name.slice(0, name.indexOf("@")) : say.aKey
}

/** At most two initials of an agent's address: "AR" for asha.rao@shop.example. */
export const initialsOf = (email: string): string => {
  const parts = email
    .slice(0, email.includes("@") ? email.indexOf("@") : undefined)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== "")
  const letters = parts.slice(0, 2).map((part) => /^./u.exec(part)?.[0] ?? "")
  return letters.join("").toUpperCase()
}

/** Display name of a lead: its name, or its possibly masked number. */
export const called = ({ contact, name }: { readonly contact: string; readonly name: string | null }): string =>
  name !== null && name.trim() !== "" ? name : numberOf(contact)

/** The number with a plus. A customer who hides the number has a WhatsApp id instead. */
export const numberOf = (contact: string): string => (/^\d/.test(contact) ? `+${contact}` : contact)
