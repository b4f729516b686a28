import type { ComponentChildren } from "preact"

/** A name with its value, in a `<dl class="facts">`. */
export const Fact = ({ children, title }: { readonly title: string; readonly children: ComponentChildren }) => (
  <>
    <dt>{title}</dt>
    <dd>{children}</dd>
  </>
)
