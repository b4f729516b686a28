import { useLayoutEffect } from "preact/hooks"
import { wake } from "../../live/topics.ts"
import { useQuery } from "../../query/useQuery.ts"
import { say } from "./words.ts"

/** Polling interval while the example day runs. Verifications in the past send no events. */
const patience = 3_000
/** Statistics lag by up to 15 seconds, so keep refetching that long after the example day ends. */
const afterEnd = [0, 5_000, 16_000]

/** Test only: shows that an example day is being generated, and refreshes the figures. */
export function ExampleDay() {
  const state = useQuery("GET /v1/dashboard/example-day", () => ({}), "example")
  const isPlaying = state.answer.value?.isPlaying === true
  useLayoutEffect(() => {
    if (!isPlaying) return
    const timer = setInterval(() => wake("example", "verification", "lead"), patience)
    return () => {
      clearInterval(timer)
      for (const wait of afterEnd) setTimeout(() => wake("example", "verification", "lead"), wait)
    }
  }, [isPlaying])
  return isPlaying ? <p class="quiet">{say.examplePlays}</p> : null
}
