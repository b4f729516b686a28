import { Pill } from "../../parts/Pill.tsx"
import { stateOf, type Template } from "./template.ts"
import { say } from "./words.ts"

export const localeWords = (locale: string | null): string =>
  locale === null || locale === "" || locale === "any" ? say.everyLanguage : locale

export function State({ of }: { readonly of: Pick<Template, "findings" | "status"> }) {
  const { tone, word } = stateOf(of)
  return (
    <Pill tone={tone} title={say.stateHints[word]}>
      {say.states[word] ?? word}
    </Pill>
  )
}
