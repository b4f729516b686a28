import { paths } from "../../address/here.ts"
import { guardReasonOf } from "../../life/refusedFor.ts"
import type { Verification } from "../../life/result.ts"
import { Card } from "../../parts/Card.tsx"
import { say } from "./guardWords.ts"

/** Why the guard thought that the code would not be entered. It was sent, because no such reason was enforced. */
export function Guard({ of: { guard } }: { readonly of: Verification }) {
  if (guard.verdict === "allow") return null
  return (
    <Card title={say.guard} actions={<a href={paths.protection()}>{say.protection}</a>}>
      <p>{say.verdicts[guard.verdict]}</p>
      <ul class="ver-guard">
        {guard.reasons.map(({ reason }) => (
          <li key={reason}>
            <a href={paths.verifications({ guard: reason })}>{guardReasonOf(reason)}</a>
            <span class="quiet">: {say.hints[reason]}</span>
          </li>
        ))}
      </ul>
    </Card>
  )
}
