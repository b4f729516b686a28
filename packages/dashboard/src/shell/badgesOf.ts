import type { Answer } from "../api/Api.ts"

type Endpoint = Answer<"GET /v1/dashboard/webhooks">["items"][number]
type Leads = Answer<"GET /v1/dashboard/leads">

/** An endpoint that nothing gets through to. One that somebody switched off themselves is as they want it. */
export const isTroubled = ({
  disabledReason,
  failingSince,
  status
}: Pick<Endpoint, "disabledReason" | "failingSince" | "status">): boolean =>
  status === "ACTIVE" ? failingSince !== null : disabledReason !== "MERCHANT"

/** How many of the latest leads wait for somebody to read them; with a plus where not all were looked at. */
export const unreadOf = ({
  items,
  more
}: {
  readonly items: ReadonlyArray<{ readonly unreadCount: number }>
  readonly more: Leads["more"]
}) => {
  const count = items.filter(({ unreadCount }) => unreadCount > 0).length
  return { count, atLeast: more && count === items.length }
}
