import { signal } from "@preact/signals"
import { say } from "./words.ts"

export interface Looker {
  readonly email: string
  readonly writing: boolean
}
const nobody = signal<ReadonlyArray<Looker>>([])

/** Who else has this lead open. */
export const useLooking = (_lead: number) => ({ others: nobody, typing: () => {} })

export function Lookers({ others }: { readonly others: ReadonlyArray<Looker> }) {
  return (
    <p class="lookers quiet" role="status">
      {others.length === 0 ? "" : say.looking(others[0]!.email)}
    </p>
  )
}
