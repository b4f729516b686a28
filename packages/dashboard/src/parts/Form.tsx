import type { ReadonlySignal, Signal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { createContext } from "preact"
import { useContext, useId } from "preact/hooks"
import { type Failure, fieldOf, problemOf } from "../api/Failure.ts"
import { say } from "../words/say.ts"
import { Button } from "./Button.tsx"
import { Dialog } from "./Dialog.tsx"
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
  /** Why the form cannot be submitted now. */
  readonly blocked: string | undefined
  /** Label of the submit button. */
  readonly submit: string
  readonly kind?: "main" | "danger"
  /** Names of the fields that can show an error of the service. */
  readonly fields: ReadonlyArray<string>
  readonly onCancel?: (() => void) | undefined
  readonly children: ComponentChildren
  readonly class?: string
}

/** A form that always shows its error, its progress, and why it is disabled. */
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

interface FormDialogProps extends Omit<FormProps, "onCancel"> {
  readonly title: string
  readonly wide?: boolean
  readonly onClose: () => void
}

/** A dialog that is one form: Cancel closes it. */
export function FormDialog({ onClose, title, wide = false, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose} wide={wide}>
      <Form {...form} onCancel={onClose} />
    </Dialog>
  )
}

interface FieldProps {
  readonly label: string
  /** The field's name in the contract. Errors that name it appear here. */
  readonly name: string
  readonly hint?: ComponentChildren
  /** A validation error found before submitting. */
  readonly problem?: string | null | undefined
  readonly children: (given: {
    readonly id: string
    readonly name: string
    readonly "aria-describedby": string | undefined
    readonly "aria-invalid": true | undefined
  }) => ComponentChildren
}

/** A labelled field with hint and error. Spread the given props onto the control. */
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

type Typed =
  | { readonly text: Signal<string>; readonly value?: never; readonly onType?: never }
  | { readonly text?: never; readonly value: string; readonly onType: (typed: string) => void }

type TextFieldProps = Omit<FieldProps, "children"> &
  Typed & {
    readonly type?: "datetime-local" | "email" | "password" | "tel" | "text" | "url"
    readonly autocomplete?: "off" | "one-time-code" | "username webauthn"
    readonly class?: string
    readonly dir?: "auto"
    readonly inputMode?: "decimal" | "numeric"
    readonly maxLength?: number
    readonly placeholder?: string
    readonly readOnly?: boolean
    readonly spellcheck?: boolean
  }

/** A field of one line: its text is a signal, or a value with what to do when it is typed. */
export function TextField({
  hint,
  label,
  name,
  onType,
  problem,
  text,
  type = "text",
  value,
  ...input
}: TextFieldProps) {
  return (
    <Field label={label} name={name} hint={hint} problem={problem}>
      {(given) => (
        <input
          {...given}
          {...input}
          // The types of JSX have a variant for each of these; they differ in nothing that is given here.
          type={type as "text"}
          value={text?.value ?? value}
          onInput={({ currentTarget: { value: typed } }) => (text === undefined ? onType(typed) : (text.value = typed))}
        />
      )}
    </Field>
  )
}
