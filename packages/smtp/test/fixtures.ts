import type { CodeMessage } from "@countersign/core/channel"
import { builtIn, render } from "@countersign/core"
import { Redacted } from "effect"

const hints = { appHash: "", domain: "" }

/** A message as core makes it. */
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
