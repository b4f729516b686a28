import { Result } from "effect"
import { type IdentityType, mask, parse } from "./Identity.ts"

/** Digits in a row, enough for a phone number. */
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

/** Masks phone numbers and e-mail addresses inside a text. */
export const maskText = (text: string): string => text.replace(address, maskAddress).replace(number, maskNumber)

/** Masks an identity in the merchant's spelling. All spellings of one identity have the same mask. */
export const maskSpelling = (type: IdentityType, spelling: string, defaultCountry: string | null): string =>
  Result.match(parse(type, spelling, defaultCountry), {
    onSuccess: ({ canonical }) => mask(type, canonical),
    onFailure: () => (type === "EMAIL" ? mask(type, spelling) : mask(type, spelling.replace(/[^0-9]/g, "")))
  })

/** Masks an inbox contact: a number without `+`, or the provider's id of a customer who hides the number. */
export const maskContact = (contact: string): string =>
  /^[0-9]+$/.test(contact) ? mask("MOBILE", contact) : `${contact.slice(0, shownAtStart)}***`

const whatsapp = "wamid."
/** How many characters of the random end stay visible. */
const shownOfName = 8

/**
 * Masks a provider's message id. WhatsApp ids contain the recipient's number in base64, so only the end stays visible.
 */
export const maskMessageName = (name: string): string =>
  name.startsWith(whatsapp) ? `${whatsapp}***${name.length > 40 ? name.slice(-shownOfName) : ""}` : name
