import type { Message } from "@countersign/core/channel"
import { type Answered, type Outcome } from "@countersign/provider-http"
import { Redacted } from "effect"
import type { Asked } from "./askSigned.ts"
import { refusal } from "./errors.ts"
import type { Account } from "./Options.ts"

/** The attributes that SNS passes to carriers. Ids of 19 digits are sent as text. */
const attributesOf = (
  { entityId, from }: NonNullable<Account["sms"]>,
  { options: { header, templateId } }: Message
): ReadonlyArray<readonly [name: string, value: string]> => {
  const sender = header ?? from
  return [
    ["AWS.SNS.SMS.SMSType", "Transactional"],
    [sender.startsWith("+") ? "AWS.MM.SMS.OriginationNumber" : "AWS.SNS.SMS.SenderID", sender],
    ...(entityId === null ? [] : [["AWS.MM.SMS.EntityId", entityId] as const]),
    ...(templateId === undefined ? [] : [["AWS.MM.SMS.TemplateId", templateId] as const])
  ]
}

const version = "2010-03-31"

const asked = (snsUrl: string, form: URLSearchParams): Asked => ({
  service: "sns",
  url: `${snsUrl}/`,
  contentType: "application/x-www-form-urlencoded; charset=utf-8",
  body: form.toString()
})

/** A Publish request for one SMS. SNS supports neither an idempotency key nor an expiry. */
export const publish = (snsUrl: string, sms: NonNullable<Account["sms"]>, message: Message): Asked => {
  const form = new URLSearchParams({
    Action: "Publish",
    Version: version,
    PhoneNumber: message.to,
    Message: Redacted.value(message.text)
  })
  for (const [n, [name, value]] of attributesOf(sms, message).entries()) {
    const entry = `MessageAttributes.entry.${n + 1}`
    form.set(`${entry}.Name`, name)
    form.set(`${entry}.Value.DataType`, "String")
    form.set(`${entry}.Value.StringValue`, value)
  }
  return asked(snsUrl, form)
}

/** An empty Publish request, to check the credentials. */
export const nothing = (snsUrl: string): Asked =>
  asked(snsUrl, new URLSearchParams({ Action: "Publish", Version: version }))

const element = (xml: string | null, name: string) =>
  new RegExp(`<${name}>([^<>]{1,200})</${name}>`).exec(xml ?? "")?.[1]

/** Reads SNS's XML answer, of which only two elements matter. */
export const read = (answer: Answered): Outcome | undefined => {
  const id = element(answer.text, "MessageId")
  return answer.status === 200 && id !== undefined && /^[\w-]{1,100}$/.test(id)
    ? { providerId: id }
    : refusal(answer, element(answer.text, "Code"))
}
