import { signal, useSignal } from "@preact/signals"
import type { Failure } from "../../api/Failure.ts"
import { wake } from "../../live/topics.ts"
import { FormDialog, TextField } from "../../parts/Form.tsx"
import { tell } from "../../parts/Toast.tsx"
import { later } from "./dialogWords.ts"
import { say } from "./words.ts"

/**
 * Simulates a customer's WhatsApp message in development. Returns the error message, or null. Not part of the
 * contract.
 */
const playCustomer = async (message: {
  readonly from: string
  readonly name: string
  readonly text: string
}): Promise<string | null> => {
  try {
    const response = await fetch("/dev/whatsapp", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(message)
    })
    if (response.ok) return null
    const body: unknown = await response.json().catch(() => null)
    return typeof body === "object" && body !== null && "message" in body ? String(body.message) : `${response.status}`
  } catch (cause) {
    return String(cause)
  }
}

/** The last simulated customer, preselected for the next message. */
const played = signal({ from: "+919876543210", name: "Asha", text: later.play.first })

/** Development only. A simulated message takes the same path as a real WhatsApp message. */
export function PlayDialog({ onClose }: { readonly onClose: () => void }) {
  const busy = useSignal(false)
  const failure = useSignal<Failure | null>(null)
  const set = (changes: Partial<typeof played.value>) => (played.value = { ...played.peek(), ...changes })
  const submit = async () => {
    busy.value = true
    const message = await playCustomer(played.peek())
    busy.value = false
    failure.value =
      message === null
        ? null
        : { status: 400, errorCode: "INVALID_REQUEST", message, requestId: null, retryAfter: null }
    if (message !== null) return
    set({ text: "" })
    tell(later.play.done)
    onClose()
    setTimeout(() => wake("lead"), 1_000)
  }
  return (
    <FormDialog
      title={later.play.title}
      onClose={onClose}
      onSubmit={() => void submit()}
      failure={failure}
      busy={busy}
      blocked={played.value.text.trim() === "" ? say.nothingTyped : undefined}
      submit={later.play.submit}
      fields={["from", "name", "text"]}
    >
      <p class="hint">{later.play.intro}</p>
      {(["from", "name", "text"] as const).map((field) => (
        <TextField
          key={field}
          label={later.play[field]}
          name={field}
          autocomplete="off"
          value={played.value[field]}
          onType={(typed) => set({ [field]: typed })}
        />
      ))}
    </FormDialog>
  )
}
