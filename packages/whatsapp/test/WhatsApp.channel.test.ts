import type { CallbackRequest } from "@countersign/core/channel"
import { ChannelTest } from "@countersign/testkit"
import { WhatsAppSimulator } from "@countersign/testkit/simulators"
import { WhatsApp } from "@countersign/whatsapp"
import { Effect, Redacted } from "effect"
import { FetchHttpClient } from "effect/http"

const accessToken = "EAAGkitAccessToken0123456789"
const appSecret = "kit_app_secret_0123456789abcdef"
const verifyToken = "kit_verify_token_0123456789"
const phoneNumberId = "106540352242922"
const secrets = [accessToken, appSecret, verifyToken]

const theirs = { id: "206540352242922", accessToken: "EAAGkitMerchantToken0123456789" }
const templates = [
  { name: "login_code", language: "en" },
  {
    name: "signin_link",
    language: "en",
    category: "UTILITY",
    body: "Press the button to approve your sign-in to {{1}}.",
    button: "https://kit.example/l/{{1}}"
  },
  { name: "kit_news", language: "en", category: "MARKETING", body: "{{1}}" }
]

const make = (apiUrl: string) =>
  WhatsApp.make({
    accessToken: Redacted.make(accessToken),
    phoneNumberIds: [phoneNumberId],
    appSecret: Redacted.make(appSecret),
    verifyToken: Redacted.make(verifyToken),
    template: { name: "login_code", language: "en" },
    linkTemplate: { name: "signin_link", language: "en" },
    apiUrl
  }).pipe(Effect.provide(FetchHttpClient.layer))

/** A webhook as Meta sends it. */
const receipt = (reference: string): CallbackRequest => {
  const body = WhatsAppSimulator.encode({
    object: "whatsapp_business_account",
    entry: [
      {
        id: "102290129340398",
        changes: [
          {
            field: "messages",
            value: {
              messaging_product: "whatsapp",
              metadata: { display_phone_number: "15550001111", phone_number_id: phoneNumberId },
              statuses: [
                { id: "wamid.1", status: "delivered", timestamp: "1795000000", biz_opaque_callback_data: reference }
              ]
            }
          }
        ]
      }
    ]
  })
  return {
    method: "POST",
    url: "https://otp.example.com/v1/callbacks/whatsapp",
    query: {},
    header: (name) => (name === "x-hub-signature-256" ? WhatsAppSimulator.sign(appSecret, body) : undefined),
    body: new TextEncoder().encode(body)
  }
}

ChannelTest.suite("whatsapp, in front of its simulator", {
  make,
  provider: Effect.tap(
    WhatsAppSimulator.make({
      accessToken,
      appSecret,
      verifyToken,
      phoneNumberIds: [phoneNumberId],
      templates,
      alwaysOpen: true
    }),
    ({ addAccount }) => addAccount({ wabaId: "3", ...theirs, phoneNumberIds: [theirs.id], templates })
  ),
  account: theirs,
  carries: "code",
  secrets,
  receipt
})

const error = (code: number, message: string) => ({
  error: { message: `(#${code}) ${message}`, type: "OAuthException", code }
})

ChannelTest.suite("whatsapp, in front of recorded answers", {
  make,
  answers: {
    accepted: ChannelTest.http(200, {
      messaging_product: "whatsapp",
      messages: [{ id: "wamid.HBgMb3BhcXVlIHRvIHVzAA==", message_status: "accepted" }]
    }),
    refused: ChannelTest.http(404, error(132001, "Template name does not exist in the translation")),
    overloaded: ChannelTest.http(429, error(130429, "Rate limit hit"), { "retry-after": "7" }),
    optedOut: ChannelTest.http(400, error(131050, "User has stopped marketing messages")),
    deferred: ChannelTest.http(400, error(131056, "Pair rate limit hit")),
    garbled: ChannelTest.http(200, "<html>")
  },
  account: theirs,
  carries: "code",
  secrets,
  receipt
})
