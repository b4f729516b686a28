import { useComputed, useSignal, useSignalEffect } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { environment, paths } from "../../address/here.ts"
import { root } from "../../address/paths.ts"
import { setFilters } from "../../address/useFilters.ts"
import { Button } from "../../parts/Button.tsx"
import { Refusal } from "../../parts/Loaded.tsx"
import { Snippet } from "../../parts/Snippet.tsx"
import { tell } from "../../parts/Toast.tsx"
import { useQuery } from "../../query/useQuery.ts"
import { useSend } from "../../query/useSend.ts"
import { may } from "../../session/may.ts"
import { me } from "../../session/session.ts"
import { endpoints } from "../../shell/Needs.tsx"
import { tryIt } from "../../shell/tryIt.ts"
import { say as shared } from "../../words/say.ts"
import { filters } from "./filters.ts"
import { doneOf, firstSteps } from "./firstSteps.ts"
import { say } from "./words.ts"

const curl = () => `curl ${location.origin}/v1/auth/initiate \\
  -H 'X-Client-Id: cs_${environment.value}_…' -H 'X-Client-Secret: sk_${environment.value}_…' \\
  -H 'Content-Type: application/json' \\
  -d '{"identity":"+919876543210","identityType":"MOBILE","mode":"OTP","orderId":"first-login"}'`

function Example() {
  const example = useSend("POST /v1/dashboard/example-day", "example")
  if (environment.value === "live")
    return (
      <>
        <p class="quiet">{say.first.exampleLiveHint}</p>
        <a class="button" href={root("test")}>
          {say.first.exampleLiveDo}
        </a>
      </>
    )
  const fill = async () => {
    if ((await example.send({ body: {} })) === null) return
    // The example covers the last 24 hours. Soon after midnight, "Today" would show little of it.
    setFilters(filters, { range: "24h" })
    tell(say.first.exampleBegun)
  }
  return (
    <>
      <p class="quiet">{say.first.exampleHint}</p>
      <Button blocked={may.arrange} busy={example.busy.value} onPress={() => void fill()}>
        {say.first.exampleDo}
      </Button>
      {example.failure.value === null ? null : <Refusal failure={example.failure.value} />}
    </>
  )
}

/** In place of figures, for a merchant without verifications. */
export function NothingYet() {
  return (
    <section class="card first" aria-labelledby="nothing-yet">
      <h2 id="nothing-yet">{say.first.nothing}</h2>
      <Example />
    </section>
  )
}

const steps = {
  tryIt: () => (
    <>
      <p class="quiet">{environment.value === "test" ? say.first.tryItTest : say.first.tryItHint}</p>
      <Button kind="main" opens="dialog" onPress={() => (tryIt.value = true)}>
        {shared.tryIt}
      </Button>
    </>
  ),
  call: () => (
    <>
      <p class="quiet">
        {say.first.callHint}
        <a href={paths.keys()}>{say.first.toKeys}</a>
      </p>
      <Snippet text={curl()} label="curl" />
    </>
  ),
  webhook: () => (
    <p class="quiet">
      {say.first.webhookHint} <a href={paths.webhooks()}>{say.first.toWebhooks}</a>
    </p>
  ),
  invite: () => (
    <p class="quiet">
      {say.first.inviteHint} <a href={paths.team()}>{say.first.toTeam}</a>
    </p>
  )
} as const satisfies Record<(typeof firstSteps)[number], () => ComponentChildren>

/** Storage key: the checklist of a merchant's environment is finished or dismissed in this browser. */
const closedKey = () => `countersign.first.${me.peek()?.merchant.id}.${environment.peek()}`

function Open({ onClose }: { readonly onClose: () => void }) {
  const [isStarted, isCalled] = [useSignal(false), useSignal(false)]
  // Done steps stay done, so a busy day costs no further queries.
  const latest = useQuery(
    "GET /v1/dashboard/verifications",
    () => (isStarted.value ? null : { query: { limit: 1 } }),
    "verification",
    "example"
  )
  const keys = useQuery("GET /v1/dashboard/keys", () => (isCalled.value ? null : {}), "key", "verification")
  const agents = useQuery("GET /v1/dashboard/agents", () => ({}), "person")
  const done = useComputed(() => {
    const [verifications, ofKeys, ofAgents] = [latest.answer.value, keys.answer.value, agents.answer.value]
    return verifications === null || ofKeys === null || ofAgents === null || endpoints.value === null
      ? null
      : doneOf({
          verifications: verifications.items,
          keys: ofKeys.items,
          endpoints: endpoints.value,
          agents: ofAgents.items
        })
  })
  useSignalEffect(() => {
    if (done.value === null) return
    isStarted.value = done.value.tryIt
    isCalled.value = done.value.call
    if (firstSteps.every((step) => done.value?.[step])) onClose()
  })
  const state = done.value
  if (state === null) return null
  return (
    <section class="card first" aria-labelledby="first">
      <header>
        <h2 id="first">{say.first.title}</h2>
        <span class="quiet" role="status">
          {say.first.progress(firstSteps.filter((step) => state[step]).length, firstSteps.length)}
        </span>
        <Button kind="quiet" onPress={onClose}>
          {say.first.dismiss}
        </Button>
      </header>
      <ol role="list">
        {firstSteps.map((step) => (
          <li key={step} class={step === "call" && !state.call ? "first-wide" : undefined}>
            <h3>
              {state[step] ? (
                <span class="good">
                  <span aria-hidden="true">✓ </span>
                  <span class="unseen">{say.first.done} </span>
                </span>
              ) : null}
              {say.first.steps[step]}
            </h3>
            {state[step] ? null : steps[step]()}
          </li>
        ))}
      </ol>
    </section>
  )
}

/** A checklist for users who may do its steps, until all are done or a user dismisses it. */
export function FirstSteps() {
  const isClosed = useSignal(localStorage.getItem(closedKey()) !== null)
  const close = () => {
    localStorage.setItem(closedKey(), "yes")
    isClosed.value = true
  }
  return isClosed.value || may.arrange !== undefined ? null : <Open onClose={close} />
}
