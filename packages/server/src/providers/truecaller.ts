import type { Truecaller } from "@countersign/truecaller"
import { Effect } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import { inVariables } from "./inVariables.ts"
import type { Provider } from "./Provider.ts"

export interface TruecallerConfiguration {
  readonly clientId: string
  readonly apiUrl: string | undefined
}

const names: ReadonlyArray<string> = ["TRUECALLER_CLIENT_ID", "TRUECALLER_API_URL"]

const read = (reader: VariableReader): TruecallerConfiguration | undefined => {
  const clientId = reader.text("TRUECALLER_CLIENT_ID")
  return clientId === undefined ? undefined : { clientId, apiUrl: reader.text("TRUECALLER_API_URL") }
}

/** The options that the environment sets. */
type Set = Pick<Truecaller.Options, keyof TruecallerConfiguration>

const variables: { readonly [option in keyof Set]-?: string } = {
  clientId: "TRUECALLER_CLIENT_ID",
  apiUrl: "TRUECALLER_API_URL"
}

const provers = Effect.fnUntraced(function* (options: TruecallerConfiguration) {
  const { Truecaller } = yield* Effect.promise(() => import("@countersign/truecaller"))
  return [yield* Effect.mapError(Truecaller.make(options), inVariables(variables))]
})

/** Numbers proved by Truecaller. */
export const provider: Provider<TruecallerConfiguration> = {
  names,
  read,
  provers,
  switch: () => "TRUECALLER_CLIENT_ID"
}
