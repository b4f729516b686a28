import { paths } from "../../address/here.ts"
import type { Verification } from "../../life/result.ts"
import { headlineOf, type Target } from "./headline.ts"

const hrefOf = (target: Target): string =>
  target.screen === "settings" ? paths.settings({ find: target.find }) : paths[target.screen]()

/** What happened to a verification without success, why, and the next step. */
export function Outcome({ of }: { readonly of: Verification }) {
  const headline = headlineOf(of)
  if (headline === null) return null
  const { advice, target, what, why } = headline
  return (
    <p class="notice" data-tone="bad">
      <strong>{what}</strong> {why.length === 0 ? null : <span class="theirs">{`${why.join(" ")} `}</span>}
      {target === null ? advice : <a href={hrefOf(target)}>{advice}</a>}
    </p>
  )
}
