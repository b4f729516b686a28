import { useSignal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import { Choice } from "../../parts/Choice.tsx"
import { Snippet } from "../../parts/Snippet.tsx"
import { say } from "./words.ts"

/** Code examples from the documentation, where tests run them. Loaded on demand. */
const examples = {
  node: { label: "Node.js", load: () => import("../../../../../docs/webhooks/verify.mjs?raw") },
  python: { label: "Python", load: () => import("../../../../../docs/webhooks/verify.py?raw") },
  go: { label: "Go", load: () => import("../../../../../docs/webhooks/verify.go?raw") },
  php: { label: "PHP", load: () => import("../../../../../docs/webhooks/verify.php?raw") }
}
type Language = keyof typeof examples

export function CheckSignature() {
  const language = useSignal<Language>("node")
  const code = useSignal("")
  const chosen = language.value
  useLayoutEffect(() => {
    let isGone = false
    void examples[chosen].load().then(({ default: text }) => {
      if (!isGone) code.value = text
    })
    return () => void (isGone = true)
  }, [chosen])
  return (
    <div class="form">
      <p class="quiet">{say.checkHint}</p>
      <Choice
        label={say.check}
        value={chosen}
        onChoose={(next) => (language.value = next)}
        options={(Object.keys(examples) as ReadonlyArray<Language>).map((value) => ({
          value,
          label: examples[value].label
        }))}
      />
      <Snippet label={say.check} text={code.value} />
    </div>
  )
}
