import { ChannelError, InvalidOptions, type OutcomeUnknown, Refused, type Unavailable } from "@countersign/core/channel"
import { Effect, Option, Schema } from "effect"
import type { HttpClient } from "effect/http"
import { definitionOf } from "./definitionOf.ts"
import { isGood, templateStatus } from "./findIn.ts"
import * as Graph from "./Graph.ts"
import { check, type Options, provider } from "./Options.ts"
import { outcomeOf } from "./outcome.ts"

/** Meta's status of a template. Only `APPROVED` templates can be sent. Meta may add new statuses. */
export type TemplateStatus = "APPROVED" | "PENDING" | "REJECTED" | "PAUSED" | "DISABLED" | (string & {})

export interface EnsuredTemplate {
  readonly status: TemplateStatus
  /** Whether this call created it. */
  readonly created: boolean
}

const decodeCreated = Schema.decodeUnknownOption(Schema.Struct({ status: Schema.String }))

const unreadable = new Refused({ providerCode: "unreadable", because: "account" })
const fail = (reason: Refused | Unavailable | OutcomeUnknown) =>
  Effect.fail(new ChannelError({ channel: "WHATSAPP", reason }))

/** The error for an unusable answer. */
const refuse = (reply: Graph.Reply) => {
  const { result } = outcomeOf(reply)
  return fail("_tag" in result ? result : unreadable)
}

/**
 * Creates the template of `options` in the WhatsApp business account unless it exists, and returns its status. The
 * template's time to live is the code's life: Meta drops messages that it cannot deliver in time. An existing template is
 * not changed.
 *
 * @example
 * ```ts
 * import { WhatsApp } from "@countersign/whatsapp"
 * import { Console, Effect } from "effect"
 *
 * const program = (options: WhatsApp.Options) =>
 *   WhatsApp.ensureTemplate(options, { codeExpirySeconds: 300 }).pipe(
 *     Effect.flatMap(({ created, status }) => Console.log(created ? "made" : "there already", status))
 *   )
 * ```
 */
export const ensureTemplate = Effect.fnUntraced(function* (
  options: Options,
  { codeExpirySeconds }: { readonly codeExpirySeconds: number }
): Effect.fn.Return<EnsuredTemplate, InvalidOptions | ChannelError, HttpClient.HttpClient> {
  const { accessToken, baseUrl, wabaId } = yield* Effect.fromResult(check(options))
  if (wabaId === null) {
    return yield* new InvalidOptions({
      provider,
      problems: [{ option: "wabaId", problem: "is required for templates" }]
    })
  }
  const graph = (yield* Graph.make(baseUrl))(accessToken)
  const status = yield* templateStatus(graph, wabaId, options.template).pipe(Effect.catch(refuse))
  if (status !== null) return { status, created: false }
  const reply = yield* graph.post(
    `${wabaId}/message_templates`,
    definitionOf({
      ...options.template,
      purpose: "CODE",
      body: null,
      examples: [],
      linkBase: null,
      validForSeconds: codeExpirySeconds
    })
  )
  if (!isGood(reply)) return yield* refuse(reply)
  const created = decodeCreated(reply.body)
  return Option.isNone(created) ? yield* fail(unreadable) : { status: created.value.status, created: true }
})
