import type { Item } from "../../api/Api.ts"
import { say } from "./words.ts"

export type Template = Item<"GET /v1/dashboard/templates">

/** The merchant's own settings fill these; a list needs no column for them. */
const ofSettings = new Set(["brand", "domain", "appHash"])

/** The columns that a list needs beside `phone`, in the order of the text. */
export const columnsOf = (body: string | null): ReadonlyArray<string> => [
  ...new Set(
    [...(body ?? "").matchAll(/\{\{\s*(\w+)\s*\}\}/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !ofSettings.has(name))
  )
]

/** Those that a campaign over this channel can have. */
export const usable = (templates: ReadonlyArray<Template>, channel: string): ReadonlyArray<Template> =>
  templates.filter((template) => template.channel === channel && template.purpose === "MESSAGE")

/** How a template is called where one is chosen. */
export const labelOf = ({ locale, name, status }: Template): string =>
  [name, locale, status === null || status === "APPROVED" ? null : say.notApproved]
    .filter((part) => part !== null)
    .join(", ")

/** A list that would fit, to begin with. */
export const exampleOf = (columns: ReadonlyArray<string>): string =>
  `${["phone", ...columns].join(",")}\n${["+919876543210", ...columns.map((column) => (column.includes("name") ? "Asha" : "1042"))].join(",")}\n`
