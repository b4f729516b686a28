/** What a template's text may ask for. */
export const placeholders = ["code", "link", "minutes", "brand", "appHash", "domain"] as const
export type Placeholder = (typeof placeholders)[number]

/** The values of one message. Those that a merchant has not set are empty. */
export type Values = { readonly [name in Placeholder]: string }

const pattern = /\{\{\s*([^{}]*?)\s*\}\}/g

const isPlaceholder = (name: string): name is Placeholder => (placeholders as ReadonlyArray<string>).includes(name)

/** The names between double braces in a text, in order of appearance. */
export const namesIn = (text: string): ReadonlyArray<string> => Array.from(text.matchAll(pattern), ([, name]) => name!)

export const unknownIn = (text: string): ReadonlyArray<string> => namesIn(text).filter((name) => !isPlaceholder(name))

/** The text with its placeholders filled in. What is filled in is never looked at again. */
export const fill = (text: string, values: Values, escape: (value: string) => string = (value) => value): string =>
  text.replace(pattern, (whole, name: string) => (isPlaceholder(name) ? escape(values[name]) : whole))
