import type { Twilio } from "@countersign/twilio"
import { Effect } from "effect"
import type { TwilioConfiguration } from "../Configuration.ts"
import { inVariables } from "./inVariables.ts"

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

/** SMS, RCS or both through Twilio. */
export const channels = Effect.fnUntraced(function* (options: TwilioConfiguration, publicUrl: string) {
  const { Twilio } = yield* Effect.promise(() => import("@countersign/twilio"))
  return yield* Effect.mapError(Twilio.make({ ...options, publicUrl }), inVariables(variables))
})
