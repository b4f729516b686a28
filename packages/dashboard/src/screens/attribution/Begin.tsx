import { environment, paths } from "../../address/here.ts"
import { Empty } from "../../parts/Loaded.tsx"
import { Snippet } from "../../parts/Snippet.tsx"
import { say } from "./words.ts"

const key = () => `pk_${environment.value}_…`

const inPage = () => `import { createClient } from "@countersign/sdk"

const countersign = createClient({
  baseUrl: "${location.origin}",
  publicKey: "${key()}",
  storage: localStorage
})

// With the person's answer, at each visit.
await countersign.launch({ consent: true })
// When they have done what you hoped for.
await countersign.conversion({ event: "order_paid", value: 499, currency: "INR" })`

const byHand = () => `curl ${location.origin}/v1/sdk/attribution/launch \\
  -H 'X-Public-Key: ${key()}' -H 'Content-Type: application/json' \\
  -d '{"consent":true,"utm":{"source":"google","medium":"cpc","campaign":"diwali"}}'`

/** Empty state: how to report launches. */
export function Begin() {
  return (
    <Empty title={say.begin}>
      <p>{say.beginHint}</p>
      {[
        { title: say.inPage, text: inPage() },
        { title: say.byHand, text: byHand() }
      ].map(({ text, title }) => (
        <div key={title} class="told">
          <h3>{title}</h3>
          <Snippet text={text} label={title} />
        </div>
      ))}
      <a href={paths.keys()}>{say.keys}</a>
    </Empty>
  )
}
