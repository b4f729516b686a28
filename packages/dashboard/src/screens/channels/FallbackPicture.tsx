import { paths } from "../../address/here.ts"
import { Card } from "../../parts/Card.tsx"
import { Channel } from "../../parts/Pill.tsx"
import { channelName } from "../../words/channels.ts"
import { duration } from "../../words/format.ts"
import type { Way } from "./route.ts"
import { say } from "./words.ts"

/** The default route as a picture. Screen readers get a sentence in the same order. */
export function FallbackPicture({ way: { afterSeconds, first, problem, then } }: { readonly way: Way }) {
  return (
    <Card title={say.way} actions={<a href={paths.settings()}>{say.change}</a>}>
      <p class="way">
        <span class="way-stop">
          <Channel name={first} /> {say.first}
          {then === null || problem === "same" ? <span class="unseen">, </span> : null}
        </span>
        {then === null || problem === "same" ? (
          <span class="quiet">{say.noFallback}</span>
        ) : (
          <>
            <span class="unseen">, </span>
            <span class="way-arrow">
              <span>{say.arrow(duration(afterSeconds * 1_000))}</span>
            </span>
            <span class="unseen">, </span>
            <span class="way-stop">
              <Channel name={then} />
            </span>
            <span class="quiet">{say.end}</span>
          </>
        )}
      </p>
      <p class="quiet">
        {say.wayHint} {first === "EMAIL" && then !== null ? say.mail : null}
      </p>
      {problem === null ? null : (
        <p class={problem === "same" ? "warn" : "bad"}>
          {say.problems[problem](channelName(first), channelName(then ?? ""))}
        </p>
      )}
    </Card>
  )
}
