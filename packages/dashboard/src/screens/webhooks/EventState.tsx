import { Pill } from "../../parts/Pill.tsx"
import { Time } from "../../parts/Time.tsx"
import { type SentEvent, stateTones } from "./health.ts"
import { say } from "./words.ts"

/** The state of an event at an endpoint, and when it is retried. */
export function EventState({ of: { nextAttemptAt, state } }: { readonly of: SentEvent }) {
  return (
    <span class="event-state">
      <Pill tone={stateTones[state]}>{say.states[state]}</Pill>
      {nextAttemptAt === null ? null : (
        <span class="quiet">
          {say.next} <Time at={nextAttemptAt} />
        </span>
      )}
    </span>
  )
}
