import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { run, workspaceRoot } from "./workspace.ts"

/** Each broken by the line beside it, in a file of the dashboard. */
const broken: ReadonlyArray<readonly [rule: string, line: string]> = [
  ["react(button-has-type)", "export const A = () => <button>Send</button>"],
  ["rules-of-hooks", "export const B = ({ on }: { on: boolean }) => (on ? useMemo(() => 1, []) : 2)"],
  ["react(no-danger)", 'export const C = () => <p dangerouslySetInnerHTML={{ __html: "" }} />'],
  ["react(jsx-no-script-url)", 'export const D = () => <a href="javascript:void 0">Go</a>'],
  ["react(jsx-key)", "export const E = () => [1].map((one) => <p>{one}</p>)"],
  ["jsx-a11y(alt-text)", 'export const G = () => <img src="a.png" />'],
  ["jsx-a11y(no-static-element-interactions)", "export const H = () => <div onClick={() => {}}>Send</div>"],
  ["jsx-a11y(click-events-have-key-events)", 'export const I = () => <div role="button" onClick={() => {}}>Send</div>'],
  ["jsx-a11y(tabindex-no-positive)", 'export const J = () => <a href="/" tabIndex={3}>Go</a>'],
  ["jsx-a11y(aria-props)", 'export const K = () => <a href="/" aria-labeledby="x">Go</a>']
]

describe("the linter, in the dashboard", () => {
  let root: string
  let output = ""
  beforeAll(() => {
    root = mkdtempSync(join(tmpdir(), "lint-"))
    cpSync(join(workspaceRoot, ".oxlintrc.json"), join(root, ".oxlintrc.json"))
    const write = (path: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), broken.map(([, line]) => line).join("\n"))
    }
    write("packages/dashboard/src/A.tsx")
    write("packages/other/src/A.tsx")
    output = run("oxlint", ["--format=unix"], root).output
  })
  afterAll(() => rmSync(root, { recursive: true, force: true }))

  it.each(broken.map(([rule], i) => [rule, i + 1] as const))("finds what breaks %s", (rule, line) => {
    const found = output.split("\n").filter((each) => each.startsWith(`packages/dashboard/src/A.tsx:${line}:`))
    assert.include(found.join("\n"), rule, output)
    assert.notInclude(output, "packages/other/src/A.tsx:4:", "elsewhere nobody asks")
  })
})
