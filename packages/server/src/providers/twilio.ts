import type { Twilio } from "@countersign/twilio"
import { Effect, Redacted } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import { inVariables } from "./inVariables.ts"
import type { Provider } from "./Provider.ts"

/** How to reach Twilio. Which of these go together is the adapter's to say. */
export interface TwilioConfiguration {
  readonly accountSid: string
  readonly authToken: Redacted.Redacted
  readonly from: string | undefined
  readonly messagingServiceSid: string | undefined
  readonly rcsSender: string | undefined
  readonly apiUrl: string | undefined
}

const telling = ["ACCOUNT_SID", "AUTH_TOKEN", "FROM", "MESSAGING_SERVICE_SID", "RCS_SENDER"].map(
  (name) => `TWILIO_${name}`
)

const read = (reader: VariableReader): TwilioConfiguration | undefined => {
  if (!reader.wants(telling, ["TWILIO_ACCOUNT_SID", "TWILIO_AUTH_TOKEN"])) return undefined
  return {
    accountSid: reader.text("TWILIO_ACCOUNT_SID") ?? "",
    authToken: Redacted.make(reader.text("TWILIO_AUTH_TOKEN") ?? ""),
    from: reader.text("TWILIO_FROM"),
    messagingServiceSid: reader.text("TWILIO_MESSAGING_SERVICE_SID"),
    rcsSender: reader.text("TWILIO_RCS_SENDER"),
    apiUrl: reader.text("TWILIO_API_URL")
  }
}

const names: ReadonlyArray<string> = [...telling, "TWILIO_API_URL"]

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
  names,
  read,
  channels,
  switch: (channel) => (channel === "RCS" ? "TWILIO_RCS_SENDER" : "TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID")
}
