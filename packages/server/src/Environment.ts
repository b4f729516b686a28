import { Context } from "effect"

/** The variables that commands read: the process's own, unless somebody runs commands in a process of theirs. */
export const Environment = Context.Reference<{ readonly [name: string]: string | undefined }>(
  "@countersign/server/Environment",
  { defaultValue: () => process.env }
)
