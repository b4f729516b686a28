import { type ProviderCheck, ProviderCheckFailed } from "@countersign/core/channel"
import { Effect } from "effect"
import { isGood, templateStatus } from "./findIn.ts"
import type { Graph } from "./Graph.ts"
import { healthFields, healthOf, reasonsOf } from "./healthOf.ts"
import type { Settings } from "./Options.ts"
import type { TemplateName } from "./TemplateName.ts"
import { shown, wordsOf } from "./words.ts"

/** Meta shows the same numbers and templates to all that ask in the name of one token. */
const atOnce = 4

const tokenAdvice = "give a system user's token that has the WhatsApp account among its assets"

const fail = (problem: string, advice: string) => Effect.fail(new ProviderCheckFailed({ problem, advice }))

/** Asks Meta about each number, and about the templates where the account is known. The first problem is told. */
export const checkNumbers = (graph: Graph, settings: Settings): ProviderCheck => {
  const { accessToken, linkTemplate, phoneNumberIds, template, wabaId } = settings

  const number = Effect.fnUntraced(function* (id: string) {
    const reply = yield* graph.get(id, { fields: healthFields })
    const health = isGood(reply) ? healthOf(reply.body) : null
    if (!isGood(reply) || health === null)
      return yield* fail(`number ${id}: ${wordsOf(reply, accessToken)}`, `look at the id; ${tokenAdvice}`)
    if (health === "blocked")
      return yield* fail(
        shown(`number ${id} cannot send. ${reasonsOf(reply.body)}`, accessToken),
        "connect it to the Cloud API, or see what WhatsApp Manager says of it"
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
          advice: `look at the id; ${tokenAdvice}`
        })
    )
    if (state === "APPROVED") return
    yield* fail(
      state === null
        ? `the account has no template ${name} in language ${language}`
        : shown(`template ${name} in language ${language} is ${state}`, accessToken),
      "make it in WhatsApp Manager and wait until Meta has approved it"
    )
  })

  return Effect.gen(function* () {
    const health = yield* Effect.forEach(phoneNumberIds, number, { concurrency: atOnce })
    const poor = health.filter((each) => each === "poor").length
    const numbers = `${health.length} ${health.length === 1 ? "number" : "numbers"} can send${poor === 0 ? "" : `, ${poor} with a poor rating`}`
    if (wabaId === null) return { detail: `${numbers}; templates were not looked at without the account's id` }
    const templates = linkTemplate === null ? [template] : [template, linkTemplate]
    yield* Effect.forEach(templates, (each) => approved(wabaId, each), { concurrency: atOnce, discard: true })
    return { detail: `${numbers}; ${templates.map(({ name }) => name).join(" and ")} approved` }
  })
}
