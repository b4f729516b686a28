import { fileEndings } from "@countersign/core/fileType"
import { useRef } from "preact/hooks"
import { Button } from "../../parts/Button.tsx"
import { say } from "./attachWords.ts"

interface Props {
  readonly blocked: string | undefined
  readonly onFiles: (files: ReadonlyArray<File>) => void
}

/** With media types, a phone offers its camera, and converts its pictures to JPEG. */
const accept = ["image/jpeg", "image/png", "video/mp4", ...fileEndings.map((ending) => `.${ending}`)].join(",")

/** Opens the browser's file picker. */
export function AttachButton({ blocked, onFiles }: Props) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button kind="quiet" label={say.attach} blocked={blocked} onPress={() => picker.current?.click()}>
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
          if (files.length > 0) onFiles(files)
        }}
      />
    </>
  )
}
