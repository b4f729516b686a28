import { Result } from "effect"
import { type IdentityType, mask, parse } from "./Identity.ts"

/** Enough of a number to dial it. */
const number = /\+?\p{Nd}(?:[\s().\-\u2010-\u2015]{0,3}\p{Nd}){6,}/gu
const address = /[^\s@]{1,64}@[^\s@]{1,255}/gu

const shownAtStart = 2
const shownAtEnd = 4

const maskNumber = (text: string): string => {
  const digits = text.replace(/[^\p{Nd}]/gu, "")
  const start = text.startsWith("+") ? "+" : ""
  return `${start}${digits.slice(0, shownAtStart)}${"*".repeat(digits.length - shownAtStart - shownAtEnd)}${digits.slice(-shownAtEnd)}`
}

const maskAddress = (text: string): string =>
  `${String.fromCodePoint(text.codePointAt(0)!)}***${text.slice(text.lastIndexOf("@"))}`

/** What people write, with numbers and e-mail addresses masked where they are written out. */
export const maskText = (text: string): string => text.replace(address, maskAddress).replace(number, maskNumber)

/** An identity as a merchant wrote it, masked: of whichever spelling, the mask is that of the one identity. */
export const maskSpelling = (type: IdentityType, spelling: string, defaultCountry: string | null): string =>
  Result.match(parse(type, spelling, defaultCountry), {
    onSuccess: ({ canonical }) => mask(type, canonical),
    onFailure: () => (type === "EMAIL" ? mask(type, spelling) : mask(type, spelling.replace(/[^0-9]/g, "")))
  })

/** A customer of the inbox, masked: a number without `+`, or the provider's id of one who hides it. */
export const maskContact = (contact: string): string =>
  /^[0-9]+$/.test(contact) ? mask("MOBILE", contact) : `${contact.slice(0, shownAtStart)}***`

const whatsapp = "wamid."
/** Of the random end of such a name. */
const shownOfName = 8

/** A provider's name of a message. WhatsApp's has the number of whom it is for in it, in base64: of that its end is left. */
export const maskMessageName = (name: string): string =>
  name.startsWith(whatsapp) ? `${whatsapp}***${name.length > 40 ? name.slice(-shownOfName) : ""}` : name
