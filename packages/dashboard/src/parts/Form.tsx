import type { ReadonlySignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { createContext } from "preact"
import { useContext, useId } from "preact/hooks"
import { type Failure, fieldOf, problemOf } from "../api/Failure.ts"
import { say } from "../words/say.ts"
import { Button } from "./Button.tsx"
import { Refusal } from "./Loaded.tsx"

interface Fault {
  readonly field: string
  readonly problem: string
}
const Faults = createContext<Fault | null>(null)

interface FormProps {
  readonly onSubmit: () => void
  readonly failure: ReadonlySignal<Failure | null>
  readonly busy: ReadonlySignal<boolean>
  /** Why it cannot be sent now. */
  readonly blocked: string | undefined
  /** What the button says. */
  readonly submit: string
  readonly kind?: "main" | "danger"
  /** The fields that a refusal may name; it is shown at the one it names. */
  readonly fields: ReadonlyArray<string>
  readonly onCancel?: (() => void) | undefined
  readonly children: ComponentChildren
  readonly class?: string
}

/** A form that cannot forget to say why it was refused, that it is under way, or why it cannot be sent. */
export function Form({
  blocked,
  busy,
  children,
  class: name,
  failure,
  fields,
  kind = "main",
  onCancel,
  onSubmit,
  submit
}: FormProps) {
  const refused = failure.value
  const field = refused === null ? null : fieldOf(refused, fields)
  const fault = refused === null || field === null ? null : { field, problem: problemOf(refused, field) }
  return (
    <form
      class={`form ${name ?? ""}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (blocked === undefined && !busy.peek()) onSubmit()
      }}
    >
      <Faults.Provider value={fault}>{children}</Faults.Provider>
      {refused === null || field !== null ? null : <Refusal failure={refused} />}
      <div class="form-foot">
        <Button submit kind={kind} blocked={blocked} busy={busy.value}>
          {submit}
        </Button>
        {onCancel === undefined ? null : (
          <Button kind="quiet" onPress={onCancel}>
            {say.do.cancel}
          </Button>
        )}
        {blocked === undefined ? null : <span class="quiet">{blocked}</span>}
      </div>
    </form>
  )
}

interface FieldProps {
  readonly label: string
  /** As the contract calls it: a refusal that names it is shown here. */
  readonly name: string
  readonly hint?: ComponentChildren
  /** What is wrong with it already, before it is sent. */
  readonly problem?: string | null | undefined
  readonly children: (given: {
    readonly id: string
    readonly name: string
    readonly "aria-describedby": string | undefined
    readonly "aria-invalid": true | undefined
  }) => ComponentChildren
}

/** A labelled field with its hint and what is wrong with it. The control takes what it is given. */
export function Field({ children, hint, label, name, problem }: FieldProps) {
  const id = useId()
  const fault = useContext(Faults)
  const wrong = fault !== null && fault.field === name ? fault.problem : problem
  const described = [...(hint === undefined ? [] : [`${id}-hint`]), ...(wrong ? [`${id}-wrong`] : [])].join(" ")
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({ id, name, "aria-describedby": described || undefined, "aria-invalid": wrong ? true : undefined })}
      {hint === undefined ? null : (
        <p id={`${id}-hint`} class="hint">
          {hint}
        </p>
      )}
      {wrong ? (
        <p id={`${id}-wrong`} class="wrong" role="alert">
          {wrong}
        </p>
      ) : null}
    </div>
  )
}
