import { Redacted } from "effect"

/** Parses a whole number of at most seven digits. */
export const wholeNumber = (least: number, most: number) => (text: string) => {
  const value = /^[0-9]{1,7}$/.test(text) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : undefined
}

export const urlOf =
  (...protocols: ReadonlyArray<string>) =>
  (text: string) =>
    URL.canParse(text) && protocols.includes(new URL(text).protocol) ? text : undefined

/** Parses a secret of at least `length` characters. */
export const longEnough = (length: number) => (text: string) =>
  text.length >= length ? Redacted.make(text) : undefined

/** Parses one of two words as a boolean. */
export const either = (yes: string, no: string) => (text: string) =>
  text === yes ? true : text === no ? false : undefined
