import type { SilentNetworkAuth, Twilio } from "@countersign/twilio"
import { Effect, Redacted } from "effect"
import type { VariableReader } from "../VariableReader.ts"
import type { VariableGroup } from "../variables/Variable.ts"
import { inVariables } from "./inVariables.ts"
import { listIn } from "./lineInfo.ts"
import type { Provider } from "./Provider.ts"

/** The adapter checks which options may be combined. */
export interface TwilioConfiguration {
  readonly accountSid: string
  readonly authToken: Redacted.Redacted
  readonly from: string | undefined
  readonly messagingServiceSid: string | undefined
  readonly rcsSender: string | undefined
  readonly apiUrl: string | undefined
  /** The facts that Lookup may tell. Undefined when it tells none. The adapter checks the words. */
  readonly lookupFacts?: ReadonlyArray<string> | undefined
  readonly lookupUrl?: string | undefined
  /** The Verify service for Silent Network Auth. */
  readonly verifyService?: string | undefined
  readonly verifyUrl?: string | undefined
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
      name: "TWILIO_LOOKUP_FACTS",
      about:
        "the facts that Twilio Lookup may be asked for: `type`, `carrier`, `simSwapped`, `simSwappedAt`, `recycled`",
      default: "none: nothing is looked up",
      example: "type, carrier",
      needs: account,
      more: "See [facts about lines](line-facts.md)"
    },
    {
      name: "TWILIO_LOOKUP_URL",
      about: "the URL of the Lookup API, for proxies and tests",
      default: "`https://lookups.twilio.com`",
      example: "http://127.0.0.1:9009"
    },
    {
      name: "TWILIO_API_URL",
      about: "the API's URL, for proxies and tests",
      default: "`https://api.twilio.com`",
      example: "http://127.0.0.1:9001"
    },
    {
      name: "TWILIO_VERIFY_SERVICE",
      about: "a Verify service with Silent Network Auth, which verifies numbers over mobile data",
      example: "VA0123456789abcdef0123456789abcdef",
      needs: account,
      more: "See [silent network authentication](channels/twilio-sna.md)"
    },
    {
      name: "TWILIO_VERIFY_URL",
      about: "the URL of the Verify API, for proxies, tests and other regions; must be https, except on this machine",
      default: "`https://verify.twilio.com`",
      example: "http://127.0.0.1:9008"
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
    apiUrl: reader.text("TWILIO_API_URL"),
    lookupFacts: listIn(reader.text("TWILIO_LOOKUP_FACTS")),
    lookupUrl: reader.text("TWILIO_LOOKUP_URL"),
    verifyService: reader.text("TWILIO_VERIFY_SERVICE"),
    verifyUrl: reader.text("TWILIO_VERIFY_URL")
  }
}

/** The options that the environment sets. */
type Set = Pick<
  Twilio.Options,
  Exclude<keyof TwilioConfiguration, `lookup${string}` | `verify${string}`> | "publicUrl"
> &
  Pick<SilentNetworkAuth.Options, "verifyService" | "verifyUrl">

const variables: { readonly [option in keyof Set]-?: string } = {
  accountSid: "TWILIO_ACCOUNT_SID",
  authToken: "TWILIO_AUTH_TOKEN",
  from: "TWILIO_FROM",
  messagingServiceSid: "TWILIO_MESSAGING_SERVICE_SID",
  rcsSender: "TWILIO_RCS_SENDER",
  apiUrl: "TWILIO_API_URL",
  publicUrl: "PUBLIC_URL",
  verifyService: "TWILIO_VERIFY_SERVICE",
  verifyUrl: "TWILIO_VERIFY_URL"
}

const channels = Effect.fnUntraced(function* (configuration: TwilioConfiguration, publicUrl: string) {
  const { lookupFacts, lookupUrl: _, verifyService, verifyUrl: __, ...options } = configuration
  // An account for lookups or number verification alone has no sender.
  const hasOtherUse = lookupFacts !== undefined || verifyService !== undefined
  if (hasOtherUse && (options.from ?? options.messagingServiceSid ?? options.rcsSender) === undefined) return []
  const { Twilio } = yield* Effect.promise(() => import("@countersign/twilio"))
  return yield* Effect.mapError(Twilio.make({ ...options, publicUrl }), inVariables(variables))
})

const lookupVariables: { readonly [option in keyof Twilio.LookupOptions]-?: string } = {
  accountSid: "TWILIO_ACCOUNT_SID",
  authToken: "TWILIO_AUTH_TOKEN",
  apiUrl: "TWILIO_API_URL",
  facts: "TWILIO_LOOKUP_FACTS",
  lookupUrl: "TWILIO_LOOKUP_URL",
  prefixes: "LINE_INFO"
}

const lineInfo = Effect.fnUntraced(function* (configuration: TwilioConfiguration) {
  const { accountSid, apiUrl, authToken, lookupFacts, lookupUrl } = configuration
  if (lookupFacts === undefined) return []
  const { Twilio } = yield* Effect.promise(() => import("@countersign/twilio"))
  const facts = lookupFacts as Twilio.LookupOptions["facts"]
  const made = Twilio.lineInfo({ accountSid, authToken, apiUrl, facts, lookupUrl })
  return [yield* Effect.mapError(made, inVariables(lookupVariables))]
})

const verifiers = Effect.fnUntraced(function* ({
  accountSid,
  authToken,
  verifyService,
  verifyUrl
}: TwilioConfiguration) {
  if (verifyService === undefined) return []
  const { SilentNetworkAuth } = yield* Effect.promise(() => import("@countersign/twilio"))
  const options = { accountSid, authToken, verifyService, verifyUrl }
  return [yield* Effect.mapError(SilentNetworkAuth.make(options), inVariables(variables))]
})

/** SMS and RCS through Twilio, facts about lines, and number verification over mobile data. */
export const provider: Provider<TwilioConfiguration> = {
  group,
  read,
  channels,
  lineInfo,
  verifiers,
  switch: (channel) => (channel === "RCS" ? "TWILIO_RCS_SENDER" : "TWILIO_FROM or TWILIO_MESSAGING_SERVICE_SID")
}
