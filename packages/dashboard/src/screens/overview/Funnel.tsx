import { paths } from "../../address/here.ts"
import { Bars } from "../../parts/Bars.tsx"
import { Card } from "../../parts/Card.tsx"
import { change, count } from "../../words/format.ts"
import type { Compared } from "./figures.ts"
import { say } from "./words.ts"

const steps = ["asked", "sent", "delivered", "verified"] as const
const noted = ["resent", "fallbacks", "oneTap"] as const

/** From asked to verified, with the time before dashed, and what the bars do not show in words. */
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
          // Of messages, of which a login may have had several.
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
