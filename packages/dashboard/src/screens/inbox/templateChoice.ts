import type { Item } from "../../api/Api.ts"

export type Template = Item<"GET /v1/dashboard/templates">

/** Templates that a reply can use: own message templates that WhatsApp approved. */
export const sendable = (templates: ReadonlyArray<Template>): ReadonlyArray<Template> =>
  templates.filter(
    ({ channel, purpose, status, whatsappName }) =>
      channel === "WHATSAPP" &&
      purpose === "MESSAGE" &&
      whatsappName !== null &&
      (status === null || status === "APPROVED")
  )

/** The template's reference in a reply. */
export const nameOf = ({ whatsappLanguage, whatsappName }: Template): string =>
  `${whatsappName}/${whatsappLanguage ?? "en"}`

const place = /\{\{\s*(\w+)\s*\}\}/g

/** The distinct variables of a text, in order of appearance. */
export const placesOf = (body: string | null): ReadonlyArray<string> => [
  ...new Set([...(body ?? "").matchAll(place)].map(([, name = ""]) => name))
]

export type ByName = { readonly [name: string]: string }

/** Values in order. WhatsApp counts a repeated variable as two. */
export const valuesFor = (body: string | null, byName: ByName): ReadonlyArray<string> =>
  [...(body ?? "").matchAll(place)].map(([, name = ""]) => (byName[name] ?? "").trim())

/** The text with the filled values. Empty variables keep their name. */
export const filled = (body: string, byName: ByName): string =>
  body.replace(place, (whole, name: string) => byName[name]?.trim() || whole)
