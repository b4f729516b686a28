import { type Account, type AccountFacts, AccountRefused } from "@countersign/core/channel"
import { Effect, Option, type Redacted, Schema } from "effect"
import { findIn, isGood, templateStatus } from "./findIn.ts"
import type { Graph, Reply } from "./Graph.ts"
import { healthOf, reasonsOf } from "./healthOf.ts"
import { isId, isToken } from "./Options.ts"
import type { OwnTemplates } from "./payload.ts"
import { shown, wordsOf } from "./words.ts"

/** The timeout of the connect request. */
const patience = "25 seconds"

const fields = "id,display_phone_number,verified_name,status,quality_rating,health_status"

const decodeNumber = Schema.decodeUnknownOption(
  Schema.Struct({
    display_phone_number: Schema.optionalKey(Schema.Unknown),
    verified_name: Schema.optionalKey(Schema.Unknown),
    status: Schema.optionalKey(Schema.Unknown)
  })
)
const decodeId = Schema.decodeUnknownOption(Schema.Struct({ id: Schema.String }))
const decodeSuccess = Schema.decodeUnknownOption(Schema.Struct({ success: Schema.Literal(true) }))

type Candidate = Account & { readonly groupId: string }

const refuse = (problem: string) => Effect.fail(new AccountRefused({ problem }))

/** Returns the problem with the input, or null. */
const problemOf = ({ accessToken, groupId, id }: Candidate): string | null => {
  if (!isId(id))
    return "phoneNumberId must be a phone number id, which consists of digits: not the phone number, and not the account's id"
  if (!isId(groupId)) return "wabaId must be an account id, which consists of digits"
  return isToken(accessToken) ? null : "accessToken must be visible ASCII without spaces"
}

const wordOf = (text: unknown, accessToken: Redacted.Redacted): string | null => {
  const word = typeof text === "string" ? shown(text, accessToken) : ""
  return word === "" ? null : word
}

/**
 * Connects a merchant's number. Asks Meta, with the merchant's access token, whether the number can send messages. Then
 * subscribes the app to the merchant's account; without that, Meta sends no webhooks. Changes nothing at Meta until all
 * checks have passed.
 */
export const connect = (
  graphOf: (accessToken: Redacted.Redacted) => Graph,
  { template }: Pick<OwnTemplates, "template">,
  candidate: Candidate
): Effect.Effect<AccountFacts, AccountRefused> => {
  const { accessToken, groupId, id } = candidate
  const said = (reply: Reply) => new AccountRefused({ problem: wordsOf(reply, accessToken) })

  const checked = Effect.gen(function* () {
    const problem = problemOf(candidate)
    if (problem !== null) return yield* refuse(problem)
    const graph = graphOf(accessToken)

    const node = yield* graph.get(id, { fields })
    const number = isGood(node) ? decodeNumber(node.body) : Option.none()
    if (!isGood(node) || Option.isNone(number)) return yield* said(node)

    const member = yield* findIn(graph, `${groupId}/phone_numbers`, { fields: "id" }, (item) =>
      Option.filter(decodeId(item), (found) => found.id === id)
    ).pipe(Effect.mapError(said))
    if (member === null) {
      return yield* refuse(`The number ${id} does not belong to the WhatsApp business account ${groupId}`)
    }

    const { display_phone_number, status, verified_name } = number.value
    if (status !== "CONNECTED") {
      const state = wordOf(status, accessToken) ?? "unknown"
      return yield* refuse(`The number is ${state} at Meta and must be CONNECTED: register it with the Cloud API first`)
    }
    if (healthOf(node.body) === "blocked") {
      return yield* refuse(shown(`Meta blocks the number. ${reasonsOf(node.body)}`, accessToken))
    }

    // The link template is not checked, because many merchants send no links, and Meta does not approve it for every
    // merchant.
    const { language, name } = template
    const state = yield* Effect.mapError(templateStatus(graph, groupId, template), said)
    if (state !== "APPROVED") {
      const found = state === null ? "missing from" : `${wordOf(state, accessToken) ?? "unknown"} in`
      return yield* refuse(
        `The template ${name} in language ${language} is ${found} the WhatsApp business account ${groupId}: it must exist ` +
          "there and be APPROVED, because codes are sent with it"
      )
    }

    const subscribed = yield* graph.post(`${groupId}/subscribed_apps`, {})
    if (!isGood(subscribed) || Option.isNone(decodeSuccess(subscribed.body))) return yield* said(subscribed)
    return {
      displayNumber: wordOf(display_phone_number, accessToken),
      displayName: wordOf(verified_name, accessToken)
    }
  })

  return Effect.timeoutOrElse(checked, {
    duration: patience,
    orElse: () => refuse("Meta did not answer in time; try again")
  })
}
