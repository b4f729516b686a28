import type { ReadonlySignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import type { Failure } from "../api/Failure.ts"
import { duration } from "../words/format.ts"
import { say } from "../words/say.ts"
import { Button } from "./Button.tsx"

/** The part of a query that this needs. Lists provide it too. */
interface Read<A> {
  readonly answer: ReadonlySignal<A | null>
  readonly failure: ReadonlySignal<Failure | null>
  readonly busy: ReadonlySignal<boolean>
  readonly refetch: () => void
}

/** The service's error message with a retry. */
export function Refusal({ failure, again }: { readonly failure: Failure; readonly again?: (() => void) | undefined }) {
  return (
    <div class="refusal" role="alert">
      <p>
        <span class="theirs">{failure.message}</span>
        {failure.retryAfter === null ? null : ` ${say.failures.wait(duration(failure.retryAfter * 1_000))}`}
      </p>
      {failure.requestId === null ? null : <p class="quiet mono">{say.failures.number(failure.requestId)}</p>}
      {again === undefined ? null : <Button onPress={again}>{say.do.again}</Button>}
    </div>
  )
}

interface Props<A> {
  readonly query: Read<A>
  /** Content of the empty state, or a falsy value when there is data. Required, so no screen can omit it. */
  readonly empty: (answer: A) => ComponentChildren
  readonly children: (answer: A) => ComponentChildren
}

/** Shows a query. An error appears above the previous data, which stays. */
export function Loaded<A>({ children, empty, query }: Props<A>) {
  const [answer, failure] = [query.answer.value, query.failure.value]
  const nothing = answer === null ? null : empty(answer)
  return (
    <div class="loaded" aria-busy={query.busy.value || undefined}>
      {failure === null ? null : <Refusal failure={failure} again={query.refetch} />}
      {answer === null ? (
        failure === null ? (
          <p class="waiting">{say.loading}…</p>
        ) : null
      ) : nothing ? (
        nothing
      ) : (
        children(answer)
      )}
    </div>
  )
}

/** The empty state: what belongs here, and the next step. */
export function Empty({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
    </div>
  )
}
