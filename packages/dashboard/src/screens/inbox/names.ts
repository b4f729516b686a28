import { me } from "../../session/session.ts"
import { displayNames } from "./useDisplayNames.ts"
import { say } from "./words.ts"

/** The name of a team member: the one they chose, or the beginning of their address. */
export const nameOf = (email: string): string => displayNames.value.get(email) ?? email.slice(0, email.indexOf("@"))

/** Display name of an actor: you, a team member, an API key or the service. */
export const who = (name: string | null): string => {
  if (name === null) return say.service
  if (name === me.value?.agent.email) return say.you
  return name.includes("@") ? nameOf(name) : say.aKey
}

const letter = /[\p{L}\p{N}]\p{M}*/u

/** The first letters of the first and the last word of a name. */
export const initialsOf = (name: string): string => {
  const letters = name.split(/[\s._-]+/).flatMap((word) => letter.exec(word)?.[0] ?? [])
  return `${letters[0] ?? "?"}${letters.length > 1 ? letters.at(-1) : ""}`.toUpperCase()
}

/** Display name of a lead: its name, or its possibly masked number. */
export const called = ({ contact, name }: { readonly contact: string; readonly name: string | null }): string =>
  name !== null && name.trim() !== "" ? name : numberOf(contact)

/** The number with a plus. A customer who hides the number has a WhatsApp id instead. */
export const numberOf = (contact: string): string => (/^\d/.test(contact) ? `+${contact}` : contact)
