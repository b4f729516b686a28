import type { Twilio } from "@countersign/twilio"
import { Effect, Redacted } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"
import { inVariables } from "./inVariables.ts"
import type { Provider } from "./Provider.ts"

/** The adapter checks which options may be combined. */
export interface TwilioConfiguration {
  readonly accountSid: string
  readonly authToken: Redacted.Redacted
  readonly from: string | undefined
  readonly messagingServiceSid: string | undefined
  readonly rcsSender: string | undefined
  readonly apiUrl: string | undefined
}

const account = ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN"] as const

const group: VariableGroup = {
  id: "twilio",
  title: "SMS and RCS through Twilio",
  prefix: "TWILIO_",
  together: true,
  variables: [
    {
      name: account[0],
      about: "your account SID",
      example: "AC0123456789abcdef0123456789abcdef",
      needs: [account[1]],
      more: "See [SMS and RCS](channels/twilio.md)"
    },
    {
      name: account[1],
      about: "the account's primary auth token",
      example: "32 hex digits",
      secret: true,
      needs: [account[0]]
    },
    {
      name: "TWILIO_FROM",
      about: "the SMS sender: a number with `+`, a short code or a name. Or set a Messaging Service",
      example: "+15005550006",
      needs: account
    },
    {
      name: "TWILIO_MESSAGING_SERVICE_SID",
      about: "a Messaging Service that sends SMS, instead of `TWILIO_FROM`",
      example: "MG0123456789abcdef0123456789abcdef",
      needs: account
    },
    { name: "TWILIO_RCS_SENDER", about: "your RCS agent, for RCS", example: "rcs:acme_agent", needs: account },
    {
      name: "TWILIO_API_URL",
      about: "the API's URL, for proxies and tests",
      default: "`https://api.twilio.com`",
      example: "http://127.0.0.1:9001"
    }
  ]
}

const read = (reader: VariableReader): TwilioConfiguration | undefined => {
  if (!reader.wants(group.variables)) return undefined
  return {
    accountSid: reader.text("TWILIO_ACCOUNT_SID") ?? "",
    authToken: Redacted.make(reader.text("TWILIO_AUTH_TOKEN") ?? ""),
    from: reader.text("TWILIO_FROM"),
    messagingServiceSid: reader.text("TWILIO_MESSAGING_SERVICE_SID"),
    rcsSender: reader.text("TWILIO_RCS_SENDER"),
    apiUrl: reader.text("TWILIO_API_URL")
  }
}

/** The options that the environment sets. */
type Set = Pick<Twilio.Options, keyof TwilioConfiguration | "publicUrl">

const variables: { readonly [option in keyof Set]-?: string } = {
  accountSid: "TWILIO_ACCOUNT_SID",
  authToken: "TWILIO_AUTH_TOKEN",
  from: "TWILIO_FROM",
  messagingServiceSid: "TWILIO_MESSAGING_SERVICE_SID",
  rcsSender: "TWILIO_RCS_SENDER",
  apiUrl: "TWILIO_API_URL",
  publicUrl: "PUBLIC_URL"
}

const channels = Effect.fnUntraced(function* (options: TwilioConfiguration, publicUrl: string) {
  const { Twilio } = yield* Effect.promise(() => import("@countersign/twilio"))
  return yield* Effect.mapError(Twilio.make({ ...options, publicUrl }), inVariables(variables))
})

/** SMS, RCS or both through Twilio. */
export const provider: Provider<TwilioConfiguration> = {
  group,
  read,
  channels,
  switch: (channel) => (channel === "RCS" ? "TWILIO_RCS_SENDER" : "TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID")
}
