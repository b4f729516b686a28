import type { Vonage } from "@countersign/vonage"
import { Effect, Redacted } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"
import { inVariables } from "./inVariables.ts"
import type { Provider } from "./Provider.ts"

/** The adapter checks which options may be combined. */
export interface VonageConfiguration {
  readonly from: string
  readonly applicationId: string | undefined
  readonly privateKey: Redacted.Redacted | undefined
  readonly apiKey: string | undefined
  readonly apiSecret: Redacted.Redacted | undefined
  readonly signatureSecret: Redacted.Redacted | undefined
  readonly entityId: string | undefined
  readonly apiUrl: string | undefined
}

const group: VariableGroup = {
  id: "vonage",
  title: "SMS through Vonage",
  prefix: "VONAGE_",
  together: true,
  variables: [
    {
      name: "VONAGE_FROM",
      about: "the sender: a number, or a name of up to 11 letters and digits",
      example: "Acme",
      needs: [],
      more: "See [SMS through Vonage](channels/vonage.md)"
    },
    {
      name: "VONAGE_APPLICATION_ID",
      about: "your application's id, together with its private key",
      example: "aaaaaaaa-bbbb-cccc-dddd-0123456789ab",
      needs: ["VONAGE_FROM"]
    },
    {
      name: "VONAGE_PRIVATE_KEY",
      about: "the application's private key in PEM; `\\n` stands for a line break",
      example: "-----BEGIN PRIVATE KEY-----\\n…",
      secret: true,
      needs: ["VONAGE_FROM"]
    },
    {
      name: "VONAGE_API_KEY",
      about: "your account's API key, together with its secret, instead of an application",
      example: "abcd1234",
      needs: ["VONAGE_FROM"]
    },
    {
      name: "VONAGE_API_SECRET",
      about: "your account's API secret",
      example: "from the Vonage dashboard",
      secret: true,
      needs: ["VONAGE_FROM"]
    },
    {
      name: "VONAGE_SIGNATURE_SECRET",
      about: "your account's signature secret, which verifies Vonage's reports",
      default: "none: no receipts",
      example: "from the Vonage dashboard",
      secret: true
    },
    {
      name: "VONAGE_ENTITY_ID",
      about: "in India: your DLT entity id",
      example: "1201161234567890123"
    },
    {
      name: "VONAGE_API_URL",
      about: "the API's URL, for proxies and tests; must be https, except on this machine",
      default: "`https://api.nexmo.com`",
      example: "http://127.0.0.1:9007"
    }
  ]
}

const read = (reader: VariableReader): VonageConfiguration | undefined => {
  if (!reader.wants(group.variables)) return undefined
  const secret = (name: string) => {
    const text = reader.text(name)
    return text === undefined ? undefined : Redacted.make(text)
  }
  return {
    from: reader.text("VONAGE_FROM") ?? "",
    applicationId: reader.text("VONAGE_APPLICATION_ID"),
    privateKey: secret("VONAGE_PRIVATE_KEY"),
    apiKey: reader.text("VONAGE_API_KEY"),
    apiSecret: secret("VONAGE_API_SECRET"),
    signatureSecret: secret("VONAGE_SIGNATURE_SECRET"),
    entityId: reader.text("VONAGE_ENTITY_ID"),
    apiUrl: reader.text("VONAGE_API_URL")
  }
}

/** The options that the environment sets. */
type Set = Pick<Vonage.Options, keyof VonageConfiguration | "publicUrl">

const variables: { readonly [option in keyof Set]-?: string } = {
  from: "VONAGE_FROM",
  applicationId: "VONAGE_APPLICATION_ID",
  privateKey: "VONAGE_PRIVATE_KEY",
  apiKey: "VONAGE_API_KEY",
  apiSecret: "VONAGE_API_SECRET",
  signatureSecret: "VONAGE_SIGNATURE_SECRET",
  entityId: "VONAGE_ENTITY_ID",
  apiUrl: "VONAGE_API_URL",
  publicUrl: "PUBLIC_URL"
}

const channels = Effect.fnUntraced(function* (options: VonageConfiguration, publicUrl: string) {
  const { Vonage } = yield* Effect.promise(() => import("@countersign/vonage"))
  return [yield* Effect.mapError(Vonage.make({ ...options, publicUrl }), inVariables(variables))]
})

/** SMS through Vonage. */
export const provider: Provider<VonageConfiguration> = { group, read, channels, switch: () => "VONAGE_FROM" }
