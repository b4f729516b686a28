import { type SitePage, targetOf } from "./pages.ts"

/** What of markdown-it is used here: the site brings it, and nothing else in the repository knows it. */
interface Token {
  type: string
  tag: string
  readonly children: ReadonlyArray<Token> | null
  attrGet: (name: string) => string | null
  attrSet: (name: string, value: string) => void
  attrs: Array<[name: string, value: string]> | null
}
interface MarkdownIt {
  readonly core: {
    readonly ruler: {
      readonly push: (
        name: string,
        rule: (state: {
          readonly tokens: ReadonlyArray<Token>
          readonly env: { readonly path?: string; readonly realPath?: string }
        }) => void
      ) => void
    }
  }
}

/**
 * Links between files become links between pages. A link to a file that is no page leads to the repository, or, where
 * that is not known, is shown as words with the file's path; one that leads nowhere stops the build.
 */
export const relink =
  (options: {
    readonly root: string
    readonly pages: ReadonlyArray<SitePage>
    /** From a file to the address where it can be looked at, or null. */
    readonly address: (file: string) => string | null
  }) =>
  (md: MarkdownIt) => {
    /** What the link is now; the one that closes it must be the same. */
    const opened = (file: string, link: Token): "a" | "span" => {
      const href = link.attrGet("href") ?? ""
      if (/^([a-z][a-z0-9+.-]*:|\/|#)/i.test(href)) return "a"
      const target = targetOf(options.root, options.pages, file, href)
      if (target.is === "missing") throw new Error(`${file}: "${href}" does not exist`)
      const address = target.is === "page" ? target.path : options.address(target.file)
      if (address !== null) {
        link.attrSet("href", address)
        return "a"
      }
      link.attrs = [
        ["class", "in-repository"],
        ["title", target.is === "file" ? `${target.file}, in the repository` : ""]
      ]
      return "span"
    }
    const each = (file: string, tokens: ReadonlyArray<Token>) => {
      let tag: "a" | "span" = "a"
      for (const token of tokens) {
        if (token.type === "link_open") tag = opened(file, token)
        if (tag === "span" && /^link_(open|close)$/.test(token.type)) {
          token.type = token.type.replace("link", "file")
          token.tag = tag
        }
        if (token.children !== null) each(file, token.children)
      }
    }
    md.core.ruler.push("relink", ({ env, tokens }) => {
      const path = (env.realPath ?? env.path)?.replaceAll("\\", "/") ?? ""
      const file = path.startsWith(`${options.root}/`) ? path.slice(options.root.length + 1) : null
      if (file !== null) each(file, tokens)
    })
  }
