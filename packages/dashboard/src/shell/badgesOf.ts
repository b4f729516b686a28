import type { Answer } from "../api/Api.ts"

type Endpoint = Answer<"GET /v1/dashboard/webhooks">["items"][number]
type Leads = Answer<"GET /v1/dashboard/leads">
type Waiting = Pick<Leads["items"][number], "waitingSince">

/** An endpoint that nothing gets through to. One that somebody switched off themselves is as they want it. */
export const isTroubled = ({
  disabledReason,
  failingSince,
  status
}: Pick<Endpoint, "disabledReason" | "failingSince" | "status">): boolean =>
  status === "ACTIVE" ? failingSince !== null : disabledReason !== "MERCHANT"

/** How many of the latest leads wait for a reply, and since when; `atLeast` where not all were looked at. */
export const waitingOf = ({ items, more }: Pick<Leads, "more"> & { readonly items: ReadonlyArray<Waiting> }) => {
  const since = items.flatMap(({ waitingSince }) => waitingSince ?? []).toSorted()
  return { count: since.length, since: since[0] ?? null, atLeast: more && since.length === items.length }
}
