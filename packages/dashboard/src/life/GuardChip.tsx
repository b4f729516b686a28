import { Pill } from "../parts/Pill.tsx"
import type { Verification } from "./result.ts"
import { guardedFor } from "./refusedFor.ts"

/** Marks a code that the guard had a reason against. */
export function GuardChip({ of: { guard } }: { readonly of: Pick<Verification, "guard"> }) {
  if (guard.reasons.length === 0) return null
  const words = guardedFor(guard.reasons)
  return (
    <>
      <Pill tone="warn" title={words}>
        <span aria-hidden="true">⚑</span>
        <span class="unseen">{words}</span>
      </Pill>{" "}
    </>
  )
}
