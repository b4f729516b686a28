import { Context } from "effect"

/** The variables that commands read. Defaults to `process.env`; an embedder or a test may provide others. */
export const Environment = Context.Reference<{ readonly [name: string]: string | undefined }>(
  "@countersign/server/Environment",
  { defaultValue: () => process.env }
)
