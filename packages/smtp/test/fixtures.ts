import type { CodeMessage, LinkMessage, NoticeMessage } from "@countersign/core/channel"
import { builtIn, builtInLink, render } from "@countersign/core"
import { Redacted } from "effect"

const hints = { appHash: "", domain: "" }

/** A message as core creates it. */
export const message = (words: Partial<CodeMessage> = {}): CodeMessage => {
  const brand = words.brand ?? "Example Shop"
  const { html, subject, text } = render(builtIn("EMAIL", words.locale ?? "en", hints), {
    link: "",
    code: "482913",
    brand,
    minutes: "5",
    ...hints
  })
  return {
    _tag: "Code",
    deliveryId: "dlv_0123456789abcdefghjkmnpqrs",
    reference: "env_1.ver_0123456789abcdefghjkmnpqrs.dlv_0123456789abcdefghjkmnpqrs",
    to: "reader@mail.example",
    code: Redacted.make("482913"),
    subject: Redacted.make(subject),
    text: Redacted.make(text),
    html: Redacted.make(html ?? ""),
    brand,
    locale: "en",
    validForSeconds: 300,
    expiresAt: 300_000,
    options: {},
    ...words
  }
}

export const linkMessage = (link: string, locale = "en"): LinkMessage => {
  const { code: _, ...rest } = message({ locale })
  const { html, subject, text } = render(builtInLink("EMAIL", locale), {
    link,
    code: "",
    brand: rest.brand,
    minutes: "5",
    ...hints
  })
  return {
    ...rest,
    _tag: "Link",
    url: Redacted.make(link),
    token: Redacted.make(link.slice(link.lastIndexOf("/") + 1)),
    subject: Redacted.make(subject),
    text: Redacted.make(text),
    html: Redacted.make(html ?? "")
  }
}

/** A notice to a team member as core creates it. */
export const notice: NoticeMessage = {
  _tag: "Notice",
  deliveryId: "dlv_0123456789abcdefghjkmnpqrs",
  reference: "env_1.digest_1.dlv_0123456789abcdefghjkmnpqrs",
  to: "agent@mail.example",
  subject: Redacted.make("3 ग्राहक – Example Shop\r\nBcc: other@example.com"),
  text: Redacted.make("3 customers wait.\n\nOpen the inbox:\nhttps://verify.example.com/dashboard/inbox"),
  html: null,
  brand: "Example Shop",
  locale: "en",
  validForSeconds: null,
  expiresAt: null,
  options: {}
}
