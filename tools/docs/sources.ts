import { readFileSync } from "node:fs"
import { join } from "node:path"
import { EventData } from "../../packages/core/src/foundation/event/EventData.ts"
import { statusOf } from "../../packages/http/src/contract/ErrorEnvelope.ts"
import type { Fault } from "./check.ts"
import { eventTypes } from "./eventTypes.ts"
import { serverMethods } from "./serverMethods.ts"

/** A part of a source file that repeats what another place says, between `// generated` and `// /generated`. */
interface Source {
  readonly file: string
  readonly make: (root: string) => string
}

const version = (root: string) =>
  (JSON.parse(readFileSync(join(root, "packages/http/package.json"), "utf8")) as { version: string }).version

const sources: ReadonlyArray<Source> = [
  // The SDK is copied into other people's apps and imports nothing of ours.
  {
    file: "packages/sdk/src/ErrorCode.ts",
    make: () =>
      Object.keys(statusOf)
        .map((code) => `  | "${code}"`)
        .join("\n")
  },
  { file: "packages/sdk/src/server/WebhookEvent.ts", make: () => eventTypes(EventData) },
  { file: "packages/sdk/src/server/methods.ts", make: serverMethods },
  // A package cannot import its own manifest where it is bundled.
  { file: "packages/http/src/contract/version.ts", make: (root) => `export const version = "${version(root)}"` }
]

const part = /(\/\/ generated[^\n]*\n)([\s\S]*?)( *\/\/ \/generated)/

/** Each source file with its part as it should be; null where it is so already. One without its part stops everything. */
export const renewedSources = (root: string): ReadonlyArray<{ readonly file: string; readonly text: string | null }> =>
  sources.map(({ file, make }) => {
    const text = readFileSync(join(root, file), "utf8")
    if (!part.test(text)) throw new Error(`${file} has no part between "// generated" and "// /generated"`)
    const now = text.replace(part, (_, open: string, __, close: string) => `${open}${make(root)}\n${close}`)
    return { file, text: now === text ? null : now }
  })

/** Source files that are behind what they repeat. */
export const staleSources = (root: string): ReadonlyArray<Fault> =>
  renewedSources(root).flatMap(({ file, text }) =>
    text === null ? [] : [{ file, line: 0, message: "is behind what it is made from: run npx -y pnpm@12 write-docs" }]
  )
