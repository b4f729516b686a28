import { json, type Pages, type WireResponse } from "@countersign/http"
import { Effect } from "effect"
import { markup } from "./markup.ts"
import type { OutboxMessage } from "./OutboxMessage.ts"
import { script } from "./script.ts"
import { styles } from "./styles.ts"

/** The page runs and loads only what this server serves, and text can never become markup. */
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

/** The weight of a type in the `Accept` header, from 0 to 1. Wildcards count as 0. */
const wish = (accept: string, type: string): number => {
  for (const range of accept.split(",")) {
    const [name = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase())
    if (name !== type) continue
    const q = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
    const weight = q === undefined ? 1 : Number(q)
    return weight >= 0 && weight <= 1 ? weight : 0
  }
  return 0
}

/** Whether to answer with the page instead of JSON: browsers name HTML in `Accept`, other clients do not. */
const prefersHtml = (accept: string | undefined): boolean =>
  accept !== undefined && wish(accept, "text/html") > wish(accept, "application/json")

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

/** `/dev/outbox`: a page for browsers, JSON for other clients, newest message first. With `demo` the page links to `/demo`. */
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
