import { computed } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { useEvery } from "../query/useEvery.ts"
import type { Query } from "../query/useQuery.ts"
import { useQuery } from "../query/useQuery.ts"
import { isAlive, type Verification } from "./result.ts"
import type { TimelineItem } from "./stepsOf.ts"

export interface Life {
  readonly verification: Verification
  readonly items: ReadonlyArray<TimelineItem>
}

/** Receipts and tries move no event: what is alive is asked for this often. */
const whileAlive = 2_000
/** Webhooks are told, and late receipts come, for a while after the end. */
const afterwards = 5_000
const patience = 60_000

/** One verification and what happened to it, as it moves. `requestId` reads signals; empty asks nothing. */
export const useLife = (requestId: () => string): Query<Life> => {
  const input = () => (requestId() === "" ? null : { params: { requestId: requestId() } })
  const one = useQuery("GET /v1/dashboard/verifications/:requestId", input, "verification")
  const timeline = useQuery("GET /v1/dashboard/verifications/:requestId/timeline", input, "verification", "webhook")
  const life = useMemo(() => {
    const refetch = () => (one.refetch(), timeline.refetch())
    return {
      answer: computed(() =>
        one.answer.value === null || timeline.answer.value === null
          ? null
          : { verification: one.answer.value, items: timeline.answer.value.items }
      ),
      failure: computed(() => one.failure.value ?? timeline.failure.value),
      busy: computed(() => one.answer.value === null && one.busy.value),
      refetch
    }
  }, [])
  const found = one.answer.value
  const last = timeline.answer.value?.items.at(-1)?.at
  const isFresh = last !== undefined && Date.now() - Date.parse(last) < patience
  const pace = found === null ? null : isAlive(found) ? whileAlive : isFresh ? afterwards : null
  useEvery(pace, life.refetch)
  return life
}
