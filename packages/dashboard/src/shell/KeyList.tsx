import { signal } from "@preact/signals"
import { Dialog } from "../parts/Dialog.tsx"
import { say } from "../words/say.ts"
import { declared, useKeys } from "../keys/useKeys.ts"

const isOpen = signal(false)
const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** A key as it is labelled on the user's keyboard. */
export const faceOf = (key: string): ReadonlyArray<string> =>
  key
    .split(" ")
    .map((part) => (part.includes("+") && part.length > 1 ? part.toUpperCase() : part))
    .map((part) => part.replace("MOD+", isMac ? "⌘" : "Ctrl ").replace("ALT+", isMac ? "⌥" : "Alt "))

/** Lists all shortcuts of the current screen. */
export function KeyList() {
  useKeys({ "?": [say.shell.keys, () => (isOpen.value = true)] })
  if (!isOpen.value) return null
  const all = new Map(declared.value.flatMap((each) => Object.entries(each)))
  return (
    <Dialog title={say.shell.keys} onClose={() => (isOpen.value = false)}>
      <dl class="key-list">
        {[...all].map(([key, [words]]) => (
          <div key={key}>
            <dt>
              {faceOf(key).map((face) => (
                <kbd key={face}>{face}</kbd>
              ))}
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">{say.shell.keysHint}</p>
    </Dialog>
  )
}
