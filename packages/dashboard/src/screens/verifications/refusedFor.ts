import type { Item } from "../../api/Api.ts"
import { say } from "./words.ts"

type Refusal = Item<"GET /v1/dashboard/refusals">

/** Why somebody was refused, in words; a reason that is not known here is said as it is. */
export const refusedFor = ({ errorCode, reason }: Pick<Refusal, "errorCode" | "reason">): string =>
  say.reasons[reason] ?? (errorCode === "INVALID_REQUEST" ? say.wrongField(reason) : (say.reasons[errorCode] ?? reason))

/** A refusal has no identifier: what is the same in all of this is one line twice. */
export const idOf = ({ at, channel, errorCode, identity, path, reason }: Refusal): string =>
  [at, path, errorCode, reason, identity, channel].join()
