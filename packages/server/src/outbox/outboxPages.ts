import { json, type Pages, type WireResponse } from "@countersign/http"
import { Effect } from "effect"
import { markup } from "./markup.ts"
import type { OutboxMessage } from "./OutboxMessage.ts"
import { prefersHtml } from "./prefersHtml.ts"
import { script } from "./script.ts"
import { styles } from "./styles.ts"

/** Nothing runs or loads but what this server serves, and no text can become markup. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

const file = (type: string, body: string): WireResponse => ({
  status: 200,
  headers: {
    "content-type": `${type}; charset=utf-8`,
    "content-security-policy": policy,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cache-control": "no-store",
    vary: "accept"
  },
  body
})

const stylesheet = Effect.succeed(file("text/css", styles))
const program = Effect.succeed(file("text/javascript", script))

export const outboxPath = "/dev/outbox"

/** `/dev/outbox`: a page for browsers, the messages as JSON for everybody else, newest first. With `demo` it leads to `/demo`. */
export const make = (
  messages: Effect.Effect<ReadonlyArray<OutboxMessage>>,
  options: { readonly demo: boolean }
): Pages => {
  const page = Effect.succeed(file("text/html", markup(options)))
  const data = Effect.map(messages, (items) => json(200, { items }, { "cache-control": "no-store", vary: "accept" }))
  return {
    [outboxPath]: (request) => (prefersHtml(request.header("accept")) ? page : data),
    [`${outboxPath}.css`]: () => stylesheet,
    [`${outboxPath}.js`]: () => program
  }
}
