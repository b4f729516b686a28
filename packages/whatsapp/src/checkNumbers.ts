import { type ProviderCheck, ProviderCheckFailed } from "@countersign/core/channel"
import { Effect } from "effect"
import { isGood, templateStatus } from "./findIn.ts"
import type { Graph } from "./Graph.ts"
import { healthFields, healthOf, reasonsOf } from "./healthOf.ts"
import type { Settings } from "./Options.ts"
import type { TemplateName } from "./TemplateName.ts"
import { shown, wordsOf } from "./words.ts"

const atOnce = 4

const tokenAdvice = "use the token of a system user who has the WhatsApp account among their assets"

const fail = (problem: string, advice: string) => Effect.fail(new ProviderCheckFailed({ problem, advice }))

/** Checks each number with Meta, and the templates if the account id is known. Reports the first problem. */
export const checkNumbers = (graph: Graph, settings: Settings): ProviderCheck => {
  const { accessToken, linkTemplate, phoneNumberIds, template, wabaId } = settings

  const number = Effect.fnUntraced(function* (id: string) {
    const reply = yield* graph.get(id, { fields: healthFields })
    const health = isGood(reply) ? healthOf(reply.body) : null
    if (!isGood(reply) || health === null)
      return yield* fail(`number ${id}: ${wordsOf(reply, accessToken)}`, `check the id; ${tokenAdvice}`)
    if (health === "blocked")
      return yield* fail(
        shown(`number ${id} cannot send. ${reasonsOf(reply.body)}`, accessToken),
        "connect it to the Cloud API, or check it in WhatsApp Manager"
      )
    return health
  })

  const approved = Effect.fnUntraced(function* (account: string, wanted: TemplateName) {
    const { language, name } = wanted
    const state = yield* Effect.mapError(
      templateStatus(graph, account, wanted),
      (reply) =>
        new ProviderCheckFailed({
          problem: `account ${account}: ${wordsOf(reply, accessToken)}`,
          advice: `check the id; ${tokenAdvice}`
        })
    )
    if (state === "APPROVED") return
    yield* fail(
      state === null
        ? `the account has no template ${name} in language ${language}`
        : shown(`template ${name} in language ${language} is ${state}`, accessToken),
      "create it in WhatsApp Manager and wait until Meta has approved it"
    )
  })

  return Effect.gen(function* () {
    const health = yield* Effect.forEach(phoneNumberIds, number, { concurrency: atOnce })
    const poor = health.filter((each) => each === "poor").length
    const numbers = `${health.length} ${health.length === 1 ? "number" : "numbers"} can send${poor === 0 ? "" : `, ${poor} with a poor rating`}`
    if (wabaId === null)
      return { detail: `${numbers}; templates were not checked, because WHATSAPP_WABA_ID (wabaId) is not set` }
    const templates = linkTemplate === null ? [template] : [template, linkTemplate]
    yield* Effect.forEach(templates, (each) => approved(wabaId, each), { concurrency: atOnce, discard: true })
    return { detail: `${numbers}; ${templates.map(({ name }) => name).join(" and ")} approved` }
  })
}
