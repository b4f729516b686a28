import { Instant } from "@countersign/core"
import { Delivery } from "@countersign/core/channel"
import type { SmtpSimulator, TwilioSimulator, WhatsAppSimulator } from "@countersign/testkit/simulators"
import { Effect, Option, Schema } from "effect"
import { latest, type OutboxMessage } from "./OutboxMessage.ts"

interface Simulators {
  readonly twilio: Pick<TwilioSimulator.TwilioSimulator, "ledger" | "reports">
  readonly whatsapp: Pick<WhatsAppSimulator.WhatsAppSimulator, "messages" | "hooks">
  readonly smtp: Pick<SmtpSimulator.SmtpSimulator, "mails">
  /** When a message without a time of its own was accepted, by the provider's message id. */
  readonly takenAt: (id: string) => Instant.Instant
}

type Statuses = ReadonlyMap<string, Delivery.DeliveryStatus>

const meanings: { readonly [reported: string]: Delivery.DeliveryStatus } = {
  sent: "SENT",
  delivered: "DELIVERED",
  read: "READ",
  failed: "FAILED",
  undelivered: "FAILED"
}

/** The most advanced status of each message, in whatever order its reports came. */
const statusesOf = (reports: ReadonlyArray<{ readonly id: string; readonly status: string }>): Statuses => {
  const statuses = new Map<string, Delivery.DeliveryStatus>()
  for (const { id, status } of reports) {
    const next = meanings[status]
    if (next !== undefined && Delivery.advances(statuses.get(id) ?? "SENT", next)) statuses.set(id, next)
  }
  return statuses
}

const Hook = Schema.fromJsonString(
  Schema.Struct({
    entry: Schema.Array(
      Schema.Struct({
        changes: Schema.Array(
          Schema.Struct({
            value: Schema.Struct({
              statuses: Schema.optionalKey(Schema.Array(Schema.Struct({ id: Schema.String, status: Schema.String })))
            })
          })
        )
      })
    )
  })
)
const decodeHook = Schema.decodeUnknownOption(Hook)

const reportsIn = (hooks: ReadonlyArray<{ readonly body: string }>) =>
  hooks.flatMap(({ body }) =>
    Option.match(decodeHook(body), {
      onNone: () => [],
      onSome: ({ entry }) => entry.flatMap(({ changes }) => changes.flatMap(({ value }) => value.statuses ?? []))
    })
  )

const address = /https?:\/\/\S+/g

/** The first URL in a text. */
const urlIn = (text: string): string | null => text.match(address)?.[0] ?? null

/** The first number in a text that is as long as a code and not part of a URL. */
const codeIn = (text: string): string | null =>
  /(?<![0-9+])[0-9]{4,8}(?![0-9])/.exec(text.replace(address, ""))?.[0] ?? null

const Named = Schema.Struct({ filename: Schema.optionalKey(Schema.String) })
const decodeNamed = Schema.decodeUnknownOption(Named)

/** The text of a WhatsApp message. A file is its kind and name, with its caption below. */
const chatText = ({ payload, text }: Pick<WhatsAppSimulator.WhatsAppMessage, "payload" | "text">): string => {
  const kind = String(payload["type"])
  if (kind === "text" || kind === "template") return text
  const { filename } = Option.getOrElse(decodeNamed(payload[kind]), (): typeof Named.Type => ({}))
  const file = filename === undefined ? `📎 ${kind}` : `📎 ${filename}`
  return text === "" ? file : `${file}\n${text}`
}

/** The messages that the simulators accepted, newest first, with their reported status. */
export const simulatedMessages = ({
  smtp,
  takenAt,
  twilio,
  whatsapp
}: Simulators): Effect.Effect<ReadonlyArray<OutboxMessage>> =>
  Effect.gen(function* () {
    const receipts = statusesOf((yield* twilio.reports).map(({ sid, status }) => ({ id: sid, status })))
    const texts = (yield* twilio.ledger).map(
      ({ at, body, sid, to }): OutboxMessage => ({
        id: sid,
        channel: to.startsWith("rcs:") ? "RCS" : "SMS",
        to: to.replace(/^rcs:/, ""),
        subject: "",
        text: body,
        code: codeIn(body),
        url: urlIn(body),
        at: Instant.toIso(at),
        status: receipts.get(sid) ?? "SENT"
      })
    )
    const updates = statusesOf(reportsIn(yield* whatsapp.hooks))
    const chats = (yield* whatsapp.messages).map(
      ({ code, payload, text, url, userId, waId, wamid }): OutboxMessage => ({
        id: wamid,
        channel: "WHATSAPP",
        to: userId ?? `+${waId}`,
        subject: "",
        text: chatText({ payload, text }),
        code,
        url,
        at: Instant.toIso(takenAt(wamid)),
        status: updates.get(wamid) ?? "SENT"
      })
    )
    const mails = (yield* smtp.mails).map(
      ({ headers, subject, text }): OutboxMessage => ({
        id: headers["message-id"]?.[0] ?? "",
        channel: "EMAIL",
        to: headers["to"]?.[0] ?? "",
        subject,
        text: text ?? "",
        code: codeIn(subject) ?? codeIn(text ?? ""),
        url: urlIn(text ?? ""),
        at: Instant.toIso(Date.parse(headers["date"]?.[0] ?? "") || 0),
        status: "DELIVERED"
      })
    )
    return latest([...texts, ...chats, ...mails])
  })
