import { Clock, Effect } from "effect"
import { createHmac } from "node:crypto"
import type { CustomerLetter } from "./WhatsAppCustomer.ts"
import { titleOf } from "./WhatsAppError.ts"
import type { Content } from "./WhatsAppMessage.ts"

/** A message that the simulator accepted. */
export interface WhatsAppMessage extends Content {
  readonly wamid: string
  readonly phoneNumberId: string
}

export type WhatsAppStatus = "sent" | "delivered" | "read" | "played" | "failed"

/** A status change of a message. */
export interface WhatsAppUpdate {
  readonly wamid: string
  readonly status: WhatsAppStatus
  /** Only for `failed`. */
  readonly errorCode?: number | undefined
}

/** One webhook, in the order of sending. */
export interface WhatsAppHook {
  /** The body as text, with Meta's escapes. */
  readonly body: string
  readonly signature: string
  /** Your service's HTTP status for each send; 0 when it did not respond. */
  readonly answers: ReadonlyArray<number>
}

const href = "https://developers.facebook.com/docs/whatsapp/cloud-api/support/error-codes/"
const undeliverable = 131026

const errorItem = (code: number) => {
  const title = titleOf(code)
  return { code, title, message: title, error_data: { details: `${title}.` }, href }
}

/** A status in a webhook's form. */
export const statusItem = (message: WhatsAppMessage, update: WhatsAppUpdate, now: number) => ({
  id: message.wamid,
  status: update.status,
  timestamp: String(Math.floor(now / 1_000)),
  ...(message.waId === "" ? {} : { recipient_id: message.waId }),
  ...(message.userId === null ? {} : { recipient_user_id: message.userId }),
  ...(message.reference === null ? {} : { biz_opaque_callback_data: message.reference }),
  ...(update.status === "failed"
    ? { errors: [errorItem(update.errorCode ?? undeliverable)] }
    : { pricing: { billable: true, pricing_model: "PMP", type: "regular", category: "authentication" } })
})

/** Meta's wrapper around the statuses and messages of one number. */
export const valueOf = (
  phoneNumberId: string,
  value: { readonly [name: string]: unknown },
  display = "15550001111"
) => ({
  messaging_product: "whatsapp",
  metadata: { display_phone_number: display, phone_number_id: phoneNumberId },
  ...value
})

export interface WebhookEntry {
  readonly id: string
  readonly changes: ReadonlyArray<{ readonly field: string; readonly value: unknown }>
}

export const envelopeOf = (entry: ReadonlyArray<WebhookEntry>) => ({ object: "whatsapp_business_account", entry })

export const envelope = (wabaId: string, changes: WebhookEntry["changes"]) => envelopeOf([{ id: wabaId, changes }])

/** Groups values by business account, in the order of each account's first value. */
export const entriesOf = (
  values: Iterable<readonly [phoneNumberId: string, value: unknown]>,
  wabaOf: (phoneNumberId: string) => string
): ReadonlyArray<WebhookEntry> => {
  const entries = new Map<string, Array<{ readonly field: string; readonly value: unknown }>>()
  for (const [phoneNumberId, value] of values) {
    const wabaId = wabaOf(phoneNumberId)
    const changes = entries.get(wabaId) ?? []
    entries.set(wabaId, changes)
    changes.push({ field: "messages", value })
  }
  return Array.from(entries, ([id, changes]) => ({ id, changes }))
}

/** JSON with Meta's escapes, so that parsing and re-encoding it changes the bytes. */
export const encode = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll("/", "\\/")
    .replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** The value of `X-Hub-Signature-256`. */
export const sign = (appSecret: string, body: string | Uint8Array): string =>
  `sha256=${createHmac("sha256", appSecret).update(body).digest("hex")}`

export interface Poster {
  /** Sends a webhook and returns the first response's status. Any status but 200 is retried in the background. */
  readonly post: (value: unknown) => Effect.Effect<number>
  readonly hooks: Effect.Effect<ReadonlyArray<WhatsAppHook>>
}

