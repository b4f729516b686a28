import { say } from "../words/say.ts"
import { Copy } from "./Button.tsx"

/** A secret shown once. It never enters state that outlives the dialog, nor the address. */
export function Secret({ label, value }: { readonly label: string; readonly value: string }) {
  return (
    <div class="secret">
      <h3>{label}</h3>
      <p>
        <code>{value}</code> <Copy text={value} label={label} />
      </p>
    </div>
  )
}

export function ShownOnce() {
  return <p class="warn">{say.shownOnce}</p>
}
