import { computed } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { environment, here, paths } from "../../address/here.ts"
import { across } from "../../address/paths.ts"
import { setFilters, useFilters } from "../../address/useFilters.ts"
import { Card } from "../../parts/Card.tsx"
import { Choice } from "../../parts/Choice.tsx"
import { Empty, Loaded } from "../../parts/Loaded.tsx"
import { useEvery } from "../../query/useEvery.ts"
import { useQuery } from "../../query/useQuery.ts"
import { Screen } from "../../shell/Screen.tsx"
import { count, money, zone, zoneName } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { settingWords } from "../../words/settingsIndex.ts"
import { beginOfRange, filters, type Range, ranges, usual } from "./filters.ts"
import { Reasons } from "./Reasons.tsx"
import { type Seen, standingOf } from "./standing.ts"
import { Trips } from "./Trips.tsx"
import { say } from "./words.ts"

/** Figures follow every code. This often is enough to decide by them. */
const every = 30_000

/** What the guard does now, in one sentence, and what it looks at. */
function Now({ days, seen }: { readonly seen: Seen; readonly days: string }) {
  const { currency, would } = seen
  const { enforced, isQuiet, mode, refused } = standingOf(seen)
  const typed = would.typed === 0 ? null : count(would.typed)
  const inDays = refused === 0 ? days : null
  const words = [
    say.mode[mode](count(enforced)),
    ...(refused === 0 ? [] : [say.didRefuse(count(refused), days)]),
    ...(isQuiet ? [say.quiet(days)] : []),
    ...(would.refused === 0
      ? []
      : [
          would.saved === null
            ? say.wouldRefuse(count(would.refused), inDays, typed)
            : say.wouldSave(money(would.saved, currency), inDays, typed)
        ])
  ]
  return (
    <Card class="protection-now">
      <p class="protection-words">{words.join(" ")}</p>
      <p class="quiet">{say.about}</p>
      <p>
        <a href={paths.settings({ find: "safeList" })}>{settingWords.names.safeList}</a>
      </p>
    </Card>
  )
}

function Live({ range }: { readonly range: () => Range }) {
  const from = useMemo(() => computed(() => beginOfRange(range(), new Date())), [])
  const seen = useQuery("GET /v1/dashboard/protection", () => ({ query: { from: from.value, tz: zone } }), "settings")
  useEvery(every, seen.refetch)
  const days = say.ranges[range()]
  return (
    <Loaded query={seen} empty={() => null}>
      {(answer) => (
        <>
          <Now seen={answer} days={days} />
          <Trips seen={answer} />
          <Reasons seen={answer} days={days} from={from.value} />
        </>
      )}
    </Loaded>
  )
}

/** Requests in test are never judged, so there are no figures. */
const Test = () => (
  <Empty title={say.onlyLive}>
    <p>{say.onlyLiveHint}</p>
    <a class="button" href={across(here.value, "live")}>
      {say.toLive}
    </a>
  </Empty>
)

/** What the guard against codes that will not be entered saw, and which of its reasons refuse codes. */
export default function ProtectionScreen() {
  const wanted = useFilters(filters)
  const range = () => wanted.value.range ?? usual
  if (environment.value === "test")
    return (
      <Screen title={shared.menu.protection}>
        <Test />
      </Screen>
    )
  return (
    <Screen
      title={shared.menu.protection}
      note={<span class="quiet">{zoneName}</span>}
      actions={
        // Behind one button on a phone.
        <>
          <Choice
            label={say.range}
            value={range()}
            onChoose={(next) => setFilters(filters, { range: next === usual ? undefined : next })}
            options={ranges.map((value) => ({ value, label: say.ranges[value] }))}
          />
        </>
      }
    >
      <Live range={range} />
    </Screen>
  )
}
