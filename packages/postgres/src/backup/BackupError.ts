import { Schema } from "effect"

/** A backup or a restore failed. `problem` says why, and what to do. */
export class BackupError extends Schema.TaggedError<BackupError>()("BackupError", {
  problem: Schema.String,
  cause: Schema.Defect()
}) {
  override get message(): string {
    return this.problem
  }
}

/** Stops a backup or a restore with a message for the operator. */
export class Stop extends Error {}

/** File system errors in words. */
export const ofDisk: { readonly [code: string]: string } = {
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  EACCES: "this user lacks permission",
  EPERM: "this user lacks permission",
  ENOENT: "the file or directory does not exist",
  EISDIR: "it is a directory",
  EROFS: "the disk is read-only"
}

/** Describes a failure without the text of its cause, which may quote data. */
export const because = (what: string) => (cause: unknown) => {
  if (cause instanceof Stop) return new BackupError({ problem: cause.message, cause: null })
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  const state =
    typeof cause === "object" && cause !== null && "sqlState" in cause && typeof cause.sqlState === "string"
      ? `Postgres answered SQLSTATE ${cause.sqlState}`
      : undefined
  const named = typeof cause === "object" && cause !== null && "_tag" in cause && cause instanceof Error
  const path = cause instanceof Error && "path" in cause ? `: ${String(cause.path)}` : ""
  const disk = ofDisk[code] === undefined ? undefined : `${ofDisk[code]}${path}`
  const why = disk ?? state ?? (code === "" ? (named ? cause.message : "it failed") : code)
  return new BackupError({ problem: `${what}: ${why}`, cause })
}
