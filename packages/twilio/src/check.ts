import { type ProviderCheck, ProviderCheckFailed } from "@countersign/core/channel"
import { Effect } from "effect"
import type { Messages, Reply } from "./Messages.ts"

const fail = (problem: string, advice: string) => Effect.fail(new ProviderCheckFailed({ problem, advice }))

type NotTaken = Exclude<Reply, { readonly _tag: "Taken" }>

const refusal = (reply: NotTaken) => {
  if (reply._tag === "NotReached")
    return fail(`is unreachable (${reply.why})`, "check that this machine can reach api.twilio.com on port 443")
  if (reply._tag === "Lost") return fail(`gave no usable answer (${reply.why})`, "try again; see status.twilio.com")
  const { code, status } = reply
  const words = code === null ? `HTTP ${status}` : `HTTP ${status}, code ${code}`
  if (status === 401 || code === 20003)
    return fail(
      `does not accept the account and its auth token (${words})`,
      "compare both with the live credentials in Twilio's console; rotating the auth token invalidates the previous one"
    )
  if (status === 404)
    return fail(`does not know this account (${words})`, "compare the account SID with Twilio's console")
  if (status === 429 || status >= 500)
    return fail(`is temporarily unavailable (${words})`, "try again; see status.twilio.com")
  return fail(`denies access to the account (${words})`, "look up the code at twilio.com/docs/api/errors")
}

/** Checks with Twilio that the credentials are valid and the account is active. */
export const check = (messages: Messages): ProviderCheck =>
  Effect.flatMap(messages.account, (reply) => {
    if (reply._tag !== "Account") return refusal(reply)
    const { isTrial, status } = reply
    if (status !== "active")
      return fail(`reports that the account is ${status}`, "ask Twilio's support to reactivate it")
    return Effect.succeed({
      detail: isTrial
        ? "the account is an active trial: messages reach only numbers that you verified at Twilio"
        : "the account is active"
    })
  })
