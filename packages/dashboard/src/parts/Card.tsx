import type { ComponentChildren } from "preact"
import { useId } from "preact/hooks"

interface Props {
  readonly title?: string
  readonly actions?: ComponentChildren
  readonly children: ComponentChildren
  readonly class?: string
}

/** A section of a screen with its own heading. */
export function Card({ actions, children, class: name, title }: Props) {
  const id = useId()
  return (
    <section class={`card ${name ?? ""}`} aria-labelledby={title === undefined ? undefined : id}>
      {title === undefined ? null : (
        <header>
          <h2 id={id}>{title}</h2>
          {actions}
        </header>
      )}
      {children}
    </section>
  )
}

/** A value with its comparison. */
export function Figure({
  label,
  value,
  children
}: {
  readonly label: string
  readonly value: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="card figure">
      <h2>{label}</h2>
      <p class="figure-value">{value}</p>
      {children === undefined ? null : <p class="quiet">{children}</p>}
    </div>
  )
}
