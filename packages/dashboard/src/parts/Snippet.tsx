import { Copy } from "./Button.tsx"

/** Code or a command to copy. */
export function Snippet({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div class="snippet">
      <pre tabIndex={0} aria-label={label}>
        <code>{text}</code>
      </pre>
      <Copy text={text} label={label} />
    </div>
  )
}
