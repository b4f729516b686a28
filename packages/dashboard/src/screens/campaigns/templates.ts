import type { Item } from "../../api/Api.ts"
import { say } from "./words.ts"

export type Template = Item<"GET /v1/dashboard/templates">

/** Filled from the merchant's settings, so the list needs no column for them. */
const ofSettings = new Set(["brand", "domain", "appHash"])

/** Columns that the list needs besides `phone`, in order of the text. */
export const columnsOf = (body: string | null): ReadonlyArray<string> => [
  ...new Set(
    [...(body ?? "").matchAll(/\{\{\s*(\w+)\s*\}\}/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !ofSettings.has(name))
  )
]

/** Templates that campaigns over this channel can use. */
export const usable = (templates: ReadonlyArray<Template>, channel: string): ReadonlyArray<Template> =>
  templates.filter((template) => template.channel === channel && template.purpose === "MESSAGE")

/** Label of a template in the select. */
export const labelOf = ({ locale, name, status }: Template): string =>
  [name, locale, status === null || status === "APPROVED" ? null : say.notApproved]
    .filter((part) => part !== null)
    .join(", ")

/** An example list for this template. */
export const exampleOf = (columns: ReadonlyArray<string>): string =>
  `${["phone", ...columns].join(",")}\n${["+919876543210", ...columns.map((column) => (column.includes("name") ? "Asha" : "1042"))].join(",")}\n`
