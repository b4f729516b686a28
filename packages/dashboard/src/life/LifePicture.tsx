import { channelName } from "../words/channels.ts"
import { duration } from "../words/format.ts"
import { axisOf } from "./axisOf.ts"
import { type Lane, lanesOf } from "./lanesOf.ts"
import type { Verification } from "./result.ts"
import type { Step } from "./stepsOf.ts"
import { say } from "./words.ts"

const labelOf = ({ channel, key }: Lane): string =>
  channel === null ? (key === "codes" ? say.codes : say.webhooks) : channelName(channel)

const tick = (ms: number) => (ms === 0 ? "0" : duration(ms))

interface Props {
  readonly verification: Verification
  readonly steps: ReadonlyArray<Step>
  /** Milliseconds since the start at which the picture ends. */
  readonly endMs: number
}

/** The timeline as a chart with one lane per message. Screen readers use the list instead. */
export function LifePicture({ endMs, steps, verification }: Props) {
  const lanes = lanesOf(verification, steps, endMs)
  const { place, stretches, ticks } = axisOf(
    lanes.flatMap(({ bars, marks }) => [...bars.flatMap(({ from, to }) => [from, to]), ...marks.map(({ ms }) => ms)])
  )
  const heard = lanes.map((lane) => `${labelOf(lane)}: ${lane.marks.map(({ title }) => title).join(", ")}`).join("; ")
  return (
    <figure class="life-picture" role="img" aria-label={say.pictureAs(heard)}>
      {lanes.map((lane) => (
        <div key={lane.key} class="lane" data-channel={lane.channel ?? undefined}>
          <span
            class={lane.channel === null ? "lane-name" : "lane-name channel"}
            data-channel={lane.channel ?? undefined}
          >
            {labelOf(lane)}
          </span>
          <span class="lane-track">
            {lane.bars.map(({ from, state, to }) => (
              <span
                key={state}
                class="lane-bar"
                data-state={state}
                style={{ "--from": place(from), "--to": place(to) }}
              />
            ))}
            {lane.marks.map(({ ms, title, tone }, n) => (
              <span key={n} class="lane-mark" data-tone={tone} title={title} style={{ "--from": place(ms) }} />
            ))}
          </span>
        </div>
      ))}
      <div class="lane lane-axis">
        <span />
        <span class="lane-track">
          {stretches
            .filter(({ isBroken }) => isBroken)
            .map(({ end, from, start, to }) => (
              <span
                key={from}
                class="lane-break"
                title={say.cutShort(duration(to - from))}
                style={{ "--from": start, "--to": end }}
              >
                ⋯ {duration(to - from)}
              </span>
            ))}
          {ticks.map((ms) => (
            <span key={ms} class="lane-tick" style={{ "--from": place(ms) }} data-last={place(ms) > 0.9 || undefined}>
              {tick(ms)}
            </span>
          ))}
        </span>
      </div>
    </figure>
  )
}