export interface PosterOptions {
  readonly appSecret: string
  /** Null when there is no callback. */
  readonly callbackUrl: () => string | null
  readonly retries: number
  readonly fork: (effect: Effect.Effect<void>) => void
}

const request = (url: string, body: string, signature: string): Effect.Effect<number> =>
  Effect.tryPromise({
    try: async (signal) => {
      const headers = {
        "content-type": "application/json",
        "x-hub-signature-256": signature,
        "user-agent": "facebookexternalua"
      }
      const { body: answer, status } = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" })
      await answer?.cancel()
      return status
    },
    catch: () => 0
  }).pipe(Effect.orElseSucceed(() => 0))

export const makePoster = ({ appSecret, callbackUrl, fork, retries }: PosterOptions): Poster => {
  const hooks: Array<WhatsAppHook & { readonly answers: Array<number> }> = []

  const again = (once: Effect.Effect<number>) =>
    Effect.gen(function* () {
      for (let retry = 0; retry < retries; retry++) {
        yield* Effect.sleep(1_000 * 2 ** retry)
        if ((yield* once) === 200) return
      }
    })

  const post = (value: unknown) =>
    Effect.suspend(() => {
      const url = callbackUrl()
      if (url === null) return Effect.succeed(0)
      const body = encode(value)
      const hook = { body, signature: sign(appSecret, body), answers: new Array<number>() }
      hooks.push(hook)
      const once = Effect.tap(request(url, body, hook.signature), (status) =>
        Effect.sync(() => hook.answers.push(status))
      )
      return Effect.tap(once, (status) => Effect.sync(() => status !== 200 && fork(again(once))))
    })

  return { post, hooks: Effect.sync(() => hooks.map((hook) => ({ ...hook, answers: [...hook.answers] }))) }
}

/** The webhook values of some updates: one for each number, as Meta batches them. */
export const statusValues = (
  updates: ReadonlyArray<WhatsAppUpdate>,
  find: (wamid: string) => WhatsAppMessage | undefined
): Effect.Effect<ReadonlyMap<string, unknown>> =>
  Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    const byNumber = new Map<string, Array<unknown>>()
    for (const update of updates) {
      const message = find(update.wamid)
      if (message === undefined) return yield* Effect.die(new Error("no message of that wamid was accepted"))
      const items = byNumber.get(message.phoneNumberId) ?? []
      byNumber.set(message.phoneNumberId, items)
      items.push(statusItem(message, update, now))
    }
    return new Map(Array.from(byNumber, ([id, statuses]) => [id, valueOf(id, { statuses })]))
  })

/** The webhook values of customers' actions, in this order, repetitions included. */
export const letterValues = (
  letters: ReadonlyArray<CustomerLetter>,
  displayOf: (phoneNumberId: string) => string
): ReadonlyMap<string, unknown> => {
  const byNumber = new Map<string, Array<CustomerLetter>>()
  for (const letter of letters) {
    const theirs = byNumber.get(letter.phoneNumberId) ?? []
    byNumber.set(letter.phoneNumberId, theirs)
    theirs.push(letter)
  }
  return new Map(
    Array.from(byNumber, ([id, theirs]) => {
      const contacts = [...new Map(theirs.map(({ contact, writer }) => [writer, contact])).values()]
      return [id, valueOf(id, { contacts, messages: theirs.map(({ item }) => item) }, displayOf(id))]
    })
  )
}

/** Meta's check before it subscribes: whether the callback returns the challenge. */
export const subscribes = (url: string, verifyToken: string): Effect.Effect<boolean> =>
  Effect.tryPromise(async (signal) => {
    const challenge = "1158201444"
    const asked = new URL(url)
    asked.searchParams.set("hub.mode", "subscribe")
    asked.searchParams.set("hub.verify_token", verifyToken)
    asked.searchParams.set("hub.challenge", challenge)
    const answer = await fetch(asked, { signal })
    return answer.status === 200 && (await answer.text()) === challenge
  }).pipe(Effect.orElseSucceed(() => false))
