import { useSignal } from "@preact/signals"
import type { Get, Input } from "../api/Api.ts"
import { file, keepFile, type LoadedFile } from "../api/call.ts"
import type { Failure } from "../api/Failure.ts"
import { Button } from "../parts/Button.tsx"
import { FormDialog } from "../parts/Form.tsx"
import { tell } from "../parts/Toast.tsx"
import { may } from "../session/may.ts"
import { say } from "./exportWords.ts"

/** The last line of a file that reached the limit of rows. */
const isCut = async ({ blob }: LoadedFile) => /\n"?# The export ends here[^\n]*\s*$/.test(await blob.slice(-400).text())

/** Excel reads a file as UTF-8 only when it begins with this mark; without it, Hindi is unreadable. */
const byteOrderMark = "\ufeff"

interface Props<N extends Get> {
  /** The list, which answers with a file for `Accept: text/csv`. */
  readonly of: N
  /** The parameters and filters of the screen at the moment of the export. */
  readonly input: () => Input<N>
  readonly fileName: string
  /** The same input with whole identities, for a list that masks them. */
  readonly unmasked?: () => Input<N>
}

/** Downloads a list with the filters of the screen. Asks first where the file could show whole identities. */
export function ExportCsv<N extends Get>({ fileName, input, of, unmasked }: Props<N>) {
  const isOpen = useSignal(false)
  const isWhole = useSignal(false)
  const busy = useSignal(false)
  const failure = useSignal<Failure | null>(null)
  const download = async (asked: Input<N>) => {
    busy.value = true
    failure.value = null
    const got = await file(of, asked, "text/csv")
    busy.value = false
    if (!got.ok) {
      failure.value = got.failure
      if (unmasked === undefined) tell(got.failure.message, { tone: "bad" })
      return
    }
    const blob = new Blob([byteOrderMark, got.body.blob], { type: "text/csv" })
    keepFile({ ...got.body, blob }, fileName)
    isOpen.value = false
    if (await isCut(got.body)) tell(say.cut, { tone: "bad" })
    else tell(say.done)
  }
  if (unmasked === undefined)
    return (
      <Button deed="export" busy={busy.value} onPress={() => void download(input())}>
        {say.csv}
      </Button>
    )
  return (
    <>
      <Button deed="export" opens="dialog" onPress={() => (isOpen.value = true)}>
        {say.csv}
      </Button>
      {isOpen.value ? (
        <FormDialog
          title={say.title}
          onClose={() => (isOpen.value = false)}
          onSubmit={() => void download(isWhole.value ? unmasked() : input())}
          failure={failure}
          busy={busy}
          blocked={undefined}
          submit={say.do}
          fields={[]}
        >
          <p>{say.hint}</p>
          {may.arrange === undefined ? (
            <label>
              <input
                type="checkbox"
                checked={isWhole.value}
                onChange={(event) => (isWhole.value = event.currentTarget.checked)}
              />{" "}
              {say.unmask} <span class="quiet">{say.unmaskHint}</span>
            </label>
          ) : null}
        </FormDialog>
      ) : null}
    </>
  )
}
