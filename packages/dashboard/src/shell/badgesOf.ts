import type { Answer } from "../api/Api.ts"

type Endpoint = Answer<"GET /v1/dashboard/webhooks">["items"][number]

/** Whether an endpoint is failing. One that a user disabled is not. */
export const isTroubled = ({
  disabledReason,
  failingSince,
  status
}: Pick<Endpoint, "disabledReason" | "failingSince" | "status">): boolean =>
  status === "ACTIVE" ? failingSince !== null : disabledReason !== "MERCHANT"
