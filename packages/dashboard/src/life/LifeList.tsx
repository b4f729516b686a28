import { useState } from "preact/hooks"
import { paths } from "../address/here.ts"
import { Button } from "../parts/Button.tsx"
import { moment, zone } from "../words/format.ts"
import { offset, type Step } from "./stepsOf.ts"
import { say } from "./words.ts"

/** Steps drawn initially. A button shows the rest. */
const portion = 200

function Line({ step }: { readonly step: Step }) {
  return (
    <li class="life-step" data-tone={step.tone} data-end={step.about === null || undefined}>
      <time dateTime={step.at} title={`${moment(new Date(step.at))} ${zone}`}>
        {offset(step.ms)}
      </time>
      <div>
        <p class="life-title theirs">
          {step.webhookId === null ? step.title : <a href={paths.webhook({ id: step.webhookId })}>{step.title}</a>}
        </p>
        {step.note === null && step.id === null ? null : (
          <p class="quiet theirs">
            {step.note}
            {step.note === null || step.id === null ? null : ", "}
            {step.id === null ? null : <span class="mono">{step.id}</span>}
          </p>
        )}
      </div>
    </li>
  )
}

/** The timeline as a list, with the time since the start. */
export function LifeList({ steps }: { readonly steps: ReadonlyArray<Step> }) {
  const [most, setMost] = useState(portion)
  const rest = steps.length - most
  return (
    <>
      <ol role="list" class="life" aria-label={say.list}>
        {steps.slice(0, most).map((step) => (
          <Line key={step.key} step={step} />
        ))}
      </ol>
      {rest > 0 ? (
        <Button onPress={() => setMost(most + portion)}>{say.moreSteps(Math.min(rest, portion))}</Button>
      ) : null}
    </>
  )
}
