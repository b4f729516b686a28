import type { Camara } from "@countersign/camara"
import { Effect, Redacted } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"
import { inVariables } from "./inVariables.ts"
import { listIn } from "./lineInfo.ts"
import type { Provider } from "./Provider.ts"

/** One operator, or an aggregator of several. */
export interface CamaraConfiguration {
  readonly apiUrl: string
  readonly tokenUrl: string
  readonly clientId: string
  readonly privateKey: Redacted.Redacted
  readonly keyId: string | undefined
  readonly audience: string | undefined
  readonly purpose: string | undefined
  /** The adapter checks the words. */
  readonly facts: ReadonlyArray<string> | undefined
}

const required = ["CAMARA_API_URL", "CAMARA_TOKEN_URL", "CAMARA_CLIENT_ID", "CAMARA_PRIVATE_KEY"]
const others = (name: string) => required.filter((other) => other !== name)

const group: VariableGroup = {
  id: "camara",
  title: "Facts about lines through CAMARA",
  prefix: "CAMARA_",
  together: true,
  variables: [
    {
      name: "CAMARA_API_URL",
      about: "the root of the operator's APIs, without an API's name; must be https, except on this machine",
      example: "https://api.operator.example",
      needs: others("CAMARA_API_URL"),
      more: "See [facts about lines](line-facts.md)"
    },
    {
      name: "CAMARA_TOKEN_URL",
      about: "the operator's token endpoint; must be https, except on this machine",
      example: "https://auth.operator.example/token",
      needs: others("CAMARA_TOKEN_URL")
    },
    {
      name: "CAMARA_CLIENT_ID",
      about: "your application's client id",
      example: "from the operator's portal",
      needs: others("CAMARA_CLIENT_ID")
    },
    {
      name: "CAMARA_PRIVATE_KEY",
      about: "your application's private key in PEM: RSA of at least 2048 bits, or P-256",
      example: "-----BEGIN PRIVATE KEY-----…",
      secret: true,
      needs: others("CAMARA_PRIVATE_KEY")
    },
    { name: "CAMARA_KEY_ID", about: "the key's id (`kid`) at the operator", example: "key-1", needs: required },
    {
      name: "CAMARA_AUDIENCE",
      about: "the audience of client assertions",
      default: "`CAMARA_TOKEN_URL`",
      example: "https://auth.operator.example",
      needs: required
    },
    {
      name: "CAMARA_PURPOSE",
      about: "a purpose to declare with every token",
      example: "dpv:FraudPreventionAndDetection",
      needs: required
    },
    {
      name: "CAMARA_FACTS",
      about: "the facts that your contract covers: `simSwapped`, `simSwappedAt`, `recycled`",
      default: "`simSwapped`",
      example: "simSwapped, recycled",
      needs: required
    }
  ]
}

const read = (reader: VariableReader): CamaraConfiguration | undefined => {
  if (!reader.wants(group.variables)) return undefined
  return {
    apiUrl: reader.text("CAMARA_API_URL") ?? "",
    tokenUrl: reader.text("CAMARA_TOKEN_URL") ?? "",
    clientId: reader.text("CAMARA_CLIENT_ID") ?? "",
    privateKey: Redacted.make(reader.text("CAMARA_PRIVATE_KEY") ?? ""),
    keyId: reader.text("CAMARA_KEY_ID"),
    audience: reader.text("CAMARA_AUDIENCE"),
    purpose: reader.text("CAMARA_PURPOSE"),
    facts: listIn(reader.text("CAMARA_FACTS"))
  }
}

/** The options that the environment sets. */
type Set = Pick<Camara.LineInfoOptions, keyof CamaraConfiguration>

const variables: { readonly [option in keyof Set]-?: string } = {
  apiUrl: "CAMARA_API_URL",
  tokenUrl: "CAMARA_TOKEN_URL",
  clientId: "CAMARA_CLIENT_ID",
  privateKey: "CAMARA_PRIVATE_KEY",
  keyId: "CAMARA_KEY_ID",
  audience: "CAMARA_AUDIENCE",
  purpose: "CAMARA_PURPOSE",
  facts: "CAMARA_FACTS"
}

const lineInfo = Effect.fnUntraced(function* ({ facts, ...options }: CamaraConfiguration) {
  const { Camara } = yield* Effect.promise(() => import("@countersign/camara"))
  const checked = { ...options, facts: facts as Camara.LineInfoOptions["facts"] }
  return [yield* Effect.mapError(Camara.lineInfo(checked), inVariables(variables))]
})

/** Facts about lines through CAMARA. */
export const provider: Provider<CamaraConfiguration> = { group, read, lineInfo, switch: () => "CAMARA_API_URL" }
