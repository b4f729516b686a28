import type { Item } from "../../api/Api.ts"

export type Template = Item<"GET /v1/dashboard/templates">

/** Those that a reply can be: the merchant's own, of WhatsApp, approved there. */
export const sendable = (templates: ReadonlyArray<Template>): ReadonlyArray<Template> =>
  templates.filter(
    ({ channel, purpose, status, whatsappName }) =>
      channel === "WHATSAPP" &&
      purpose === "MESSAGE" &&
      whatsappName !== null &&
      (status === null || status === "APPROVED")
  )

/** As a reply names it. */
export const nameOf = ({ whatsappLanguage, whatsappName }: Template): string =>
  `${whatsappName}/${whatsappLanguage ?? "en"}`

const place = /\{\{\s*(\w+)\s*\}\}/g

/** The names of a text's places, each once, in the order in which they come. */
export const placesOf = (body: string | null): ReadonlyArray<string> => [
  ...new Set([...(body ?? "").matchAll(place)].map(([, name = ""]) => name))
]

export type ByName = { readonly [name: string]: string }

/** What fills the places one by one: WhatsApp counts a name that comes twice as two. */
export const valuesFor = (body: string | null, byName: ByName): ReadonlyArray<string> =>
  [...(body ?? "").matchAll(place)].map(([, name = ""]) => (byName[name] ?? "").trim())

/** The text as the customer will read it; what is not filled yet keeps its name. */
export const filled = (body: string, byName: ByName): string =>
  body.replace(place, (whole, name: string) => byName[name]?.trim() || whole)
