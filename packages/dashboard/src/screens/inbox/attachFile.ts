import { type FileProblem, judgeFile, largestFile } from "@countersign/core/fileType"
import { type Failure, fieldOf, problemOf } from "../../api/Failure.ts"
import type { Place } from "../../api/call.ts"
import { upload } from "../../api/upload.ts"
import { size } from "../../words/format.ts"
import type { AttachedFile, Attaching } from "./attaching.ts"
import { say } from "./attachWords.ts"

const million = 1_000_000

const wordsOf = (problem: FileProblem): string => {
  if (problem.code === "FILE_LARGE") return say.large[problem.kind](size(problem.max * million))
  return problem.code === "FILE_EMPTY" ? say.empty : say.type
}

/** The file with its type, or why it cannot be sent. The bytes decide, as at the service. */
const judged = async (file: File): Promise<AttachedFile | string> => {
  if (file.size > largestFile) return say.larger(size(largestFile))
  const bytes = await file.arrayBuffer().catch(() => null) // a folder, or a file that is gone
  if (bytes === null) return say.unreadable
  const found = judgeFile(new Uint8Array(bytes))
  return "code" in found ? wordsOf(found) : { file, type: found, reference: null }
}

/** Attaches a file to a draft, in place of the one before. A file that cannot be sent changes nothing. */
export const attach = async ({ attached, news, problem }: Attaching, files: ReadonlyArray<File>): Promise<boolean> => {
  const [file] = files
  const found = file === undefined || files.length > 1 ? say.one : await judged(file)
  if (typeof found === "string") {
    problem.value = found
    return false
  }
  problem.value = null
  attached.value = found
  news.value = say.added(found.file.name, size(found.file.size))
  return true
}

const reasonOf = (failure: Failure): string => {
  if (failure.status === 413) return say.larger(size(largestFile))
  if (failure.errorCode === "NETWORK") return say.noConnection
  return fieldOf(failure, ["file"]) === null ? failure.message : say.refused(problemOf(failure, "file"))
}

/** The reference of the attached file for a reply. Null if it was not uploaded; `problem` then has the reason. */
export const referenceOf = async (
  { attached, cancel, news, problem, progress }: Attaching,
  { file, reference, type }: AttachedFile,
  leadId: number,
  place: Place
): Promise<string | null> => {
  if (reference !== null) {
    progress.value = null
    return reference
  }
  const stop = new AbortController()
  cancel.value = () => stop.abort()
  problem.value = null
  progress.value = 0
  news.value = say.uploading(file.name)
  const reply = await upload("POST /v1/dashboard/leads/:id/media", { params: { id: leadId } }, file, {
    signal: stop.signal,
    place,
    onProgress: (share) => (progress.value = share)
  })
  progress.value = null
  news.value = ""
  if (!reply.ok) {
    if (stop.signal.aborted) news.value = say.cancelled
    else problem.value = reasonOf(reply.failure)
    return null
  }
  // The file may have been removed meanwhile.
  if (attached.peek()?.file === file) attached.value = { file, type, reference: reply.body.attachment }
  return reply.body.attachment
}
