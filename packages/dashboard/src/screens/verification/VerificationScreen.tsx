import { computed } from "@preact/signals"
import { useMemo } from "preact/hooks"
import { filtersOf } from "../../address/filters.ts"
import { param, paths } from "../../address/here.ts"
import { setFilters, useFilters } from "../../address/useFilters.ts"
import { LifeList } from "../../life/LifeList.tsx"
import { LifePicture } from "../../life/LifePicture.tsx"
import { isAlive, resultOf, type Verification } from "../../life/result.ts"
import { abouts, stepsAbout, stepsOf, type TimelineItem } from "../../life/stepsOf.ts"
import { useLife } from "../../life/useLife.ts"
import { say as life } from "../../life/words.ts"
import { Copy } from "../../parts/Button.tsx"
import { Card } from "../../parts/Card.tsx"
import { Choice } from "../../parts/Choice.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { Pill } from "../../parts/Pill.tsx"
import { now, Time } from "../../parts/Time.tsx"
import { lazyPart } from "../../shell/lazyDialog.tsx"
import { Screen } from "../../shell/Screen.tsx"
import { count } from "../../words/format.ts"
import { say as shared } from "../../words/say.ts"
import { Deliveries } from "./Deliveries.tsx"
import { Outcome } from "./Outcome.tsx"
import { Person } from "./Person.tsx"
import { RequestContext } from "./RequestContext.tsx"
import { say } from "./words.ts"

const Guard = lazyPart(() => import("./Guard.tsx").then((loaded) => loaded.Guard), null)
const SeenMessages = lazyPart(() => import("../../life/SeenMessages.tsx").then((loaded) => loaded.SeenMessages), null)

function Whole({
  items,
  verification
}: {
  readonly items: ReadonlyArray<TimelineItem>
  readonly verification: Verification
}) {
  const wanted = useFilters(filtersOf.verification)
  const steps = stepsOf(verification, items)
  const about = wanted.value.about ?? null
  const { tone, words } = resultOf(verification)
  const last = steps.at(-1)?.ms ?? 0
  const endMs = isAlive(verification) ? Math.max(last, now.value - Date.parse(verification.createdAt)) : last
  const raw = useMemo(() => JSON.stringify({ ...verification, timeline: items }, null, 2), [verification, items])
  return (
    <>
      <div class="ver-head">
        <Person verification={verification} pill={<Pill tone={tone}>{words}</Pill>} />
        <p class="quiet">
          <span class="mono">{verification.requestId}</span>{" "}
          <Copy text={verification.requestId} label={say.requestId} />
          {verification.orderId === null ? null : (
            <>
              {" · "}
              <a href={paths.verifications({ find: verification.orderId, as: "order" })}>
                <span class="theirs">{verification.orderId}</span>
              </a>
            </>
          )}
          {" · "}
          <Time at={verification.createdAt} as="clock" />
        </p>
        {verification.relayed === null ? null : <p>{say.relayed}</p>}
      </div>
      <Outcome key={verification.requestId} of={verification} />
      <div class="ver-panes">
        <Card title={life.list}>
          <LifePicture verification={verification} steps={steps} endMs={endMs} />
          {steps.length < 8 ? null : (
            <Choice
              label={life.look}
              value={about ?? "all"}
              onChoose={(next) => setFilters(filtersOf.verification, { about: next === "all" ? null : next })}
              options={[
                { value: "all", label: life.all, note: count(steps.length) },
                ...abouts.map((each) => ({
                  value: each,
                  label: life.about[each],
                  note: count(steps.filter((step) => step.about === each).length)
                }))
              ]}
            />
          )}
          <LifeList key={about} steps={stepsAbout(steps, about)} />
        </Card>
        <div class="ver-side">
          {verification.deliveries.length === 0 ? null : (
            <Card title={say.weSent}>
              <SeenMessages
                key={verification.deliveries.length}
                deliveries={verification.deliveries}
                requestId={verification.requestId}
              />
            </Card>
          )}
          <Deliveries verification={verification} />
          {verification.guard.verdict === "allow" ? null : <Guard of={verification} />}
          <RequestContext verification={verification} />
          <Card title={say.raw} actions={<Copy text={raw} label={say.raw} />}>
            <details>
              <summary>{say.showRaw}</summary>
              <pre class="ver-raw" tabIndex={0}>
                {raw}
              </pre>
            </details>
          </Card>
        </div>
      </div>
    </>
  )
}

/** One verification, by its `requestId`. */
export default function VerificationScreen() {
  const life = useLife(() => param("requestId"))
  const wanted = useFilters(filtersOf.verification)
  const back = useMemo(
    () =>
      computed(() => {
        const { about: _about, ...listFilters } = wanted.value
        return paths.verifications(listFilters)
      }),
    []
  )
  return (
    <Screen
      title={shared.menu.verifications}
      busy={life.busy}
      note={
        <a class="button" data-kind="quiet" href={back.value}>
          ← {say.backToList}
        </a>
      }
    >
      <Loaded query={life} empty={() => null}>
        {({ items, verification }) => <Whole items={items} verification={verification} />}
      </Loaded>
    </Screen>
  )
}
