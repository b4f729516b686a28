import { signal } from "@preact/signals"
import type { RefObject } from "preact"
import { placeNow } from "../../api/call.ts"
import { tell } from "../../parts/Toast.tsx"
import { may } from "../../session/may.ts"
import { me } from "../../session/session.ts"
import { say as shared } from "../../words/say.ts"
import { type AttachedFile, type Attaching, isOfFiles, noFileBecause } from "./attaching.ts"
import { say } from "./attachWords.ts"
import { useDrop } from "./useDrop.ts"

const kept = new Map<string, Attaching>()

/**
 * The file of the draft with this key. A page cannot store a file, so it stays in memory until it is sent or removed, or
 * the page is left. It outlives the composer: an upload goes on while the user reads another conversation.
 */
export const attachingOf = (key: string): Attaching => {
  const attaching = kept.get(key) ?? {
    attached: signal<AttachedFile | null>(null),
    problem: signal<string | null>(null),
    progress: signal<number | null>(null),
    news: signal(""),
    sentText: signal<string | null>(null),
    cancel: signal(() => {})
  }
  kept.set(key, attaching)
  return attaching
}

/** The part that decides about files is loaded with the first one. */
const loadFiles = async () => {
  const loaded = await import("./attachFile.ts").catch(() => null)
  if (loaded === null) tell(shared.shell.chunk, { tone: "bad" })
  return loaded
}

interface Options {
  readonly draftKey: string
  readonly leadId: number
  readonly composer: RefObject<HTMLElement | null>
  readonly kind: "reply" | "note" | "template"
  readonly isWindowOpen: boolean
  readonly onAttached: () => void
}

/** The file of a reply: chosen, pasted into the text, or dropped onto the conversation. */
export const useAttachment = ({ composer, draftKey, isWindowOpen, kind, leadId, onAttached }: Options) => {
  const attaching = attachingOf(draftKey)
  const { attached, problem, progress } = attaching
  const file = kind === "reply" ? attached.value : null

  const take = async (files: ReadonlyArray<File>) => {
    const because = noFileBecause({ kind, isWindowOpen })
    if (because !== undefined) return void (problem.value = say[because])
    if (progress.peek() !== null) return void (problem.value = say.uploadRuns)
    const loaded = await loadFiles()
    if (loaded !== null && (await loaded.attach(attaching, files))) onAttached()
  }
  const canSend = me.value?.sendsFiles === true && may.work === undefined
  const onFiles = canSend ? (files: ReadonlyArray<File>) => void take(files) : undefined
  const isOver = useDrop(composer, onFiles)
  const onPaste = (event: ClipboardEvent) => {
    const data = event.clipboardData
    if (onFiles === undefined || data === null || !isOfFiles(data.types) || data.files.length === 0) return
    event.preventDefault()
    onFiles([...data.files])
  }

  /** Uploads the file. Null if it was not uploaded: the reason is then beside it. */
  const upload = async (): Promise<string | null> => {
    if (file === null) return null
    // Before the first wait, so that a second press does not send a second time.
    progress.value = 0
    const place = placeNow()
    const loaded = await loadFiles()
    if (loaded !== null) return loaded.referenceOf(attaching, file, leadId, place)
    progress.value = null
    return null
  }
  /** Removes the file after its reply was sent, or the reference that the service refused. Another file stays. */
  const settle = (outcome: "sent" | "expired") => {
    if (file === null || attached.peek()?.file !== file.file) return
    attached.value = outcome === "sent" ? null : { ...file, reference: null }
  }
  const uploading = progress.value === null ? undefined : say.uploading(attached.value?.file.name ?? "")
  return { attaching, file, isOver, onFiles, onPaste, settle, upload, uploading }
}
