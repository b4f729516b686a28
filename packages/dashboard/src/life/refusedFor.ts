import type { Item } from "../api/Api.ts"
import { say } from "./words.ts"

type Refusal = Item<"GET /v1/dashboard/refusals">

/** The reason of a refusal as text. An unknown reason is shown as its wire name. */
export const refusedFor = ({ errorCode, reason }: Pick<Refusal, "errorCode" | "reason">): string =>
  say.reasons[reason] ?? (errorCode === "INVALID_REQUEST" ? say.wrongField(reason) : (say.reasons[errorCode] ?? reason))

/** A refusal has no id. Entries with equal fields count as the same row. */
export const idOf = ({ at, channel, errorCode, identity, path, reason }: Refusal): string =>
  [at, path, errorCode, reason, identity, channel].join()
