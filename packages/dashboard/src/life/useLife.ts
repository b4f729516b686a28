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

/** Polling interval of a pending verification. Receipts and wrong codes send no event. */
const whileAlive = 2_000
/** How long to keep polling after the end, for webhooks and late receipts. */
const afterwards = 5_000
const patience = 60_000

/** A verification with its timeline, updated live. `requestId` reads signals; an empty one loads nothing. */
export const useLife = (requestId: () => string): Query<Life> => {
  const input = () => (requestId() === "" ? null : { params: { requestId: requestId() } })
  const verificationQuery = useQuery("GET /v1/dashboard/verifications/:requestId", input, "verification")
  const timeline = useQuery("GET /v1/dashboard/verifications/:requestId/timeline", input, "verification", "webhook")
  const life = useMemo(() => {
    const refetch = () => (verificationQuery.refetch(), timeline.refetch())
    return {
      answer: computed(() =>
        verificationQuery.answer.value === null || timeline.answer.value === null
          ? null
          : { verification: verificationQuery.answer.value, items: timeline.answer.value.items }
      ),
      failure: computed(() => verificationQuery.failure.value ?? timeline.failure.value),
      busy: computed(() => verificationQuery.answer.value === null && verificationQuery.busy.value),
      refetch
    }
  }, [])
  const verification = verificationQuery.answer.value
  const last = timeline.answer.value?.items.at(-1)?.at
  const isFresh = last !== undefined && Date.now() - Date.parse(last) < patience
  const pace = verification === null ? null : isAlive(verification) ? whileAlive : isFresh ? afterwards : null
  useEvery(pace, life.refetch)
  return life
}
