import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onDemand } from "./onDemand.ts"
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

/** The linter is asked about a folder of its own, with our configuration: what it finds there, by file and line. */
const lint = (): string => {
  const root = mkdtempSync(join(tmpdir(), "lint-"))
  try {
    cpSync(join(workspaceRoot, ".oxlintrc.json"), join(root, ".oxlintrc.json"))
    for (const path of ["packages/dashboard/src/A.tsx", "packages/other/src/A.tsx"]) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), broken.map(([, line]) => line).join("\n"))
    }
    return run("oxlint", ["--format=unix"], root, [onDemand("checks").bin]).output
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

const output = lint()
const faults = broken.flatMap(([rule], i) => {
  const found = output.split("\n").filter((each) => each.startsWith(`packages/dashboard/src/A.tsx:${i + 1}:`))
  return found.some((each) => each.includes(rule)) ? [] : [`it does not find what breaks ${rule} in the dashboard`]
})
if (output.includes("packages/other/src/A.tsx:4:"))
  faults.push("it asks elsewhere what is asked of the dashboard alone")
for (const fault of faults) console.log(fault)
if (faults.length > 0) console.log(output)
process.exitCode = faults.length === 0 ? 0 : 1
