import { environment, paths } from "../../address/here.ts"
import { setFilters } from "../../address/useFilters.ts"
import { root } from "../../address/paths.ts"
import { Button } from "../../parts/Button.tsx"
import { Refusal } from "../../parts/Loaded.tsx"
import { Snippet } from "../../parts/Snippet.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { tryIt } from "../../shell/tryIt.ts"
import { say as shared } from "../../words/say.ts"
import { filters } from "./filters.ts"
import { say } from "./words.ts"

const curl = () => `curl ${location.origin}/v1/auth/initiate \\
  -H 'X-Client-Id: cs_${environment.value}_…' -H 'X-Client-Secret: sk_${environment.value}_…' \\
  -H 'Content-Type: application/json' \\
  -d '{"identity":"+919876543210","identityType":"MOBILE","mode":"OTP","orderId":"first-login"}'`

function Example() {
  const example = useSend("POST /v1/dashboard/example-day", "example")
  if (environment.value === "live")
    return (
      <li>
        <h3>{say.first.exampleLive}</h3>
        <p class="quiet">{say.first.exampleLiveHint}</p>
        <a class="button" href={root("test")}>
          {say.first.exampleLiveDo}
        </a>
      </li>
    )
  const fill = async () => {
    if ((await example.send({ body: {} })) === null) return
    // The example covers the last 24 hours. Soon after midnight, "Today" would show little of it.
    setFilters(filters, { range: "24h" })
    tell(say.first.exampleBegun)
  }
  return (
    <li>
      <h3>{say.first.example}</h3>
      <p class="quiet">{say.first.exampleHint}</p>
      <Button blocked={may.arrange} busy={example.busy.value} onPress={() => void fill()}>
        {say.first.exampleDo}
      </Button>
      {example.failure.value === null ? null : <Refusal failure={example.failure.value} />}
    </li>
  )
}

/** First steps for a new merchant. Shown until the first code is requested. */
export function FirstSteps() {
  return (
    <section class="card first" aria-labelledby="first">
      <h2 id="first">{say.first.title}</h2>
      <p class="quiet">{say.first.hint}</p>
      <ol role="list">
        <li>
          <h3>{say.first.tryIt}</h3>
          <p class="quiet">{environment.value === "test" ? say.first.tryItTest : say.first.tryItHint}</p>
          <Button kind="main" opens="dialog" blocked={may.arrange} onPress={() => (tryIt.value = true)}>
            {shared.tryIt}
          </Button>
        </li>
        <Example />
        <li class="first-wide">
          <h3>{say.first.call}</h3>
          <p class="quiet">
            {say.first.callHint}
            <a href={paths.keys()}>{say.first.toKeys}</a>
          </p>
          <Snippet text={curl()} label="curl" />
        </li>
        <li class="first-wide">
          <h3>{say.first.rest}</h3>
          <p class="quiet">{say.first.restHint}</p>
          <p class="first-links">
            <a href={paths.people()}>{say.first.invite}</a>
            <a href={paths.webhooks()}>{say.first.webhook}</a>
          </p>
        </li>
      </ol>
    </section>
  )
}
