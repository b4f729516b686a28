import { existsSync, readdirSync, statSync } from "node:fs"
import { join, posix } from "node:path"
import type { Fault, Page } from "./check.ts"
import { links } from "./markdown.ts"

/** Where the pictures of the dashboard are, which `write-docs` takes. */
export const folder = "docs/images"

/** What a picture shows. A path is one of the test environment; `:verification` and `:lead` are found when it is taken. */
export interface Picture {
  readonly file: string
  readonly path: string
  readonly heading: string
  readonly dark?: true
  readonly width?: number
}

export const pictures: ReadonlyArray<Picture> = [
  { file: "overview.png", path: "", heading: "Overview" },
  { file: "overview-dark.png", path: "", heading: "Overview", dark: true },
  { file: "verifications.png", path: "/verifications", heading: "Verifications" },
  { file: "verification.png", path: "/verifications/:verification", heading: "Verifications" },
  { file: "inbox.png", path: "/inbox/:lead", heading: "Inbox" },
  { file: "inbox-phone.png", path: "/inbox/:lead", heading: "Inbox", width: 390 },
  { file: "settings.png", path: "/settings", heading: "Settings" },
  { file: "templates.png", path: "/templates/:template", heading: "Templates" }
]

/** What all of them may weigh together: whoever clones the repository gets each that there ever was. */
const most = 1_200_000

/** Those that are not there. */
export const missingPictures = (root: string): ReadonlyArray<Picture> =>
  pictures.filter(({ file }) => !existsSync(join(root, folder, file)))

/**
 * Pictures that are not there, that no page shows, that nobody takes, or that are too heavy. What they show is not
 * compared: another machine has other fonts.
 */
export const pictureFaults = (root: string, pages: ReadonlyArray<Page>): ReadonlyArray<Fault> => {
  const fault = (file: string, message: string): Fault => ({ file, line: 0, message })
  const taken = new Set(pictures.map(({ file }) => `${folder}/${file}`))
  const there = existsSync(join(root, folder)) ? readdirSync(join(root, folder)).map((name) => `${folder}/${name}`) : []
  const shown = new Set(
    pages.flatMap(({ file, text }) => links(text).map(({ target }) => posix.join(posix.dirname(file), target)))
  )
  const weight = there.reduce((sum, file) => sum + statSync(join(root, file)).size, 0)
  return [
    ...missingPictures(root).map(({ file }) =>
      fault(`${folder}/${file}`, "is not there: run npx -y pnpm@12 write-docs")
    ),
    ...there.filter((file) => !taken.has(file)).map((file) => fault(file, "is in no row of tools/docs/pictures.ts")),
    ...there.filter((file) => !shown.has(file)).map((file) => fault(file, "is shown by no page")),
    ...(weight > most ? [fault(folder, `weighs ${weight} bytes; all of it may weigh ${most}`)] : [])
  ]
}
