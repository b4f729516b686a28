import { Pill, type Tone } from "../../parts/Pill.tsx"
import { count, percent } from "../../words/format.ts"
import { type Campaign, partsOf } from "./plan.ts"
import { say } from "./words.ts"

const tones: Readonly<Record<Campaign["status"], Tone>> = {
  SCHEDULED: "plain",
  RUNNING: "accent",
  PAUSED: "warn",
  DONE: "good",
  CANCELLED: "plain"
}

export function Status({ campaign: { status } }: { readonly campaign: Pick<Campaign, "status"> }) {
  return <Pill tone={tones[status]}>{say.statuses[status]}</Pill>
}

/** Delivery statuses of all recipients as one bar. */
export function Progress({ campaign }: { readonly campaign: Campaign }) {
  return (
    <span class="progress" aria-hidden="true">
      {partsOf(campaign).map(({ key, value }) =>
        value > 0 && key !== "pending" ? (
          <span key={key} data-part={key} style={{ "--share": value / Math.max(1, campaign.total) }} />
        ) : null
      )}
    </span>
  )
}

/** The legend of the bar. */
export function Legend({ campaign }: { readonly campaign: Campaign }) {
  return (
    <dl class="legend">
      {partsOf(campaign).map(({ key, value }) => (
        <div key={key}>
          <dt data-part={key}>{say.parts[key]}</dt>
          <dd class="number">
            {count(value)} <span class="quiet">{percent(value, campaign.total)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
