export interface CodeBlock {
  /** The line of the fence that opens it, counted from 1. */
  readonly line: number
  readonly language: string
  /** What follows the language on the opening fence. */
  readonly options: ReadonlyArray<string>
  readonly code: string
}

export interface Link {
  readonly line: number
  readonly target: string
}

interface Parsed {
  readonly blocks: ReadonlyArray<CodeBlock>
  /** The lines outside code blocks; those inside are empty. */
  readonly prose: ReadonlyArray<string>
}

const parse = (markdown: string): Parsed => {
  const blocks: Array<CodeBlock> = []
  const prose: Array<string> = []
  let open: { fence: string; indent: number; block: Omit<CodeBlock, "code">; code: Array<string> } | undefined
  markdown.split(/\r?\n/).forEach((text, index) => {
    const fence = /^(\s*)(`{3,}|~{3,})(.*)$/.exec(text)
    const [, indent = "", mark = "", info = ""] = fence ?? []
    prose.push(open === undefined && fence === null ? text : "")
    if (open === undefined) {
      if (fence === null) return
      const [language = "", ...options] = info.trim().split(/\s+/)
      open = { fence: mark, indent: indent.length, block: { line: index + 1, language, options }, code: [] }
    } else if (mark.startsWith(open.fence) && info.trim() === "") {
      blocks.push({ ...open.block, code: open.code.join("\n") })
      open = undefined
    } else open.code.push(text.slice(Math.min(open.indent, text.length - text.trimStart().length)))
  })
  if (open !== undefined) blocks.push({ ...open.block, code: open.code.join("\n") })
  return { blocks, prose }
}

export const codeBlocks = (markdown: string) => parse(markdown).blocks

/** Links and pictures, `[text](target)` or `[name]: target`, outside code. */
export const links = (markdown: string): ReadonlyArray<Link> =>
  parse(markdown).prose.flatMap((text, index) => {
    const plain = text.replace(/(`+).*?\1/g, "")
    const inline = [...plain.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+["'(][^)]*)?\)/g)].map((match) => match[1] as string)
    const reference = /^\s{0,3}\[[^\]]+\]:\s*<?([^\s>]+)/.exec(plain)?.[1]
    return [...inline, ...(reference === undefined ? [] : [reference])].map((target) => ({ line: index + 1, target }))
  })

/** What GitHub makes of a heading's words, before it numbers those that are the same. */
export const slug = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replace(/\s/g, "-")

/** The names GitHub gives to a page's headings. */
export const anchors = (markdown: string): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const text of parse(markdown).prose) {
    for (const explicit of text.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) found.add(explicit[1] as string)
    const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(text)?.[1]
    if (heading === undefined) continue
    const plain = slug(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1"))
    let name = plain
    for (let n = 1; found.has(name); n++) name = `${plain}-${n}`
    found.add(name)
  }
  return found
}
