import type { CodeMessage, LinkMessage, NoticeMessage } from "@countersign/core/channel"
import { type Answered, field, json, type Outcome } from "@countersign/provider-http"
import { Redacted } from "effect"
import type { Asked } from "./askSigned.ts"
import { refusal } from "./errors.ts"
import type { Account } from "./Options.ts"

/** SES returns this header in its events, which identifies the message. */
export const referenceHeader = "X-Countersign-Reference"

const words = (data: string) => ({ Data: data, Charset: "UTF-8" })

/** A line break in a subject would start another header. */
const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, " ")

const asked = (sesUrl: string, body: object): Asked => ({
  service: "ses",
  url: `${sesUrl}/v2/email/outbound-emails`,
  contentType: "application/json",
  body: JSON.stringify(body)
})

/** A SendEmail request to one address. */
export const sendEmail = (
  sesUrl: string,
  { configurationSet, from }: NonNullable<Account["email"]>,
  { html, reference, subject, text, to }: CodeMessage | LinkMessage | NoticeMessage
): Asked =>
  asked(sesUrl, {
    FromEmailAddress: from,
    Destination: { ToAddresses: [to] },
    Content: {
      Simple: {
        Subject: words(oneLine(Redacted.value(subject))),
        Body: {
          Text: words(Redacted.value(text)),
          ...(html === null ? {} : { Html: words(Redacted.value(html)) })
        },
        Headers: [
          { Name: referenceHeader, Value: reference },
          { Name: "Auto-Submitted", Value: "auto-generated" }
        ]
      }
    },
    ...(configurationSet === null ? {} : { ConfigurationSetName: configurationSet })
  })

/** An empty SendEmail request, to check the credentials. */
export const nothing = (sesUrl: string): Asked => asked(sesUrl, {})

export const read = (answer: Answered): Outcome | undefined => {
  const body = json(answer)
  const id = field(body, "MessageId")
  if (answer.status === 200 && typeof id === "string" && /^[\w-]{1,200}$/.test(id)) return { providerId: id }
  const type = answer.header("x-amzn-errortype") ?? field(body, "__type")
  return refusal(answer, typeof type === "string" ? type : undefined)
}
