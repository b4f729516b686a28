import { Result } from "effect"
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import type { Environment } from "../VariableReader.ts"
import { fileOf, type Variable } from "./Variable.ts"

/** More than any secret has, so that a wrong path costs nothing. */
const mostBytes = 64 * 1024

/** Whatever waits for a writer answers at once, and says that it is no file. */
const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

const notThere = "does not exist; a relative path counts from the directory that the server is started in"

const whyNot: Readonly<Record<string, string>> = {
  ENOENT: notThere,
  ENOTDIR: notThere,
  ENAMETOOLONG: notThere,
  EACCES: "may not be read by this user",
  ELOOP: "is a link that leads to itself"
}

const reasonOf = (cause: unknown): string => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown"
  return whyNot[code] ?? `cannot be read (${code})`
}

interface Content {
  readonly text: string
  readonly isOpenToAll: boolean
}

const isControl = (text: string) => /\p{Cc}/u.test(text)

/** What a file that is open holds, or what is wrong with it. */
const contentOf = (file: number): Result.Result<Content, string> => {
  const stat = fstatSync(file)
  if (stat.isDirectory()) return Result.fail("is a directory")
  if (!stat.isFile()) return Result.fail("is no regular file")
  const bytes = Buffer.alloc(mostBytes + 1)
  let length = 0
  for (let read = -1; read !== 0 && length <= mostBytes; length += read)
    read = readSync(file, bytes, length, bytes.length - length, null)
  if (length > mostBytes) return Result.fail(`is larger than ${mostBytes / 1024} KB, so it holds something else`)
  const text = Result.getOrUndefined(
    Result.try(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length)))
  )?.replace(/\r?\n$/, "")
  if (text === undefined) return Result.fail("is not text")
  if (text.trim() === "") return Result.fail("is empty")
  if (isControl(text)) return Result.fail("holds more than one line")
  return Result.succeed({ text, isOpenToAll: (stat.mode & 0o004) !== 0 })
}

const read = (path: string): Result.Result<Content, string> => {
  const opened = Result.try(() => openSync(path, openFlags))
  if (Result.isFailure(opened)) return Result.fail(reasonOf(opened.failure))
  const file = opened.success
  const content = Result.try(() => contentOf(file))
  closeSync(file)
  return Result.isFailure(content) ? Result.fail(reasonOf(content.failure)) : content.success
}

export interface FilesRead {
  /** By the secret's own name. Never put into the environment, which a program that is started would be given. */
  readonly values: ReadonlyMap<string, string>
  /** What has a file that cannot be used: it is given, and has no value. */
  readonly unread: ReadonlyArray<string>
  readonly problems: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
}

/** Reads the secrets that `NAME_FILE` names, each once. What is wrong is told by variable alone. */
export const readFiles = (environment: Environment, variables: ReadonlyArray<Variable>): FilesRead => {
  const values = new Map<string, string>()
  const unread: Array<string> = []
  const problems: Array<string> = []
  const warnings: Array<string> = []
  const isGiven = (name: string) => (environment[name] ?? "").trim() !== ""
  for (const { name } of variables.filter(({ secret }) => secret === true)) {
    const variable = fileOf(name)
    if (!isGiven(variable)) continue
    const path = (environment[variable] ?? "").trim()
    if (isGiven(name)) {
      problems.push(`${name}, ${variable}: are given both; leave one of them out`)
      continue
    }
    const content = read(path)
    if (Result.isFailure(content)) {
      // Without the path: somebody may have put the secret itself there.
      problems.push(`${variable}: the file ${content.failure}`)
      unread.push(name)
      continue
    }
    values.set(name, content.success.text)
    if (content.success.isOpenToAll)
      warnings.push(`${variable}: every user of this machine may read the file; chmod o-r takes that away`)
  }
  return { values, unread, problems, warnings }
}
