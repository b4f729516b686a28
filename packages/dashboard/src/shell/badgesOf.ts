import type { Answer } from "../api/Api.ts"

type Endpoint = Answer<"GET /v1/dashboard/webhooks">["items"][number]
type Leads = Answer<"GET /v1/dashboard/leads">
type Waiting = Pick<Leads["items"][number], "waitingSince">

/** Whether an endpoint is failing. One that a user disabled is not. */
export const isTroubled = ({
  disabledReason,
  failingSince,
  status
}: Pick<Endpoint, "disabledReason" | "failingSince" | "status">): boolean =>
  status === "ACTIVE" ? failingSince !== null : disabledReason !== "MERCHANT"

/** Number of the latest leads that wait for a reply, and since when. `atLeast` when there are more leads. */
export const waitingOf = ({ items, more }: Pick<Leads, "more"> & { readonly items: ReadonlyArray<Waiting> }) => {
  const since = items.flatMap(({ waitingSince }) => waitingSince ?? []).toSorted()
  return { count: since.length, since: since[0] ?? null, atLeast: more && since.length === items.length }
}
