import { useSignal } from "@preact/signals"
import { useRef } from "preact/hooks"
import { Button } from "../../parts/Button.tsx"
import { Field } from "../../parts/Form.tsx"
import { tell } from "../../parts/Toast.tsx"
import { say as shared } from "../../words/say.ts"
import { settingWords } from "../../words/settingsIndex.ts"
import { say } from "./words.ts"

/** The formats that `logoFile` reads. */
const accepted = "image/png,image/jpeg,image/webp"

/** The current logo, with buttons to replace and remove it. Both save at once. */
export function LogoControl({
  locked,
  logo,
  onChoose
}: {
  readonly logo: string
  readonly locked: boolean
  readonly onChoose: (logo: string) => void
}) {
  const wrong = useSignal<"notImage" | "tooLarge" | null>(null)
  const input = useRef<HTMLInputElement>(null)
  const read = async (file: File | undefined) => {
    if (file === undefined) return
    const loaded = await import("./logoFile.ts").catch(() => null)
    if (loaded === null) return tell(shared.shell.chunk, { tone: "bad" })
    const made = await loaded.logoFile(file)
    wrong.value = "problem" in made ? made.problem : null
    if ("logo" in made) onChoose(made.logo)
    // The same file can be chosen again.
    if (input.current !== null) input.current.value = ""
  }
  return (
    <Field
      label={`${settingWords.names.brandLogo}: ${say.logo.choose}`}
      name="brandLogo"
      problem={wrong.value === null ? null : say.logo[wrong.value]}
    >
      {(given) => (
        <span class="setting-logo">
          {logo === "" ? null : <img src={logo} alt={say.logo.alt} />}
          <input
            {...given}
            ref={input}
            type="file"
            accept={accepted}
            disabled={locked}
            onChange={(event) => void read(event.currentTarget.files?.[0])}
          />
          {logo === "" || locked ? null : (
            <Button kind="quiet" onPress={() => onChoose("")}>
              {say.logo.remove}
            </Button>
          )}
        </span>
      )}
    </Field>
  )
}
