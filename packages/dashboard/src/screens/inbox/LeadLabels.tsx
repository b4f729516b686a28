import { count } from "../../words/format.ts"
import type { LeadLabel } from "./labels.ts"
import { say } from "./words.ts"

/** One label as a chip. Its name says what its colour only repeats. */
export const Label = ({ label: { colour, name } }: { readonly label: Pick<LeadLabel, "colour" | "name"> }) => (
  <span class="label theirs" data-colour={colour} dir="auto">
    {name}
  </span>
)

interface Props {
  readonly labels: ReadonlyArray<LeadLabel>
  /** How many to show before a count of the others. */
  readonly most?: number
}

/** The labels of a lead. */
export function LeadLabels({ labels, most = labels.length }: Props) {
  if (labels.length === 0) return null
  const others = labels.slice(most).map(({ name }) => name)
  return (
    <span class="labels">
      <span class="unseen">{say.labels.title}: </span>
      {labels.slice(0, most).map((label) => (
        <Label key={label.id} label={label} />
      ))}
      {others.length === 0 ? null : (
        <span class="label" title={others.join(", ")}>
          +{count(others.length)}
        </span>
      )}
    </span>
  )
}
