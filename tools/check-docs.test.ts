import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { assert, describe, it } from "vitest"
import { EventData } from "../packages/core/src/foundation/event/EventData.ts"
import { brokenLinks, readPages, snippets } from "./docs/check.ts"
import { eventReference } from "./docs/eventReference.ts"
import { eventTypes } from "./docs/eventTypes.ts"
import { renewed, staleParts } from "./docs/generated.ts"
import { anchors, codeBlocks, links } from "./docs/markdown.ts"
import { pictureFaults, pictures } from "./docs/pictures.ts"

describe("the parser of documentation pages", () => {
  it("finds code blocks, also in lists and inside longer fences", () => {
    const page = [
      "```ts",
      "a",
      "```",
      "- item",
      "  ```sh no-check",
      "  b",
      "    c",
      "  ```",
      "````md",
      "```ts",
      "d",
      "```",
      "````"
    ]
    assert.deepEqual(codeBlocks(page.join("\n")), [
      { line: 1, language: "ts", options: [], code: "a" },
      { line: 5, language: "sh", options: ["no-check"], code: "b\n  c" },
      { line: 9, language: "md", options: [], code: "```ts\nd\n```" }
    ])
  })

  it("finds links outside code", () => {
    const page = '[a](b.md) ![c](<d.png> "title")\n`[no](no)`\n```\n[no](no)\n```\n[e]: f/g.md#h'
    assert.deepEqual(links(page), [
      { line: 1, target: "b.md" },
      { line: 1, target: "d.png" },
      { line: 6, target: "f/g.md#h" }
    ])
  })

  it("gives headings the ids that GitHub gives them", () => {
    assert.deepEqual(
      [...anchors("# Who may import whom?\n## `core`, [x](y)\n## A\n## A")],
      ["who-may-import-whom", "core-x", "a", "a-1"]
    )
  })
})

