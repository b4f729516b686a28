import { type FileProblem, type FileType, judgeFile, largestFile } from "@countersign/core/fileType"
import { type Failure, fieldOf, problemOf } from "../../api/Failure.ts"
import { placeNow } from "../../api/call.ts"

import { tell } from "../../parts/Toast.tsx"
import { count, size } from "../../words/format.ts"
import { type Attachable, type AttachedFile, type Attaching, captionProblem, noFileBecause } from "./attaching.ts"
import { say } from "./attachWords.ts"
import { upload } from "./upload.ts"

const million = 1_000_000

const wordsOf = (problem: FileProblem): string => {
  if (problem.code === "FILE_LARGE") return say.large[problem.kind](size(problem.max * million))
  return problem.code === "FILE_EMPTY" ? say.empty : say.type
}

/** The type of a file, or why it cannot be sent. The bytes decide, as at the service. */
const judged = async (file: File): Promise<FileType | string> => {
  if (file.size > largestFile) return say.larger(size(largestFile))
  const bytes = await file.arrayBuffer().catch(() => null) // a folder, or a file that is gone
  if (bytes === null) return say.unreadable
  const found = judgeFile(new Uint8Array(bytes))
  return "code" in found ? wordsOf(found) : found
}

const whyNoCaption = (type: FileType, text: string): string | undefined => {
  const problem = captionProblem(type.kind, text)
  return typeof problem === "object" ? say.captionTooLong(count(problem.over)) : problem && say[problem]
}

const reasonOf = (failure: Failure): string => {
  if (failure.status === 413) return say.larger(size(largestFile))
  if (failure.errorCode === "NETWORK") return say.noConnection
  return fieldOf(failure, ["file"]) === null ? failure.message : say.refused(problemOf(failure, "file"))
}

const mostTries = 8
/** In seconds. A longer wait is a limit, and the user hears of it. */
const longestPause = 5

type Busy = { readonly ok: false; readonly failure: Failure & { readonly retryAfter: number } }

/** Whether the service has no memory for this file right now, because colleagues are sending files as well. */
const isBusy = <R extends { readonly ok: true } | { readonly ok: false; readonly failure: Failure }>(
  reply: R
): reply is R & Busy =>
  !reply.ok &&
  reply.failure.status === 429 &&
  reply.failure.retryAfter !== null &&
  reply.failure.retryAfter <= longestPause

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms)
    signal.addEventListener("abort", () => resolve())
  })

/** Uploads a file, and shows its progress. */
const uploaded = async (
  { cancel, news, problem, progress, uploading }: Attaching,
  file: File,
  leadId: number
): Promise<string | null> => {
  const stop = new AbortController()
  const place = placeNow()
  cancel.value = () => stop.abort()
  problem.value = null
  progress.value = 0
  news.value = uploading.value = say.uploading(file.name)
  const send = () =>
    upload("POST /v1/dashboard/leads/:id/media", { params: { id: leadId } }, file, {
      signal: stop.signal,
      place,
      onProgress: (share) => (progress.value = share)
    })
  let reply = await send()
  for (let tries = 1; tries < mostTries && isBusy(reply) && !stop.signal.aborted; tries++) {
    await pause(reply.failure.retryAfter * 1_000, stop.signal)
    reply = await send()
  }
  progress.value = null
  uploading.value = undefined
  news.value = ""
  if (reply.ok) return reply.body.attachment
  if (stop.signal.aborted) news.value = say.cancelled
  else problem.value = reasonOf(reply.failure)
  return null
}

const attachedOf = (attaching: Attaching, file: File, type: FileType, leadId: number): AttachedFile => {
  const { attached, problem } = attaching
  let reference: string | null = null
  return {
    file,
    type,
    captionHint: say.caption,
    whyNoCaption: (text) => whyNoCaption(type, text),
    // A reply that is sent again uploads nothing.
    upload: async () => (reference ??= await uploaded(attaching, file, leadId)),
    settle: (failure) => {
      // Another file may have been attached meanwhile.
      if (failure === null && attached.peek()?.file === file) attached.value = null
      if (failure !== null && fieldOf(failure, ["attachment"]) !== null) reference = null
    },
    report: (failure) => {
      const reason = problem.peek() ?? failure?.message
      if (reason !== undefined) tell(say.notSent(reason), { tone: "bad" })
    }
  }
}

/** Attaches a file to a draft, in place of the one before. A file that cannot be sent changes nothing. */
const attach = async (
  attaching: Attaching,
  files: ReadonlyArray<File>,
  leadId: number
): Promise<string | undefined> => {
  const [file] = files
  const found = file === undefined || files.length > 1 ? say.one : await judged(file)
  if (file === undefined || typeof found === "string") return typeof found === "string" ? found : say.one
  attaching.attached.value = attachedOf(attaching, file, found, leadId)
  attaching.news.value = say.added(file.name, size(file.size))
  return undefined
}

/** Takes files that were chosen, pasted or dropped, or says why not. */
export const take = async (draft: Attachable, files: ReadonlyArray<File>): Promise<void> => {
  const { attaching, leadId, onAttached } = draft
  const because = noFileBecause(draft)
  const refusal =
    because !== undefined
      ? say[because]
      : attaching.progress.peek() !== null
        ? say.uploadRuns
        : await attach(attaching, files, leadId)
  if (refusal === undefined) onAttached()
  attaching.problem.value = refusal ?? null
}
