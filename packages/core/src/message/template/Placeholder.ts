/** What a template's text may ask for. */
export const placeholders = ["code", "link", "minutes", "brand", "appHash", "domain"] as const
export type Placeholder = (typeof placeholders)[number]

/** The values of one message. Those that a merchant has not set are empty. */
export type Values = { readonly [name in Placeholder]: string }

/** It looks at no character twice, whatever a merchant writes: names are trimmed afterwards. */
const pattern = /\{\{([^{}]*)\}\}/g

const isPlaceholder = (name: string): name is Placeholder => (placeholders as ReadonlyArray<string>).includes(name)

/** The names between double braces in a text, in order of appearance. */
export const namesIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(pattern), ([, name]) => name!.trim())

/** What stands between double braces in a text and is no name of a placeholder. */
export const unknownIn = (text: string): ReadonlyArray<string> => namesIn(text).filter((name) => !isPlaceholder(name))

/** The text with its placeholders filled in. What is filled in is never looked at again. */
export const fill = (
  text: string,
  values: { readonly [name: string]: string },
  escape: (value: string) => string = (value) => value
): string =>
  text.replace(pattern, (whole, given: string) => {
    const name = given.trim()
    return Object.hasOwn(values, name) ? escape(values[name]!) : whole
  })

/** A campaign's own columns have any such name. */
const isColumn = (name: string) => /^[A-Za-z0-9_]{1,64}$/.test(name)

/** The same for a text that is filled from a campaign's columns. */
export const notColumnsIn = (text: string): ReadonlyArray<string> => namesIn(text).filter((name) => !isColumn(name))

/** Whether a text has braces that belong to no placeholder: somebody forgot one. */
export const hasStrayBraces = (text: string): boolean => /\{\{|\}\}/.test(text.replace(pattern, ""))
