import { useLayoutEffect } from "preact/hooks"
import { wake } from "../../live/topics.ts"
import { useQuery } from "../../query/useQuery.ts"
import { say } from "./words.ts"

/** So often it is looked at what there is of the day, while it is played: what began in the past makes no news. */
const patience = 3_000
/** Statistics follow what happened within 15 seconds: after the day ends, figures are read again until then. */
const afterEnd = [0, 5_000, 16_000]

/** In test: says that an example day is being played, and lets figures follow it. */
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
