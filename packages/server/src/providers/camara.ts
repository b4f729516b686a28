import type { Camara, NumberVerification } from "@countersign/camara"
import { Effect, Redacted, Result, Schema } from "effect"
import { InvalidConfiguration } from "../InvalidConfiguration.ts"
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
  readonly authorizeUrl: string | undefined
  readonly redirectUri: string | undefined
  readonly prefixes: ReadonlyArray<string> | undefined
  /** Other operators of number verification. What one leaves out is that of the first. */
  readonly operators: ReadonlyArray<OtherOperator> | undefined
}

const text = Schema.optionalKey(Schema.String)

const OtherOperator = Schema.Struct({
  name: Schema.String,
  prefixes: Schema.Array(Schema.String),
  apiUrl: text,
  tokenUrl: text,
  authorizeUrl: text,
  redirectUri: text,
  clientId: text,
  privateKey: Schema.optionalKey(Schema.RedactedFromValue(Schema.String)),
  keyId: text,
  audience: text,
  purpose: text,
  numberVerificationPath: text,
  hashed: Schema.optionalKey(Schema.Boolean)
})
type OtherOperator = typeof OtherOperator.Type

const operatorsShape =
  "must be a JSON array of objects with name, prefixes, and apiUrl, tokenUrl, authorizeUrl, redirectUri, clientId, privateKey, keyId, audience, purpose, numberVerificationPath, hashed where they differ"

/** The operators in a variable. Undefined when it is something else: the text contains keys, so no part of it is shown. */
const operatorsIn = (text: string): ReadonlyArray<OtherOperator> | undefined =>
  Schema.decodeUnknownResult(Schema.fromJsonString(Schema.Array(OtherOperator)))(text, {
    onExcessProperty: "error"
  }).pipe(Result.getOrUndefined)

const required = ["CAMARA_API_URL", "CAMARA_TOKEN_URL", "CAMARA_CLIENT_ID", "CAMARA_PRIVATE_KEY"]
const others = (name: string) => required.filter((other) => other !== name)

const verification = ["CAMARA_AUTHORIZE_URL", "CAMARA_REDIRECT_URI"]

const group: VariableGroup = {
  id: "camara",
  title: "Mobile operators, through CAMARA",
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
      default: "`simSwapped`; none with `CAMARA_AUTHORIZE_URL`",
      example: "simSwapped, recycled",
      needs: required
    },
    {
      name: "CAMARA_AUTHORIZE_URL",
      about: "the operator's authorization endpoint, which verifies numbers; must be https, except on this machine",
      example: "https://auth.operator.example/authorize",
      needs: [...required, "CAMARA_REDIRECT_URI"],
      more: "See [number verification by mobile operators](channels/camara-numbers.md)"
    },
    {
      name: "CAMARA_REDIRECT_URI",
      about: "the redirect URI that is registered at the operator for number verification",
      example: "https://app.acme.example/number",
      needs: [...required, "CAMARA_AUTHORIZE_URL"]
    },
    {
      name: "CAMARA_PREFIXES",
      about: "the first digits of the numbers that this operator verifies, separated by commas",
      default: "every number",
      example: "9198, 9199",
      needs: [...required, ...verification]
    },
    {
      name: "CAMARA_OPERATORS",
      about: "other operators that verify numbers, as a JSON array; a field that one leaves out is that of the first",
      example: '[{"name":"other","prefixes":["9170"],"authorizeUrl":"https://…"}]',
      secret: true,
      needs: [...required, ...verification],
      more: "See [several operators](channels/camara-numbers.md#several-operators)"
    }
  ]
}

