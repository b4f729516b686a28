import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import { fill } from "./Placeholder.ts"
import type { TemplatePurpose } from "./StoredTemplate.ts"

/** The text of a message: for one channel, in one language, in one version. */
export interface Template {
  readonly name: string
  /**
   * Its purpose. The text must have the placeholder of its purpose, `{{code}}` or `{{link}}`, and not the other one.
   */
  readonly purpose: TemplatePurpose
  readonly channel: ChannelName
  readonly locale: string
  readonly version: number
  /** E-mail only. */
  readonly subject: string | null
  readonly body: string
  /** E-mail only: the body in HTML. */
  readonly html: string | null
}

/** A rendered template. It contains the code, so it exists only during the send. */
export interface Rendered {
  readonly subject: string
  readonly text: string
  readonly html: string | null
}

const entities: { readonly [character: string]: string } = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escapeHtml = (value: string) => value.replace(/[&<>"']/g, (character) => entities[character]!)

/** Replaces line breaks, because a mail header is a single line. */
const oneLine = (value: string) => value.replace(/[\p{Cc}\u2028\u2029]+/gu, " ")

/** Renders a template. Escapes values in HTML, and removes trailing empty lines from the text. */
export const render = (template: Template, values: { readonly [name: string]: string }): Rendered => ({
  subject: template.subject === null ? "" : oneLine(fill(template.subject, values)),
  text: fill(template.body, values).trimEnd(),
  html: template.html === null ? null : fill(template.html, values, escapeHtml)
})
