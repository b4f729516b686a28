import { carrierOf, type CarrierRule, type LineInfo } from "@countersign/core/channel"
import { lookupsRange } from "@countersign/core"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"
import { parseTable, tableShape } from "./carriers.ts"

/** Which provider tells facts about which numbers, and how many numbers the guard may look up. */
export interface LinesConfiguration {
  readonly table: ReadonlyArray<CarrierRule<string>> | undefined
  readonly lookupsPerHour: number | undefined
}

export const none: LinesConfiguration = { table: undefined, lookupsPerHour: undefined }

const table = "LINE_INFO"
const perHour = "LINE_INFO_LOOKUPS_PER_HOUR"

export const group: VariableGroup = {
  id: "line-info",
  title: "Facts about lines",
  prefix: "LINE_INFO",
  variables: [
    {
      name: table,
      about:
        "which providers tell facts about a number's line, by the first digits of the number; `*` means every other number",
      example: "91: camara, twilio; *: twilio",
      default: "the only configured provider",
      more: "See [facts about lines](line-facts.md)"
    },
    {
      name: perHour,
      about: `how many numbers of a merchant's environment the guard looks up per hour, in each process: ${lookupsRange.least} to ${lookupsRange.most}`,
      default: "`1000`",
      example: "5000"
    }
  ]
}

/** A list in a variable. Undefined when the variable is not set. */
export const listIn = (text: string | undefined): ReadonlyArray<string> | undefined =>
  text?.split(",").map((entry) => entry.trim())

export const read = (reader: VariableReader): LinesConfiguration => ({
  table: reader.read(table, parseTable, tableShape),
  lookupsPerHour: reader.read(
    perHour,
    (text) => {
      const count = Number(text)
      return /^\d{1,7}$/.test(text) && count >= lookupsRange.least && count <= lookupsRange.most ? count : undefined
    },
    `must be a whole number from ${lookupsRange.least} to ${lookupsRange.most}`
  )
})

/** Problems between the configured providers and the table. */
export const problemsOf = (
  providers: ReadonlyArray<LineInfo>,
  { table: rules }: LinesConfiguration
): ReadonlyArray<string> => {
  const configured = providers.map(carrierOf)
  if (rules === undefined) {
    return configured.length > 1
      ? [
          `${table}: is required, because several providers of line facts are configured; for example \`*: ${configured.join(", ")}\``
        ]
      : []
  }
  const unknown = new Set(rules.flatMap(({ carriers }) => carriers).filter((name) => !configured.includes(name)))
  const alternatives =
    configured.length === 0
      ? "no provider of line facts is configured: set CAMARA_API_URL or TWILIO_LOOKUP_FACTS"
      : `configured: ${configured.join(", ")}`
  return Array.from(unknown, (name) => `${table}: names ${name}, which is not configured; ${alternatives}`)
}
