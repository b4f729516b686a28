/** Every currency of ISO 4217 that the platform knows. */
const currencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf("currency"))

/** Whether a text names a currency of ISO 4217, in upper case. */
export const isCurrency = (text: string): boolean => currencies.has(text)
