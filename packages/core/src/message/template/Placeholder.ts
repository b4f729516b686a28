/** The placeholders that a template's text may use. */
export const placeholders = ["code", "link", "minutes", "brand", "appHash", "domain"] as const
export type Placeholder = (typeof placeholders)[number]

/** The values of a message. Unset values are empty. */
export type Values = { readonly [name in Placeholder]: string }

/** Scans each character once, for any input. The names are trimmed afterwards. */
const pattern = /\{\{([^{}]*)\}\}/g

const isPlaceholder = (name: string): name is Placeholder => (placeholders as ReadonlyArray<string>).includes(name)

/** Returns the names between double braces in a text, in order of appearance. */
export const namesIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(pattern), ([, name]) => name!.trim())

/** Returns the texts between double braces that are not a placeholder's name. */
export const unknownIn = (text: string): ReadonlyArray<string> => namesIn(text).filter((name) => !isPlaceholder(name))

/** Fills in a text's placeholders. Values are never scanned for placeholders. */
export const fill = (
  text: string,
  values: { readonly [name: string]: string },
  escape: (value: string) => string = (value) => value
): string =>
  text.replace(pattern, (whole, given: string) => {
    const name = given.trim()
    return Object.hasOwn(values, name) ? escape(values[name]!) : whole
  })

/** The names that a campaign's own columns may have. */
const isColumn = (name: string) => /^[A-Za-z0-9_]{1,64}$/.test(name)

/** Like `unknownIn`, for a text filled from a campaign's columns. */
export const notColumnsIn = (text: string): ReadonlyArray<string> => namesIn(text).filter((name) => !isColumn(name))

/** Whether a text has unmatched braces, usually a typing error. */
export const hasStrayBraces = (text: string): boolean => /\{\{|\}\}/.test(text.replace(pattern, ""))
