import { signal, useSignalEffect } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import type { Answer } from "../api/Api.ts"
import { useRenewal } from "../live/useRenewal.ts"
import { useQuery } from "../query/useQuery.ts"
import { count } from "../words/format.ts"
import { say } from "../words/say.ts"
import { isTroubled } from "./badgesOf.ts"
import { badges } from "./badges.ts"

/** The merchant's endpoints, shared with other screens. Null while loading. */
export const endpoints = signal<Answer<"GET /v1/dashboard/webhooks">["items"] | null>(null)

type Waiting = Answer<"GET /v1/dashboard/leads/waiting">

/** Customers waiting for a reply. Null while loading. */
export const waiting = signal<Waiting | null>(null)

/** The number of waiting customers, with a plus when there are more. */
export const waitingText = (waiting: Pick<Waiting, "count" | "more"> | null): string =>
  `${count(waiting?.count ?? 0)}${waiting?.more === true ? "+" : ""}`

/** Keeps the menu's badges current with two small queries, on events and once a minute. Renders nothing. */
export function Needs() {
  const webhooks = useQuery("GET /v1/dashboard/webhooks", () => ({}), "webhook")
  const leads = useQuery("GET /v1/dashboard/leads/waiting", () => ({}))
  // A failing endpoint sends no event.
  useRenewal(["lead"], { least: 3_000, most: 60_000 }, leads.refetch)
  useRenewal([], { least: 10_000, most: 30_000 }, webhooks.refetch)
  useSignalEffect(() => {
    endpoints.value = webhooks.answer.value?.items ?? null
    const failing = endpoints.value?.filter(isTroubled).length ?? 0
    const inbox = leads.answer.value
    waiting.value = inbox
    badges.value = {
      ...(failing === 0 ? {} : { webhooks: { text: say.shell.failing(count(failing)), bad: true } }),
      ...(inbox === null || inbox.count === 0 ? {} : { inbox: { text: waitingText(inbox), label: say.shell.waiting } })
    }
  })
  useLayoutEffect(
    () => () => {
      endpoints.value = null
      waiting.value = null
      badges.value = {}
    },
    []
  )
  return null
}
