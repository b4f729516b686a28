import type { FileType } from "@countersign/core/fileType"
import type { Failure } from "../../api/Failure.ts"

type MediaKind = FileType["kind"]

/** A signal, which only hooks and drawings import. */
interface Held<T> {
  value: T
  readonly peek: () => T
}

/** A file that waits for its reply, with what its draft needs of it. */
export interface AttachedFile {
  readonly file: File
  readonly type: FileType
  /** The placeholder of its caption. */
  readonly captionHint: string
  /** Why a text cannot be its caption. */
  readonly whyNoCaption: (text: string) => string | undefined
  /** Uploads it once. The reference for a reply, or null if it was not uploaded: `problem` then has the reason. */
  readonly upload: () => Promise<string | null>
  /** After its reply: with null it was sent. */
  readonly settle: (failure: Failure | null) => void
  /** Tells a user who has left the conversation that the reply was not sent. */
  readonly report: (failure: Failure | null) => void
}

/** The file of a draft, and its upload. */
export interface Attaching {
  readonly attached: Held<AttachedFile | null>
  /** Why the last file was not attached or not uploaded. */
  readonly problem: Held<string | null>
  /** The share of the bytes that were sent, from 0 to 1. Null when no upload runs. */
  readonly progress: Held<number | null>
  /** Says that an upload runs. */
  readonly uploading: Held<string | undefined>
  /** For screen readers. */
  readonly news: Held<string>
  /** The text of a reply that was sent after its composer had closed. */
  readonly sentText: Held<string | null>
  readonly cancel: Held<() => void>
}

/**
 * Whether pasted or dropped content is a file. Cells and formatted text come with a picture of themselves; they are text.
 */
export const isOfFiles = (types: ReadonlyArray<string>): boolean =>
  types.includes("Files") &&
  !(types.includes("text/plain") && (types.includes("text/html") || types.includes("text/rtf")))

/** A draft that a file may be attached to. */
export interface Attachable {
  readonly attaching: Attaching
  readonly leadId: number
  readonly kind: "reply" | "note" | "template"
  readonly isWindowOpen: boolean
  readonly onAttached: () => void
}

/** Why a file cannot be attached now. A note must not become a reply by itself: its text is not for the customer. */
export const noFileBecause = ({
  isWindowOpen,
  kind
}: Pick<Attachable, "isWindowOpen" | "kind">): "inNote" | "windowOver" | undefined =>
  kind === "note" ? "inNote" : isWindowOpen ? undefined : "windowOver"

/** WhatsApp's limit of a caption, in characters. */
const longestCaption = 1_024

/** Why a text cannot be the caption of a file: a recording has none, and others have a shorter one than a message. */
export const captionProblem = (kind: MediaKind, text: string): "noCaption" | { readonly over: number } | undefined => {
  if (text.trim() === "") return undefined
  if (kind === "audio") return "noCaption"
  return text.length > longestCaption ? { over: text.length - longestCaption } : undefined
}
