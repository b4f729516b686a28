import { fileEndings } from "@countersign/core/fileType"
import { useSignal } from "@preact/signals"
import type { RefObject } from "preact"
import { useLayoutEffect, useRef } from "preact/hooks"
import { Button } from "../../parts/Button.tsx"
import { Announcer } from "../../shell/Announcer.tsx"
import { percent, size } from "../../words/format.ts"
import { take } from "./attachFile.ts"
import type { Attachable, AttachedFile as Attached } from "./attaching.ts"
import { say } from "./attachWords.ts"
import { useDrop } from "./useDrop.ts"

/** A small view of a picture. The browser gets the type that was found from the bytes. */
function Thumbnail({ file: { file, type } }: { readonly file: Attached }) {
  const url = useSignal<string | null>(null)
  useLayoutEffect(() => {
    const made = URL.createObjectURL(file.slice(0, file.size, type.mimeType))
    url.value = made
    return () => URL.revokeObjectURL(made)
  }, [file])
  return url.value === null ? null : <img class="attached-picture" src={url.value} alt="" />
}

interface AttachedProps extends Attachable {
  /** Whether the service can send files. */
  readonly isOffered: boolean
  readonly composer: RefObject<HTMLElement | null>
  /** Called after the file was removed, to move the focus. */
  readonly onRemoved: () => void
}

/** The file of a draft with its upload, and why a file was refused. */
export function AttachedFile({ composer, isOffered, onRemoved, ...draft }: AttachedProps) {
  const { attached, cancel, news, problem, progress } = draft.attaching
  const isOver = useDrop(composer, isOffered ? (files) => void take(draft, files) : undefined)
  const file = draft.kind === "reply" ? attached.value : null
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
      {isOver.value ? (
        <p class="drop-here" aria-hidden="true">
          {say.drop}
        </p>
      ) : null}
    </>
  )
}

/** With media types, a phone offers its camera, and converts its pictures to JPEG. */
const accept = ["image/jpeg", "image/png", "video/mp4", ...fileEndings.map((ending) => `.${ending}`)].join(",")

/** Opens the browser's file picker. */
export function AttachButton(draft: Attachable) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        kind="quiet"
        label={say.attach}
        blocked={draft.attaching.uploading.value}
        onPress={() => picker.current?.click()}
      >
        <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M20.5 11.5 12 20a5 5 0 0 1-7.1-7.1l8.8-8.8a3.3 3.3 0 0 1 4.7 4.7l-8.6 8.6a1.6 1.6 0 0 1-2.3-2.3l7.8-7.8" />
        </svg>
      </Button>
      <input
        ref={picker}
        type="file"
        hidden
        accept={accept}
        onChange={({ currentTarget }) => {
          const files = [...(currentTarget.files ?? [])]
          // Without this, choosing the same file again would be no change.
          currentTarget.value = ""
          if (files.length > 0) void take(draft, files)
        }}
      />
    </>
  )
}
