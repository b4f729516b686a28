import { useLayoutEffect } from "preact/hooks"
import { environment } from "../../address/here.ts"
import { setFilters, useFilters } from "../../address/useFilters.ts"
import { useKeys } from "../../keys/useKeys.ts"
import { Button } from "../../parts/Button.tsx"
import { Choice } from "../../parts/Choice.tsx"
import { may } from "../../session/may.ts"
import { Screen } from "../../shell/Screen.tsx"
import { openTryIt } from "../../shell/tryIt.ts"
import { zoneName } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { wake } from "../../live/topics.ts"
import { useQuery } from "../../query/useQuery.ts"
import { FirstSteps } from "./FirstSteps.tsx"
import { filters } from "./filters.ts"
import { Report } from "./Report.tsx"
import { ranges, usualRange } from "./span.ts"
import { Trouble } from "./Trouble.tsx"
import { say } from "./words.ts"

/** Polling interval while the example day runs. Verifications in the past send no events. */
const patience = 3_000
/** Statistics lag by up to 15 seconds, so keep refetching that long after the example day ends. */
const afterEnd = [0, 5_000, 16_000]

/** Test only: shows that an example day is being generated, and refreshes the figures. */
function ExampleDay() {
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

/** Current issues, then the figures of a range with their comparison. Ranges use the viewer's days. */
export default function OverviewScreen() {
  const wanted = useFilters(filters)
  const { by = "channel", range = usualRange(new Date()) } = wanted.value
  useKeys({ t: [shared.tryIt, openTryIt] })
  return (
    <Screen
      title={shared.menu.overview}
      note={<span class="quiet">{zoneName}</span>}
      actions={
        <>
          <Choice
            label={say.range}
            value={range}
            onChoose={(next) => setFilters(filters, { range: next === usualRange(new Date()) ? undefined : next })}
            options={ranges.map((value) => ({ value, label: say.ranges[value] }))}
          />
          <Button opens="dialog" blocked={may.arrange} keyName="t" onPress={openTryIt}>
            {shared.tryIt}
          </Button>
        </>
      }
    >
      <Trouble />
      <FirstSteps />
      {environment.value === "test" ? <ExampleDay /> : null}
      {/* Remount for another range, so that figures of two ranges never mix. */}
      <Report key={range} range={range} by={by} />
    </Screen>
  )
}
