import { json, type Pages } from "@countersign/http"
import { Effect, Redacted } from "effect"
import type { ProviderConfiguration } from "./Configuration.ts"

/** A message that a simulator took. */
interface Shown {
  readonly channel: string
  readonly to: string
  readonly subject?: string
  readonly text: string | null
}

/**
 * Simulators of every provider, speaking their real protocols on this machine, and the configuration that sends there.
 *
 * The recipient decides what becomes of a WhatsApp message, as in a test environment: for numbers that end in `0000`
 * it cannot be delivered, for `0001` nothing is ever reported. SMS always arrive, so a fallback can be watched.
 */
export const start = Effect.fnUntraced(function* (publicUrl: string) {
  const { SmtpSimulator, TwilioSimulator, WhatsAppSimulator } = yield* Effect.promise(
    () => import("@countersign/testkit/simulators")
  )
  const twilio = yield* TwilioSimulator.make({ receiptDelay: "1 second" })
  const whatsapp = yield* WhatsAppSimulator.make({
    callbackUrl: `${publicUrl}/v1/callbacks/whatsapp`,
    script: ({ waId }) => {
      if (waId.endsWith("0000")) return WhatsAppSimulator.scripts.undeliverable
      return waId.endsWith("0001") ? WhatsAppSimulator.scripts.silent : WhatsAppSimulator.scripts.read
    }
  })
  const smtp = yield* SmtpSimulator.make({})

  const providers: ProviderConfiguration = {
    twilio: {
      accountSid: twilio.accountSid,
      authToken: Redacted.make(twilio.authToken),
      from: "+15005550006",
      messagingServiceSid: undefined,
      rcsSender: "rcs:countersign",
      apiUrl: twilio.url
    },
    whatsapp: {
      accessToken: Redacted.make(whatsapp.accessToken),
      phoneNumberIds: whatsapp.phoneNumberIds,
      wabaId: whatsapp.wabaId,
      appSecret: Redacted.make(whatsapp.appSecret),
      verifyToken: Redacted.make(whatsapp.verifyToken),
      template: "login_code/en",
      apiUrl: whatsapp.url
    },
    smtp: { url: Redacted.make(smtp.url), from: "Countersign <codes@example.com>" }
  }

  const sms = Effect.map(twilio.ledger, (taken) =>
    taken.map(
      ({ body, to }): Shown => ({
        channel: to.startsWith("rcs:") ? "RCS" : "SMS",
        to: to.replace(/^rcs:/, ""),
        text: body
      })
    )
  )
  const chats = Effect.map(whatsapp.messages, (taken) =>
    taken.map(({ code, to }): Shown => ({ channel: "WHATSAPP", to, text: `${code} is your verification code.` }))
  )
  const mails = Effect.map(smtp.mails, (taken) =>
    taken.map(
      ({ headers, subject, text }): Shown => ({ channel: "EMAIL", to: headers["to"]?.[0] ?? "", subject, text })
    )
  )
  const pages: Pages = {
    "/dev/outbox": Effect.map(Effect.all([sms, chats, mails]), (ledgers) =>
      json(200, { items: ledgers.flatMap((ledger) => ledger.toReversed()) }, { "cache-control": "no-store" })
    )
  }
  return { providers, pages }
})
