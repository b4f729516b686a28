/** What of markdown-it is used here. */
interface MarkdownIt {
  readonly core: {
    readonly ruler: {
      readonly push: (
        name: string,
        rule: (state: { readonly tokens: ReadonlyArray<{ readonly type: string; content: string }> }) => void
      ) => void
    }
  }
}

/** In a README, the address is known from where the reader found it. */
const unknown = "<this repository>"

/**
 * Commands that readers copy must work. The command that clones the repository names its address. Without a known address
 * the command is left out, and the reader begins in the clone.
 */
export const cloneCommand = (address: string | null) => (md: MarkdownIt) => {
  md.core.ruler.push("clone-command", ({ tokens }) => {
    for (const token of tokens) {
      if (token.type !== "fence" || !token.content.includes(unknown)) continue
      token.content = token.content
        .split("\n")
        .filter((line) => address !== null || !line.includes(unknown))
        .map((line) => line.replace(unknown, () => address ?? ""))
        .join("\n")
    }
  })
}