describe("the check of documentation pages", () => {
  it("reports pictures that are missing, unknown, unused or too large", () => {
    const root = mkdtempSync(join(tmpdir(), "check-docs-"))
    try {
      mkdirSync(join(root, "docs/images"), { recursive: true })
      const names = pictures.map(({ file }) => file)
      for (const name of names) writeFileSync(join(root, "docs/images", name), name)
      const showing = (shown: ReadonlyArray<string>) => [
        { file: "docs/a.md", text: shown.map((name) => `![what it shows](images/${name})`).join("\n") }
      ]
      const faults = (shown: ReadonlyArray<string>) => pictureFaults(root, showing(shown)).map(({ message }) => message)
      assert.deepEqual(faults(names), [])
      assert.deepEqual(faults(names.slice(1)), ["is shown by no page"])
      rmSync(join(root, "docs/images", names[0]!))
      assert.deepEqual(faults(names), ["is not there: run npx -y pnpm@12 write-docs"])
      writeFileSync(join(root, "docs/images", names[0]!), Buffer.alloc(1_300_000))
      assert.lengthOf(faults(names), 1)
      writeFileSync(join(root, "docs/images", names[0]!), "")
      writeFileSync(join(root, "docs/images/other.png"), "")
      assert.deepEqual(faults([...names, "other.png"]), ["is in no row of tools/docs/pictures.ts"])
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })

  it("reports links to missing files and headings, and nothing else", () => {
    const root = mkdtempSync(join(tmpdir(), "check-docs-"))
    try {
      const write = (path: string, text: string) => {
        mkdirSync(dirname(join(root, path)), { recursive: true })
        writeFileSync(join(root, path), text)
      }
      write(
        "README.md",
        "# Top\n[a](docs/a.md) [b](docs/a.md#one) [c](https://example.com/no) [d](#top) [e](mailto:a@b.c)\n[f](docs/b.md)"
      )
      write("docs/a.md", "# One\n[up](../README.md) [folder](..) [two](#two)\n[abs](/README.md)")
      const found = brokenLinks(root, readPages(root)).map(({ file, line, message }) => `${file}:${line}: ${message}`)
      assert.deepEqual(found, [
        'README.md:3: "docs/b.md" does not exist',
        'docs/a.md:2: "#two": no such heading in docs/a.md',
        'docs/a.md:3: "/README.md" is not relative to this page'
      ])
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })

  it("extracts the TypeScript blocks of the pages at their own lines", () => {
    const text = "x\n```ts\na\n```\n```typescript\nb\n```\n```ts no-check\nc\n```\n```js\nd\n```"
    const pages = ["README.md", "docs/how/to.md", "packages/core/README.md", "CONTRIBUTING.md"].map((file) => ({
      file,
      text
    }))
    assert.deepEqual(
      snippets(pages).map(({ name, source }) => [name, source]),
      ["README.md", "docs__how__to.md", "packages__core__README.md"].flatMap((name) => [
        [`${name}.2.ts`, "\n\na\n"],
        [`${name}.5.ts`, "\n\n\n\n\nb\n"]
      ])
    )
  })
})

describe("the generated parts of documentation pages", () => {
  it("are stale until they are regenerated, and are found in the page", () => {
    const root = mkdtempSync(join(tmpdir(), "generated-"))
    try {
      mkdirSync(join(root, "docs", "how"), { recursive: true })
      writeFileSync(join(root, "docs", "how", "to.py"), "print('$1')\n")
      const open = "<!-- generated: how/to.py -->"
      const page = {
        file: "docs/page.md",
        text: `# A\n\n${open}\n\`\`\`python\nold\n\`\`\`\n<!-- /generated -->\n\n<!-- generated: gone.go -->\nx\n<!-- /generated -->\n`
      }
      const faults = (text: string) =>
        staleParts(root, [{ ...page, text }]).map(({ line, message }) => `${line}: ${message}`)
      assert.deepEqual(faults(page.text), [
        '3: "how/to.py" has changed: run npx -y pnpm@12 write-docs',
        '9: "gone.go" does not exist, so nothing can be made of it'
      ])
      const text = renewed(root, page)
      assert.strictEqual(
        text,
        page.text.replace("old", () => "print('$1')")
      )
      assert.deepEqual(faults(text), ['9: "gone.go" does not exist, so nothing can be made of it'])
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })

  it("leave the rest of the page as it is when they are empty or do not end", () => {
    const root = mkdtempSync(join(tmpdir(), "generated-"))
    try {
      mkdirSync(join(root, "docs"))
      writeFileSync(join(root, "docs", "a.sh"), "a\n")
      const empty = "<!-- generated: a.sh -->\n<!-- /generated -->\n"
      const page = { file: "docs/page.md", text: `${empty}\nBetween\n\n<!-- generated: a.sh -->\nWords\n\n${empty}` }
      const full = "<!-- generated: a.sh -->\n```sh\na\n```\n<!-- /generated -->\n"
      const text = renewed(root, page)
      assert.strictEqual(text, `${full}\nBetween\n\n<!-- generated: a.sh -->\nWords\n\n${full}`)
      assert.deepEqual(
        staleParts(root, [{ ...page, text }]).map(({ message }) => message),
        ['"a.sh" does not end: <!-- /generated --> is missing']
      )
    } finally {
      rmSync(root, { recursive: true, force: true })
    }
  })

  it("describe an event's data completely: nested fields, nullable fields, and an example", () => {
    const text = eventReference()
    assert.include(text, "### delivery.failed\n")
    assert.include(text, "| `deliveries[].attemptNumber` | number |")
    assert.include(text, "| `orderId` | string or null | The orderId of your request, if any |")
    assert.include(text, "| `expiresAt` | time |")
    assert.include(text, '"deliveryStatus": "FAILED"')
    assert.notInclude(text, "undefined")
  })
})

describe("the generated event types of the SDK", () => {
  it("contain every field with its description, open string unions, and nullable fields", () => {
    const text = eventTypes(EventData)
    assert.include(text, "  /** All messages of a campaign were sent or failed. */\n")
    assert.include(
      text,
      [
        '  readonly "webhook.disabled": {',
        "    readonly webhookId: string",
        "    readonly url: string",
        "    /** GONE: it answered 410. FAILING: every attempt failed for five days. */",
        '    readonly reason: Word<"GONE" | "FAILING">',
        "  }"
      ].join("\n")
    )
    assert.include(text, "    /** The orderId of your request, if any. */\n    readonly orderId: string | null\n")
    assert.include(text, "    /** ISO 8601. */\n    readonly verifiedAt: string\n")
    assert.include(text, "    readonly deliveries: ReadonlyArray<{\n")
    assert.include(text, "      readonly attemptNumber: number\n")
  })

  it("cannot be generated for a schema without a TypeScript form", () => {
    const mixed = { _tag: "Union", types: [{ _tag: "String" }, { _tag: "Number" }] }
    assert.throws(() => eventTypes({ "poke.done": { ast: mixed } }), "of a schema of kind Union")
  })
})