const read = (reader: VariableReader): CamaraConfiguration | undefined => {
  const operators = reader.read("CAMARA_OPERATORS", operatorsIn, operatorsShape)
  if (!reader.wants(group.variables)) return undefined
  return {
    operators,
    authorizeUrl: reader.text("CAMARA_AUTHORIZE_URL"),
    redirectUri: reader.text("CAMARA_REDIRECT_URI"),
    prefixes: listIn(reader.text("CAMARA_PREFIXES")),
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
type Set = Pick<Camara.LineInfoOptions, "facts" | keyof Shared> &
  Pick<NumberVerification.NumberVerificationOptions, "authorizeUrl" | "redirectUri" | "prefixes">
type Shared = Omit<CamaraConfiguration, "facts" | "authorizeUrl" | "redirectUri" | "prefixes" | "operators">

const variables: { readonly [option in keyof Set]-?: string } = {
  apiUrl: "CAMARA_API_URL",
  tokenUrl: "CAMARA_TOKEN_URL",
  clientId: "CAMARA_CLIENT_ID",
  privateKey: "CAMARA_PRIVATE_KEY",
  keyId: "CAMARA_KEY_ID",
  audience: "CAMARA_AUDIENCE",
  purpose: "CAMARA_PURPOSE",
  facts: "CAMARA_FACTS",
  authorizeUrl: "CAMARA_AUTHORIZE_URL",
  redirectUri: "CAMARA_REDIRECT_URI",
  prefixes: "CAMARA_PREFIXES"
}

const sharedOf = ({
  apiUrl,
  audience,
  clientId,
  keyId,
  privateKey,
  purpose,
  tokenUrl
}: CamaraConfiguration): Shared => ({
  apiUrl,
  audience,
  clientId,
  keyId,
  privateKey,
  purpose,
  tokenUrl
})

const lineInfo = Effect.fnUntraced(function* (configuration: CamaraConfiguration) {
  const { authorizeUrl, facts } = configuration
  // A contract for number verification alone covers no facts.
  if (authorizeUrl !== undefined && facts === undefined) return []
  const { Camara } = yield* Effect.promise(() => import("@countersign/camara"))
  const checked = { ...sharedOf(configuration), facts: facts as Camara.LineInfoOptions["facts"] }
  return [yield* Effect.mapError(Camara.lineInfo(checked), inVariables(variables))]
})

/** Names the operator in problems of the options that it has itself. The others are those of the first operator. */
const namesFor = (operator: OtherOperator): { readonly [option: string]: string } => ({
  ...variables,
  ...Object.fromEntries(
    Object.keys(operator).map((option) => [option, `CAMARA_OPERATORS: ${option} of ${JSON.stringify(operator.name)}`])
  )
})

const verifiers = Effect.fnUntraced(function* (configuration: CamaraConfiguration) {
  const { authorizeUrl, operators = [], prefixes, redirectUri = "" } = configuration
  if (authorizeUrl === undefined) return []
  const { NumberVerification } = yield* Effect.promise(() => import("@countersign/camara"))
  const first = { ...sharedOf(configuration), authorizeUrl, redirectUri, prefixes }
  const all = [
    { options: first, names: variables },
    ...operators.map((operator) => {
      // The audience is the token endpoint, unless it is set. So another token endpoint has another audience.
      const { audience, ...others } = first
      const inherited = operator.tokenUrl === undefined ? first : { ...others, audience: undefined }
      return { options: { ...inherited, ...operator }, names: namesFor(operator) }
    })
  ]
  // Each by itself first: its problems then name its variable.
  const problems: Array<string> = []
  for (const { names, options } of all) {
    const made = yield* Effect.result(Effect.mapError(NumberVerification.make([options]), inVariables(names)))
    if (Result.isFailure(made)) problems.push(...made.failure.problems)
  }
  if (problems.length > 0) return yield* new InvalidConfiguration({ problems: [...new Set(problems)] })
  const made = NumberVerification.make(all.map(({ options }) => options))
  return [yield* Effect.mapError(made, inVariables({ name: "CAMARA_OPERATORS", prefixes: "CAMARA_OPERATORS" }))]
})

/** Number verification, and facts about lines, by mobile operators. */
export const provider: Provider<CamaraConfiguration> = {
  group,
  read,
  lineInfo,
  verifiers,
  switch: () => "CAMARA_API_URL"
}
