import {
  carrierOf,
  type CarrierRule,
  type CarrierTables,
  type Channel,
  type ChannelName,
  isKnownChannel,
  knownChannels
} from "@countersign/core/channel"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"

/** The variable with a channel's carrier table. */
export const variableOf = (name: string): string => `${name}_CARRIERS`

export const group: VariableGroup = {
  id: "carriers",
  title: "Several carriers for one channel",
  variables: [
    {
      name: variableOf("SMS"),
      about: "which providers send SMS, by the first digits of the number; `*` means every other number",
      example: "91: msg91, twilio; *: twilio, vonage",
      default: "the only configured provider",
      more: "See [carriers](carriers.md)"
    },
    { name: variableOf("WHATSAPP"), about: "the same for WhatsApp", example: "*: whatsapp" },
    { name: variableOf("RCS"), about: "the same for RCS", example: "*: twilio" },
    { name: variableOf("EMAIL"), about: "the same for e-mail; `*` means every address", example: "*: aws, smtp" }
  ]
}

const shape = "must look like `91: msg91, twilio; *: twilio`: digits or *, a colon, and providers in order"

/** The problem with a carrier table that cannot be parsed. */
export const tableShape = `${shape}; list each prefix once, and each provider once per prefix`

/** Parses a carrier table. Undefined when it is invalid. */
export const parseTable = (text: string): ReadonlyArray<CarrierRule<string>> | undefined => {
  const rules = text.split(";").filter((line) => line.trim() !== "")
  const read = rules.map((line): CarrierRule<string> | undefined => {
    const [, prefix, list] = /^\s*\+?(\d{1,15}|\*)\s*:\s*(.+)$/.exec(line) ?? []
    const carriers = list?.split(",").map((carrier) => carrier.trim()) ?? []
    return prefix === undefined || carriers.some((carrier) => !/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(carrier))
      ? undefined
      : { prefix: prefix === "*" ? "" : prefix, carriers }
  })
  const sound = read.filter((rule) => rule !== undefined)
  const isWhole = sound.length > 0 && sound.length === rules.length
  const isOnce = new Set(sound.map(({ prefix }) => prefix)).size === sound.length
  return isWhole && isOnce && sound.every(({ carriers }) => new Set(carriers).size === carriers.length)
    ? sound
    : undefined
}

/** Reads all carrier tables. Undefined when no variable sets one. */
export const read = (reader: VariableReader): CarrierTables | undefined => {
  const tables = knownChannels.flatMap((name) => {
    const table = reader.read(variableOf(name), parseTable, tableShape)
    return table === undefined ? [] : [[name, table]]
  })
  return tables.length === 0 ? undefined : Object.fromEntries(tables)
}

/** A channel, and the variable that enables it. */
interface Carrying {
  readonly channel: Channel
  readonly switch: string
}

const tableProblems = (
  name: ChannelName,
  table: ReadonlyArray<CarrierRule<string>>,
  configured: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const variable = variableOf(name)
  const unknown = new Set(table.flatMap(({ carriers }) => carriers).filter((carrier) => !configured.includes(carrier)))
  const alternatives =
    configured.length === 0
      ? `no provider for ${name} is configured`
      : `configured for ${name}: ${configured.join(", ")}`
  return [
    ...Array.from(unknown, (carrier) => `${variable}: names ${carrier}, which is not configured; ${alternatives}`),
    ...(table.some(({ prefix }) => prefix === "")
      ? []
      : [`${variable}: has no rule for all other numbers; add \`*: ${configured[0] ?? "provider"}\``])
  ]
}

/** Two carriers must not share a name, and several carriers need a table that orders them. */
const ambiguous = (
  name: ChannelName,
  channelCarriers: ReadonlyArray<Carrying>,
  hasTable: boolean
): ReadonlyArray<string> => {
  const carriers = channelCarriers.map(({ channel }) => carrierOf(channel))
  const twice = carriers.find((carrier, i) => carriers.indexOf(carrier) !== i)
  const by = channelCarriers.map((carrying) => `${carrierOf(carrying.channel)} (${carrying.switch})`).join(" and ")
  if (twice !== undefined) return [`${name}: two channels use the carrier ${twice}, ${by}; remove one of them`]
  // Only the operator's own modules provide unknown channel names, and their order is that of the modules.
  return carriers.length > 1 && !hasTable && isKnownChannel(name)
    ? [
        `${variableOf(name)}: is required, because several carriers are configured for ${name}, ${by}; for example \`*: ${carriers.join(", ")}\``
      ]
    : []
}

/** Problems between the configured channels and the carrier tables. */
export const problemsOf = (carrying: ReadonlyArray<Carrying>, tables: CarrierTables): ReadonlyArray<string> => {
  const byName = Map.groupBy(carrying, ({ channel }) => channel.name)
  return [...new Set<ChannelName>([...byName.keys(), ...knownChannels])].flatMap((name) => {
    const channelCarriers = byName.get(name) ?? []
    const table = tables[name]
    const configured = channelCarriers.map(({ channel }) => carrierOf(channel))
    return [
      ...ambiguous(name, channelCarriers, table !== undefined),
      ...(table === undefined ? [] : tableProblems(name, table, configured))
    ]
  })
}

/** Carrier tables as `countersign check` prints them. */
export const tableLines = (tables: CarrierTables): ReadonlyArray<string> =>
  Object.entries(tables).flatMap(([name, table]) =>
    table
      .toSorted((a, b) => b.prefix.length - a.prefix.length)
      .map(
        ({ carriers, prefix }) =>
          `${name} to ${prefix === "" ? "every other number" : `+${prefix}…`}: ${carriers.join(", then ")}`
      )
  )
