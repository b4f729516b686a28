import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { cloneCommand } from "./site/cloneCommand.ts"
import { builtFaults, navigationFaults } from "./site/check.ts"
import { sitePages, targetOf } from "./site/pages.ts"
import { workspaceRoot } from "./workspace.ts"

const pages = sitePages(workspaceRoot)

describe("the check of the documentation site", () => {
  it("reports a page that is missing or repeated in the navigation", () => {
    const page = (name: string) => ({ file: `docs/${name}.md`, page: `${name}.md` })
    const items = [
      { text: "One", link: "/one" },
      { text: "Two", link: "/two" },
      { text: "Two again", link: "/two" }
    ]
    assert.deepStrictEqual(
      navigationFaults([page("one"), page("two"), page("three")], [{ text: "All", collapsed: false, items }]).map(
        (fault) => fault.slice(0, 41)
      ),
      ["docs/two.md is in the navigation 2 times:", "docs/three.md is in the navigation 0 time"]
    )
  })

  it("distinguishes a page, a file of the repository, and a missing target", () => {
    const to = (href: string, from = "docs/channels/twilio.md") => targetOf(workspaceRoot, pages, from, href)
    assert.deepStrictEqual(to("../errors.md#invalid_request"), { is: "page", path: "/errors#invalid_request" })
    assert.deepStrictEqual(to("#variables"), { is: "page", path: "/channels/twilio#variables" })
    assert.deepStrictEqual(to("../../examples/embedding"), { is: "page", path: "/examples/embedding/" })
    assert.deepStrictEqual(to("../../LICENSE"), { is: "file", file: "LICENSE" })
    assert.deepStrictEqual(to("../nobody.md"), { is: "missing", file: "docs/nobody.md" })
  })
})

describe("the command that clones the repository", () => {
  const commands = "git clone <this repository> countersign\ncd countersign\nnpx -y pnpm@12 start\n"
  const shown = (address: string | null) => {
    const tokens = [
      { type: "inline", content: commands },
      { type: "fence", content: commands }
    ]
    cloneCommand(address)({ core: { ruler: { push: (_, rule) => rule({ tokens }) } } })
    assert.strictEqual(tokens[0]?.content, commands)
    return tokens[1]?.content
  }

  it("names the address of the repository where it is known, and is left out where it is not", () => {
    assert.strictEqual(
      shown("https://git.example/you/$&"),
      commands.replace("<this repository>", () => "https://git.example/you/$&")
    )
    assert.strictEqual(shown(null), "cd countersign\nnpx -y pnpm@12 start\n")
  })
})

describe("the built site", () => {
  const out = mkdtempSync(join(tmpdir(), "built-site-"))
  afterAll(() => rmSync(out, { recursive: true, force: true }))

  it("must have every page, no dead link, and no link or request outside its path", () => {
    mkdirSync(join(out, "channels"))
    writeFileSync(join(out, "style.css"), "a { background: url(https://fonts.example/a.woff2) }")
    writeFileSync(join(out, "channels", "one.html"), `<h1 id="there">One</h1>`)
    writeFileSync(
      join(out, "index.html"),
      `<script src="//cdn.example/a.js"></script><link rel="stylesheet" href="/at/style.css">
      <a href="/at/channels/one.html#there">good</a><a href="https://example.com">elsewhere is good</a>
      <a href="/at/channels/one.html#gone">a</a><a href="/at/two.html">b</a><a href="/one.html">c</a>`
    )
    assert.deepStrictEqual(builtFaults(out, "/at/", [{ file: "docs/three.md", page: "three.md" }]), [
      "docs/three.md was not built",
      "index.html fetches //cdn.example/a.js",
      `index.html: "/at/channels/one.html#gone": no such heading`,
      `index.html: "/at/two.html" is not there`,
      `index.html: "/one.html" leaves the site's path`,
      "style.css fetches https://fonts.example/a.woff2"
    ])
  })
})
