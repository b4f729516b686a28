/** Name and language together identify a template: `en` and `en_US` are different templates. */
export interface TemplateName {
  readonly name: string
  readonly language: string
}

const defaultLanguage = "en"

export const isTemplateName = ({ language, name }: TemplateName): boolean =>
  /^[a-z0-9_]{1,512}$/.test(name) && /^[a-z]{2,3}(_[A-Za-z]{2,4})?$/.test(language)

/**
 * Parses `name` or `name/language`. The language defaults to `en`. Null when the text is invalid.
 *
 * @example
 * ```ts
 * import { WhatsApp } from "@countersign/whatsapp"
 *
 * WhatsApp.parseTemplate("login_code/en_US") // { name: "login_code", language: "en_US" }
 * ```
 */
export const parseTemplate = (text: string): TemplateName | null => {
  const [name = "", language = defaultLanguage, ...rest] = text.trim().split("/")
  const template = { name, language }
  return rest.length === 0 && isTemplateName(template) ? template : null
}
