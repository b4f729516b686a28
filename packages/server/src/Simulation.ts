import type { Instant } from "@countersign/core"
import { Clock, Effect, Redacted } from "effect"
import type { PlayTruecaller } from "./Demo.ts"
import type { Play } from "./DevWhatsApp.ts"
import { InvalidConfiguration } from "./InvalidConfiguration.ts"
import * as outboxPages from "./outbox/outboxPages.ts"
import { simulatedMessages } from "./outbox/simulatedMessages.ts"
import type { ProviderConfiguration } from "./providers/table.ts"

/** A published server does not include the simulators. */
const simulators = Effect.tryPromise({
  try: () => import("@countersign/testkit/simulators"),
  catch: (cause) =>
    new InvalidConfiguration({
      problems: [
        `--simulate: the simulators are not installed; install them next to the server: npm install @countersign/testkit (${whyNot(cause)})`
      ]
    })
})

const whyNot = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : String(cause)

/**
 * Starts a simulator of every provider on this machine, and returns the configuration that sends to them. Simulators speak
 * the providers' real protocols.
 *
 * As in a test environment, the recipient decides the outcome of a WhatsApp message: numbers ending in `0000` are
 * undeliverable, and for `0001` no report ever arrives. SMS always arrive, so a fallback can be observed.
 */
export const start = Effect.fnUntraced(function* (publicUrl: string, options: { readonly demo: boolean }) {
  const {
    FirebaseSimulator,
    NumberVerificationSimulator,
    SilentNetworkSimulator,
    SmtpSimulator,
    TruecallerSimulator,
    TwilioSimulator,
    WhatsAppSimulator
  } = yield* simulators
  const clock = yield* Clock.Clock
  const taken = new Map<string, Instant.Instant>()
  const twilio = yield* TwilioSimulator.make({ receiptDelay: "1 second" })
  const whatsapp = yield* WhatsAppSimulator.make({
    callbackUrl: `${publicUrl}/v1/callbacks/whatsapp`,
    templates: [
      { name: "login_code", language: "en" },
      {
        name: "signin_link",
        language: "en",
        category: "UTILITY",
        body: "Press the button to approve your sign-in to {{1}}. If you did not request it, ignore this message.",
        button: `${publicUrl}/l/{{1}}`
      }
    ],
    script: ({ waId, wamid }) => {
      taken.set(wamid, clock.currentTimeMillisUnsafe())
      if (waId.endsWith("0000")) return WhatsAppSimulator.scripts.undeliverable
      return waId.endsWith("0001") ? WhatsAppSimulator.scripts.silent : WhatsAppSimulator.scripts.read
    }
  })
  const smtp = yield* SmtpSimulator.make({})
  const truecaller = yield* TruecallerSimulator.make({})
  yield* Effect.logInfo("Truecaller is simulated: POST to this URL to consent", {
    consents: `${truecaller.url}/simulator/consents`
  })
  const firebase = yield* FirebaseSimulator.make({})
  yield* Effect.logInfo("Firebase is simulated: POST to this URL to get a token", {
    tokens: `${new URL(firebase.url).origin}/simulator/tokens`
  })
  const { accountSid, authToken } = twilio
  const silent = yield* SilentNetworkSimulator.make({ accountSid, authToken })
  const operator = yield* NumberVerificationSimulator.make({})
  yield* Effect.logInfo(
    "Mobile networks are simulated: open an address with the header x-simulated-number, the SIM's digits"
  )

  const providers: ProviderConfiguration = {
    twilio: {
      accountSid,
      authToken: Redacted.make(authToken),
      from: "+15005550006",
      messagingServiceSid: undefined,
      rcsSender: "rcs:countersign",
      apiUrl: twilio.url,
      verifyService: silent.verifyService,
      verifyUrl: silent.url
    },
    whatsapp: {
      accessToken: Redacted.make(whatsapp.accessToken),
      phoneNumberIds: whatsapp.phoneNumberIds,
      wabaId: whatsapp.wabaId,
      appSecret: Redacted.make(whatsapp.appSecret),
      verifyToken: Redacted.make(whatsapp.verifyToken),
      template: "login_code/en",
      linkTemplate: "signin_link/en",
      apiUrl: whatsapp.url
    },
    smtp: { url: Redacted.make(smtp.url), from: "Countersign <codes@example.com>" },
    truecaller: { clientId: truecaller.clientId, apiUrl: truecaller.url },
    firebase: {
      projectNumber: firebase.projectNumber,
      projectId: firebase.projectId,
      merchants: undefined,
      keysUrl: firebase.keysUrl
    },
    camara: {
      apiUrl: operator.apiUrl,
      tokenUrl: operator.tokenUrl,
      clientId: operator.clientId,
      privateKey: Redacted.make(operator.privateKey),
      keyId: undefined,
      audience: undefined,
      purpose: undefined,
      facts: undefined,
      authorizeUrl: operator.authorizeUrl,
      redirectUri: operator.redirectUri,
      prefixes: undefined,
      operators: undefined
    }
  }

  const messages = simulatedMessages({ twilio, whatsapp, smtp, takenAt: (id) => taken.get(id) ?? 0 })
  /** Completes after the simulator has delivered the customer's message to the webhook. */
  const play: Play = Effect.fnUntraced(function* (message) {
    const letter = yield* whatsapp.letter(message)
    yield* whatsapp.deliver([letter])
    return { messageId: letter.id }
  })
  const playTruecaller: PlayTruecaller = async (consent) =>
    truecaller.authorize({ ...consent, phone: consent.phone.replace(/\D/g, "") }).authorizationCode
  return { providers, pages: outboxPages.make(messages, options), play, playTruecaller }
})
