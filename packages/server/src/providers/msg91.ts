import type { Msg91 } from "@countersign/msg91"
import { Effect, Redacted } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"
import { inVariables } from "./inVariables.ts"
import type { Provider } from "./Provider.ts"

export interface Msg91Configuration {
  readonly authKey: Redacted.Redacted
  readonly templateId: string
  readonly codeVariable: string | undefined
  readonly webhookSecret: Redacted.Redacted | undefined
  readonly apiUrl: string | undefined
}

const group: VariableGroup = {
  id: "msg91",
  title: "SMS through MSG91",
  prefix: "MSG91_",
  together: true,
  variables: [
    {
      name: "MSG91_AUTH_KEY",
      about: "your MSG91 authkey",
      example: "from the MSG91 panel",
      secret: true,
      needs: ["MSG91_TEMPLATE_ID"],
      more: "See [SMS through MSG91](channels/msg91.md)"
    },
    {
      name: "MSG91_TEMPLATE_ID",
      about: "the MSG91 id of the code's template, not its DLT template id",
      example: "6501a2b3d6fc0512ab34cd56",
      needs: ["MSG91_AUTH_KEY"]
    },
    {
      name: "MSG91_CODE_VARIABLE",
      about: "the name of the template variable for the code, without its `##` marks",
      default: "`otp`",
      example: "VAR1"
    },
    {
      name: "MSG91_WEBHOOK_SECRET",
      about: "the value that MSG91's webhook sends in the header `X-Countersign-Secret`",
      default: "none: no receipts",
      example: "openssl rand -hex 16",
      secret: true
    },
    {
      name: "MSG91_API_URL",
      about: "the API's URL, for proxies and tests; must be https, except on this machine",
      default: "`https://control.msg91.com`",
      example: "http://127.0.0.1:9006"
    }
  ]
}

const read = (reader: VariableReader): Msg91Configuration | undefined => {
  if (!reader.wants(group.variables)) return undefined
  const secret = reader.text("MSG91_WEBHOOK_SECRET")
  return {
    authKey: Redacted.make(reader.text("MSG91_AUTH_KEY") ?? ""),
    templateId: reader.text("MSG91_TEMPLATE_ID") ?? "",
    codeVariable: reader.text("MSG91_CODE_VARIABLE"),
    webhookSecret: secret === undefined ? undefined : Redacted.make(secret),
    apiUrl: reader.text("MSG91_API_URL")
  }
}

/** The options that the environment sets. */
type Set = Pick<Msg91.Options, keyof Msg91Configuration>

const variables: { readonly [option in keyof Set]-?: string } = {
  authKey: "MSG91_AUTH_KEY",
  templateId: "MSG91_TEMPLATE_ID",
  codeVariable: "MSG91_CODE_VARIABLE",
  webhookSecret: "MSG91_WEBHOOK_SECRET",
  apiUrl: "MSG91_API_URL"
}

const channels = Effect.fnUntraced(function* (options: Msg91Configuration) {
  const { Msg91 } = yield* Effect.promise(() => import("@countersign/msg91"))
  return [yield* Effect.mapError(Msg91.make(options), inVariables(variables))]
})

/** SMS through MSG91. */
export const provider: Provider<Msg91Configuration> = {
  group,
  read,
  channels,
  switch: () => "MSG91_AUTH_KEY"
}
