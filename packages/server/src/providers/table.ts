import type { CarrierTables, Channel, LineInfo, NumberVerifier } from "@countersign/core/channel"
import { Effect } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"
import * as aws from "./aws.ts"
import * as camara from "./camara.ts"
import * as carriers from "./carriers.ts"
import * as firebase from "./firebase.ts"
import * as lineInfo from "./lineInfo.ts"
import * as msg91 from "./msg91.ts"
import * as own from "./own.ts"
import type { Made, Provider } from "./Provider.ts"
import * as smtp from "./smtp.ts"
import * as truecaller from "./truecaller.ts"
import * as twilio from "./twilio.ts"
import * as vonage from "./vonage.ts"
import * as whatsapp from "./whatsapp.ts"

/** Every provider that variables can configure. To add a provider, add a row. */
export const table = {
  twilio: twilio.provider,
  msg91: msg91.provider,
  vonage: vonage.provider,
  aws: aws.provider,
  whatsapp: whatsapp.provider,
  smtp: smtp.provider,
  truecaller: truecaller.provider,
  firebase: firebase.provider,
  camara: camara.provider
}

type Table = typeof table

type OptionsOf<Row> = Row extends Provider<infer Options> ? Options : never

/** The configured providers. A channel without a provider is disabled, or prints to the console in development. */
export type ProviderConfiguration = { readonly [name in keyof Table]?: OptionsOf<Table[name]> | undefined } & {
  /** Modules with the operator's own channels. */
  readonly own?: ReadonlyArray<own.OwnModule> | undefined
  /** The order in which a channel's carriers are tried. */
  readonly carriers?: CarrierTables | undefined
  /** The order in which providers of line facts are asked. */
  readonly lines?: lineInfo.LinesConfiguration | undefined
}

const rows: Readonly<Record<string, Provider<unknown>>> = table

/** The variables of all providers. */
export const groups: ReadonlyArray<VariableGroup> = [
  ...Object.values(rows).map(({ group }) => group),
  lineInfo.group,
  own.group,
  carriers.group
]

/** Reads the options of every provider. */
export const read = (reader: VariableReader): ProviderConfiguration => ({
  ...Object.fromEntries(Object.entries(rows).map(([name, row]) => [name, row.read(reader)])),
  own: own.read(reader),
  carriers: carriers.read(reader),
  lines: lineInfo.read(reader)
})

/** A provider with its options applied. */
interface Configured {
  readonly switch: Provider<unknown>["switch"]
  readonly channels: (publicUrl: string) => Made<Channel>
  readonly verifiers: Made<NumberVerifier>
  readonly lineInfo: Made<LineInfo>
}

const none: Made<never> = Effect.succeed([])

const configured = (row: Provider<unknown>, options: unknown): Configured => ({
  switch: row.switch,
  channels: (publicUrl) => row.channels?.(options, publicUrl) ?? none,
  verifiers: row.verifiers?.(options) ?? none,
  lineInfo: row.lineInfo?.(options) ?? none
})

/** The configured providers, in the table's order. */
export const wanted = (configuration: ProviderConfiguration): ReadonlyArray<Configured> =>
  Object.entries(rows).flatMap(([name, row]) => {
    const options: unknown = Reflect.get(configuration, name)
    return options === undefined ? [] : [configured(row, options)]
  })
