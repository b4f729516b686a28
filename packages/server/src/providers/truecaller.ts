import type { Truecaller } from "@countersign/truecaller"
import { Effect } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"
import { inVariables } from "./inVariables.ts"
import type { Provider } from "./Provider.ts"

export interface TruecallerConfiguration {
  readonly clientId: string
  readonly apiUrl: string | undefined
}

const group: VariableGroup = {
  id: "truecaller",
  title: "Truecaller",
  prefix: "TRUECALLER_",
  together: true,
  variables: [
    {
      name: "TRUECALLER_CLIENT_ID",
      about: "your application's client id",
      example: "from the Truecaller console",
      more: "See [Truecaller](channels/truecaller.md)"
    },
    {
      name: "TRUECALLER_API_URL",
      about: "the API's URL, for proxies and tests; must be https, except on this machine",
      default: "`https://oauth-account-noneu.truecaller.com`",
      example: "http://127.0.0.1:9005"
    }
  ]
}

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

const verifiers = Effect.fnUntraced(function* (options: TruecallerConfiguration) {
  const { Truecaller } = yield* Effect.promise(() => import("@countersign/truecaller"))
  return [yield* Effect.mapError(Truecaller.make(options), inVariables(variables))]
})

/** Number verification through Truecaller. */
export const provider: Provider<TruecallerConfiguration> = {
  group,
  read,
  verifiers,
  switch: () => "TRUECALLER_CLIENT_ID"
}
