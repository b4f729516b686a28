import {
  type NewProviderTemplate,
  type ProviderTemplates,
  type TemplateAccount,
  type TemplateFacts,
  type TemplateName,
  TemplatesUnanswered
} from "@countersign/core/channel"
import { Effect, Option, type Redacted, Schema } from "effect"
import { definitionOf } from "./definitionOf.ts"
import { findIn, isGood } from "./findIn.ts"
import type { Graph, Reply } from "./Graph.ts"
import { isId, isToken } from "./Options.ts"
import { type OwnTemplates, templateIn } from "./payload.ts"
import { shown, wordsOf } from "./words.ts"

/** The timeout of template requests. */
const patience = "15 seconds"

const decodeTemplate = Schema.decodeUnknownOption(
  Schema.Struct({
    name: Schema.String,
    language: Schema.String,
    status: Schema.String,
    category: Schema.optionalKey(Schema.Unknown),
    components: Schema.optionalKey(Schema.Unknown)
  })
)
const decodeComponents = Schema.decodeUnknownOption(Schema.Array(Schema.Unknown))
const decodeBody = Schema.decodeUnknownOption(Schema.Struct({ type: Schema.Literal("BODY"), text: Schema.String }))
const decodeButtons = Schema.decodeUnknownOption(
  Schema.Struct({ type: Schema.Literal("BUTTONS"), buttons: Schema.Array(Schema.Unknown) })
)
const decodeButton = Schema.decodeUnknownOption(
  Schema.Struct({ type: Schema.String, url: Schema.optionalKey(Schema.String) })
)
const decodeMade = Schema.decodeUnknownOption(Schema.Struct({ status: Schema.String }))

const states: { readonly [word: string]: TemplateFacts["status"] } = {
  APPROVED: "APPROVED",
  // Recipients complained, or an appeal is pending, but Meta still sends it.
  FLAGGED: "APPROVED",
  REINSTATED: "APPROVED",
  UNARCHIVED: "APPROVED",
  PENDING: "PENDING",
  IN_APPEAL: "PENDING",
  REJECTED: "REJECTED",
  PAUSED: "PAUSED",
  LIMIT_EXCEEDED: "REJECTED"
}

/** Converts Meta's status of a template. Templates with an unknown status are not sent. */
export const statusOf = (word: string): TemplateFacts["status"] =>
  Object.hasOwn(states, word) ? states[word]! : "DISABLED"

/** The number of distinct placeholders in a text. */
const placesIn = (text: string): number =>
  new Set(Array.from(text.matchAll(/\{\{([^{}]*)\}\}/g), ([, name]) => name!.trim())).size

const takesValue = (button: unknown): boolean =>
  Option.match(decodeButton(button), {
    onNone: () => false,
    onSome: ({ type, url = "" }) => type === "OTP" || (type === "URL" && url.includes("{{"))
  })

/** The placeholders of a template's parts; null when Meta does not list them. */
const partsOf = (components: unknown): Pick<TemplateFacts, "hasButton" | "values"> =>
  Option.match(decodeComponents(components), {
    onNone: () => ({ values: null, hasButton: null }),
    onSome: (parts) => {
      const body = parts.map((part) => decodeBody(part)).find(Option.isSome)
      const buttons = parts.flatMap((part) =>
        Option.match(decodeButtons(part), { onNone: () => [], onSome: ({ buttons }) => buttons })
      )
      return { values: body === undefined ? null : placesIn(body.value.text), hasButton: buttons.some(takesValue) }
    }
  })

/** Manages templates of the service's own WhatsApp business account, or of a merchant's, with that number's token. */
export const templates = (
  graphOf: (accessToken: Redacted.Redacted) => Graph,
  own: OwnTemplates & { readonly accessToken: Redacted.Redacted; readonly wabaId: string | null }
): ProviderTemplates => {
  const fail = (problem: string) => Effect.fail(new TemplatesUnanswered({ problem }))

  /** The account and token of the templates; null when the account id is unknown. */
  const placeOf = (account: TemplateAccount) => {
    const accessToken = account?.accessToken ?? own.accessToken
    const wabaId = account === null ? own.wabaId : account.groupId
    return wabaId === null || !isId(wabaId) || !isToken(accessToken) ? null : { accessToken, wabaId }
  }

  const inPlace = <A>(
    account: TemplateAccount,
    ask: (
      graph: Graph,
      wabaId: string,
      said: (reply: Reply) => TemplatesUnanswered
    ) => Effect.Effect<A, TemplatesUnanswered>
  ) => {
    const place = placeOf(account)
    if (place === null)
      return fail("the WhatsApp business account of the templates is unknown: set WHATSAPP_WABA_ID (wabaId)")
    const said = (reply: Reply) => new TemplatesUnanswered({ problem: wordsOf(reply, place.accessToken) })
    return Effect.timeoutOrElse(ask(graphOf(place.accessToken), place.wabaId, said), {
      duration: patience,
      orElse: () => fail("Meta did not answer in time; try again")
    })
  }

  const look = ({ language, name }: TemplateName, account: TemplateAccount) =>
    inPlace(account, (graph, wabaId, said) => {
      // Meta matches the name only partially, so items are compared again.
      const query = { name, fields: "name,language,status,category,components" }
      return findIn(graph, `${wabaId}/message_templates`, query, (item) =>
        Option.flatMap(decodeTemplate(item), ({ category, components, status, ...found }) =>
          found.name === name && found.language === language
            ? Option.some({ status: statusOf(status), category: wordOf(category), ...partsOf(components) })
            : Option.none()
        )
      ).pipe(Effect.mapError(said))
    })

  const wordOf = (category: unknown) => (typeof category === "string" ? shown(category, own.accessToken) : "unknown")

  const submit = (template: NewProviderTemplate, account: TemplateAccount) =>
    inPlace(account, (graph, wabaId, said) =>
      Effect.flatMap(graph.post(`${wabaId}/message_templates`, definitionOf(template)), (reply) => {
        const made = isGood(reply) ? decodeMade(reply.body) : Option.none()
        return Option.isNone(made) ? Effect.fail(said(reply)) : Effect.succeed({ status: statusOf(made.value.status) })
      })
    )

  return { hasOwn: own.wabaId !== null, look, submit, shown: (message) => templateIn(message, own) }
}
