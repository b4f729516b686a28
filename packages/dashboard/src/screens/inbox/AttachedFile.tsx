import { useSignal } from "@preact/signals"
import { useLayoutEffect } from "preact/hooks"
import { Button } from "../../parts/Button.tsx"
import { Announcer } from "../../shell/Announcer.tsx"
import { percent, size } from "../../words/format.ts"
import type { AttachedFile as File, Attaching } from "./attaching.ts"
import { say } from "./attachWords.ts"

/** A small view of a picture. The browser gets the type that was found from the bytes. */
function Thumbnail({ file: { file, type } }: { readonly file: File }) {
  const url = useSignal<string | null>(null)
  useLayoutEffect(() => {
    const made = URL.createObjectURL(file.slice(0, file.size, type.mimeType))
    url.value = made
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url.value === null ? null : <img class="attached-picture" src={url.value} alt="" />
}

interface Props {
  readonly attaching: Attaching
  /** Whether the draft that is shown would send the file. */
  readonly isShown: boolean
  /** Called after the file was removed, to move the focus. */
  readonly onRemoved: () => void
}

/** The file of a draft with its upload, and why a file was refused. */
export function AttachedFile({ attaching, isShown, onRemoved }: Props) {
  const { attached, cancel, news, problem, progress } = attaching
  const file = isShown ? attached.value : null
  const remove = () => {
    attached.value = null
    problem.value = null
    news.value = say.removed
    onRemoved()
  }
  return (
    <>
      {file === null ? null : (
        <div class="attached" role="group" aria-label={say.attached}>
          {file.type.kind === "image" ? (
            <Thumbnail file={file} />
          ) : (
            <span class="attached-kind" aria-hidden="true">
              {file.type.endings[0].toUpperCase()}
            </span>
          )}
          <span class="attached-name">
            <bdi class="theirs one-line">{file.file.name}</bdi>
            <span class="quiet">
              {size(file.file.size)}
              {progress.value === null ? null : ` · ${percent(Math.floor(progress.value * 100), 100)}`}
            </span>
          </span>
          {progress.value === null ? (
            <Button kind="quiet" label={say.remove(file.file.name)} onPress={remove}>
              <span aria-hidden="true">✕</span>
            </Button>
          ) : (
            <Button kind="quiet" onPress={() => cancel.peek()()}>
              {say.cancel}
            </Button>
          )}
          {progress.value === null ? null : (
            <progress value={progress.value} aria-label={say.uploading(file.file.name)} />
          )}
        </div>
      )}
      {problem.value === null ? null : (
        <p class="bad" role="alert">
          {problem.value}
        </p>
      )}
      <Announcer text={news.value} />
    </>
  )
}
