import { paths } from "../../address/here.ts"
import { Bars } from "../../parts/Bars.tsx"
import { Card } from "../../parts/Card.tsx"
import { change, count } from "../../words/format.ts"
import type { Compared } from "./figures.ts"
import { say } from "./words.ts"

const steps = ["asked", "sent", "delivered", "verified"] as const
const noted = ["resent", "fallbacks", "oneTap"] as const

/** The funnel with the previous period dashed, and notes on what the bars omit. */
export function Funnel({ counts: { before, now, whole } }: { readonly counts: Compared }) {
  const notes = noted.filter((name) => now[name] > 0).map((name) => say.notes[name](count(now[name])))
  return (
    <Card title={say.funnel} class="funnel">
      <Bars
        whole={now.asked}
        wholeBefore={before.asked}
        bars={steps.map((step) => ({
          label: say.steps[step],
          value: now[step],
          before: before[step],
          // A login can have several messages, so messages have their own base.
          ...(step === "sent" || step === "delivered" ? { of: now.sent } : {}),
          note: change(whole[step], before[step]) ?? undefined
        }))}
      />
      <p class="quiet">
        {before.asked === 0 ? null : `${say.dashed} `}
        {notes.length === 0 ? null : `${notes.join("; ")}. `}
        {now.refused === 0 ? null : (
          <a href={paths.verifications({ view: "refused" })}>{say.refused(count(now.refused))}</a>
        )}
      </p>
    </Card>
  )
}
