import { type ProviderCheck, ProviderCheckFailed } from "@countersign/core/channel"
import { Effect } from "effect"
import type { Messages, Reply } from "./Messages.ts"

const fail = (problem: string, advice: string) => Effect.fail(new ProviderCheckFailed({ problem, advice }))

type NotTaken = Exclude<Reply, { readonly _tag: "Taken" }>

const refusal = (reply: NotTaken) => {
  if (reply._tag === "NotReached")
    return fail(`cannot be reached (${reply.why})`, "let this machine reach api.twilio.com on port 443")
  if (reply._tag === "Lost") return fail(`gave no usable answer (${reply.why})`, "try again; see status.twilio.com")
  const { code, status } = reply
  const words = code === null ? `HTTP ${status}` : `HTTP ${status}, code ${code}`
  if (status === 401 || code === 20003)
    return fail(
      `does not accept the account and its auth token (${words})`,
      "compare both with those in Twilio's console, the live ones; a token of before ends when it is rotated"
    )
  if (status === 404) return fail(`knows no such account (${words})`, "compare the account SID with Twilio's console")
  if (status === 429 || status >= 500) return fail(`cannot answer now (${words})`, "try again; see status.twilio.com")
  return fail(`does not let us see the account (${words})`, "look the code up at twilio.com/docs/api/errors")
}

/** Asks Twilio about the account: whether the credentials open it, and whether it is active. */
export const check = (messages: Messages): ProviderCheck =>
  Effect.flatMap(messages.account, (reply) => {
    if (reply._tag !== "Account") return refusal(reply)
    const { isTrial, status } = reply
    if (status !== "active") return fail(`says that the account is ${status}`, "ask Twilio's support to open it again")
    return Effect.succeed({
      detail: isTrial
        ? "the account is active, and a trial: messages reach numbers that you verified there, and no others"
        : "the account is active"
    })
  })
