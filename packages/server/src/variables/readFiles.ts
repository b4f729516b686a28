import { Result } from "effect"
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"
import { type Environment, fileOf, type Variable } from "./Variable.ts"

/** Larger than any secret. A limit, because the path may name a huge file by mistake. */
const mostBytes = 64 * 1024

/** Non-blocking, so that opening a pipe without a writer does not hang. */
const openFlags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

const notThere = "does not exist; a relative path starts at the directory that the server is started in"

const whyNot: Readonly<Record<string, string>> = {
  ENOENT: notThere,
  ENOTDIR: notThere,
  ENAMETOOLONG: notThere,
  EACCES: "is not readable by this user",
  ELOOP: "is a symbolic link that points to itself"
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

/** The content of an open file, or what is wrong with it. */
const contentOf = (file: number): Result.Result<Content, string> => {
  const stat = fstatSync(file)
  if (stat.isDirectory()) return Result.fail("is a directory")
  if (!stat.isFile()) return Result.fail("is not a regular file")
  const bytes = Buffer.alloc(mostBytes + 1)
  let length = 0
  for (let read = -1; read !== 0 && length <= mostBytes; length += read)
    read = readSync(file, bytes, length, bytes.length - length, null)
  if (length > mostBytes) return Result.fail(`is larger than ${mostBytes / 1024} KB, so it cannot be a secret`)
  const text = Result.getOrUndefined(
    Result.try(() => new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length)))
  )?.replace(/\r?\n$/, "")
  if (text === undefined) return Result.fail("is not text")
  if (text.trim() === "") return Result.fail("is empty")
  if (isControl(text)) return Result.fail("must contain only one line")
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
  /** By the secret's own name. Kept out of the environment, which child processes inherit. */
  readonly values: ReadonlyMap<string, string>
  /** Secrets whose file cannot be used: they count as set, but have no value. */
  readonly unread: ReadonlyArray<string>
  readonly problems: ReadonlyArray<string>
  readonly warnings: ReadonlyArray<string>
}

/** Reads the files named by `NAME_FILE` variables. Problems name only the variable. */
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
      problems.push(`${name}, ${variable}: both are set; remove one of them`)
      continue
    }
    const content = read(path)
    if (Result.isFailure(content)) {
      // Without the path, because the variable may contain the secret itself by mistake.
      problems.push(`${variable}: the file ${content.failure}`)
      unread.push(name)
      continue
    }
    values.set(name, content.success.text)
    if (content.success.isOpenToAll)
      warnings.push(`${variable}: every user of this machine can read the file; run chmod o-r on it`)
  }
  return { values, unread, problems, warnings }
}
