import type { Truecaller } from "@countersign/truecaller"
import { Effect } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import { inVariables } from "./inVariables.ts"

export interface TruecallerConfiguration {
  readonly clientId: string
  readonly apiUrl: string | undefined
}

/** Every variable of Truecaller. */
export const names: ReadonlyArray<string> = ["TRUECALLER_CLIENT_ID", "TRUECALLER_API_URL"]

/** What the environment says of it; undefined when it says nothing. */
export const read = (reader: VariableReader): TruecallerConfiguration | undefined => {
  const clientId = reader.text("TRUECALLER_CLIENT_ID")
  return clientId === undefined ? undefined : { clientId, apiUrl: reader.text("TRUECALLER_API_URL") }
}

/** The options that the environment sets. */
type Set = Pick<Truecaller.Options, keyof TruecallerConfiguration>

const variables: { readonly [option in keyof Set]-?: string } = {
  clientId: "TRUECALLER_CLIENT_ID",
  apiUrl: "TRUECALLER_API_URL"
}

/** Numbers proved by Truecaller. */
export const provers = Effect.fnUntraced(function* (options: TruecallerConfiguration) {
  const { Truecaller } = yield* Effect.promise(() => import("@countersign/truecaller"))
  return [yield* Effect.mapError(Truecaller.make(options), inVariables(variables))]
})
