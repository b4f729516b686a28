import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterEach, assert, describe, it } from "vitest"
import { checkFile, checkTree, format } from "./imports/check.ts"
import { coreOrder, dashboardOrder, packages } from "./imports/rules.ts"
import { scanImports } from "./imports/scan.ts"

describe("the import scanner", () => {
  const specifiers = (source: string) => scanImports(source).map(({ specifier }) => specifier)
  const placed = (source: string) => scanImports(source).map(({ line, specifier }) => ({ specifier, line }))

  it("finds every form of import, with its line", () => {
    const source = [
      'import "a"',
      "import b from 'b'",
      'import * as c from "c"',
      'import d, { type D, "odd name" as e } from "d"',
      'import type { F } from "f"',
      "export {",
      "  g",
      '} from "g"',
      'export * from "h"; export * as i from "i"; export type * from "j"; export type { K } from "k"',
      'const l = await import("l")',
      'type M = import("m").M',
      'import n = require("n")',
      "const o = import(`o`)",
      'import data from "./p.json" with { type: "json" }',
      'import { from } from "q"'
    ].join("\n")
    assert.deepEqual(placed(source), [
      { specifier: "a", line: 1 },
      { specifier: "b", line: 2 },
      { specifier: "c", line: 3 },
      { specifier: "d", line: 4 },
      { specifier: "f", line: 5 },
      { specifier: "g", line: 8 },
      ...["h", "i", "j", "k"].map((specifier) => ({ specifier, line: 9 })),
      { specifier: "l", line: 10 },
      { specifier: "m", line: 11 },
      { specifier: "n", line: 12 },
      { specifier: "o", line: 13 },
      { specifier: "./p.json", line: 14 },
      { specifier: "q", line: 15 }
    ])
  })

  it("ignores comments, strings, templates and regular expressions", () => {
    const source = [
      '// import "no"',
      '/* import "no"\n import "no" */',
      `const a = "import 'no'", b = 'it\\'s import("no")'`,
      '`import "no" ${"x" + `export * from "no" ${1}`} import("no")`',
      String.raw`const c = /["'${"`"}] import "no"/.test(a), d = [/[/"]/, /\/"/]`,
      "const e = import.meta.url, f = object.import('no'), g = { import: 1, from: 'no' }",
      "const h = `${await import('yes')}` / 2 / 3",
      "import(`./no/${h}.ts`)"
    ].join("\n")
    assert.deepEqual(specifiers(source), ["yes"])
  })

  it("does not join an export list with the import after it", () => {
    assert.deepEqual(placed('export { a }\nimport { b } from "b"\nexport { c }\nconst from = "no"'), [
      { specifier: "b", line: 2 }
    ])
  })

  it("distinguishes erased imports from imports that remain", () => {
    const types = [
      'import type { A } from "a"',
      'import type B from "b"',
      'import type * as C from "c"',
      'export type { D } from "d"',
      'export type * from "e"'
    ]
    const values = [
      'import { type F } from "f"',
      'import type from "g"',
      'import type, { H } from "h"',
      'import "i"',
      'export { type J } from "j"',
      'type K = import("k").K'
    ]
    const erased = (lines: ReadonlyArray<string>) =>
      lines.flatMap((line) => scanImports(line).map(({ isType }) => isType))
    assert.deepEqual([...new Set(erased(types)), erased(types).length], [true, types.length])
    assert.deepEqual([...new Set(erased(values)), erased(values).length], [false, values.length])
  })

  it("finds the imports around JSX", () => {
    const source = [
      'import { A } from "a"',
      "const b = () => <p title='a'>Don't {`say ${1}`} <br /> from \"no\" to /no/</p>",
      'const c = lazy(() => import("./c.tsx"))'
    ].join("\n")
    assert.deepEqual(placed(source), [
      { specifier: "a", line: 1 },
      { specifier: "./c.tsx", line: 3 }
    ])
  })

  it("finds imports of a module that is declared in a file", () => {
    assert.deepEqual(specifiers('declare module "vitest" {\n  export type { A } from "a"\n}'), ["a"])
  })

  it("fails for a file that it cannot read, instead of skipping it", () => {
    assert.throws(() => scanImports('import "a', "broken.ts"), /broken\.ts/)
  })
})

describe("the import rules", () => {
  const roots: Array<string> = []
  afterEach(() => {
    for (const root of roots.splice(0)) rmSync(root, { recursive: true, force: true })
  })

  /** A workspace whose packages each export their index, with the given files. */
  const workspace = (files: Readonly<Record<string, string>>) => {
    const root = mkdtempSync(join(tmpdir(), "check-imports-"))
    roots.push(root)
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    for (const name of Object.keys(packages))
      write(`packages/${name}/package.json`, JSON.stringify({ exports: { ".": "./src/index.ts" } }))
    for (const [path, text] of Object.entries(files)) write(path, text)
    return root
  }
  const check = (files: Readonly<Record<string, string>>) => checkTree(workspace(files)).violations.map(format)
  const checkOne = (file: string, specifier: string) => check({ [file]: `\nimport { x } from "${specifier}"\n` })

  const clean: Readonly<Record<string, string>> = {
    "packages/core/src/foundation/identity/Phone.ts":
      'import { Schema } from "effect"\nimport parse from "libphonenumber-js/max"',
    "packages/core/src/auth/verification/Verification.ts":
      'import type { Phone } from "../../foundation/identity/Phone.ts"\nimport "./Code.ts"',
    "packages/core/src/Storage.ts": 'import type {} from "./auth/verification/Verification.ts"',
    "packages/core/src/memory/MemoryStorage.ts":
      'import "../auth/verification/Verification.ts"\nimport type {} from "../Storage.ts"',
    "packages/core/src/index.ts":
      'export * from "./foundation/identity/Phone.ts"\nexport * from "./memory/MemoryStorage.ts"',
    "packages/core/test/Phone.test.ts":
      'import "node:fs"\nimport "@countersign/testkit"\nimport "@countersign/postgres"\nimport "../src/foundation/identity/Phone.ts"',
    "packages/testkit/src/StoreTest.ts":
      'import { it } from "@effect/vitest"\nimport { assert } from "vitest"\nimport "@countersign/core"\nimport "effect/testing"\nimport "node:http"',
    "packages/postgres/src/Store.ts":
      'import "@countersign/core"\nimport "effect/sql"\nimport "@effect/sql-pg"\nimport "node:stream"',
    "packages/twilio/src/Twilio.ts": 'import "@countersign/core"\nimport "@countersign/provider-http"',
    "packages/http/src/Api.ts": 'import "effect/http-api"\nimport "./auth/contract.ts"',
    "packages/http/src/auth/contract.ts": 'import "@countersign/core"\nimport "../contract/Field.ts"',
    "packages/http/src/auth/handlers.ts": 'import "./contract.ts"\nimport "@countersign/core"\nimport "effect/http"',
    "packages/server/src/main.ts":
      'import "@countersign/http"\nimport "@countersign/postgres"\nimport "@effect/platform-node"\nimport "node:fs"',
    "packages/server/test/main.test.ts": 'import "../src/main.ts"\nimport "@countersign/server"',
    "packages/dashboard/src/App.tsx": 'import "./shell/Menu.tsx"\nimport("./screens/keys/KeysScreen.tsx")',
    "packages/dashboard/src/api/Api.ts":
      'import type { Api } from "@countersign/http"\nimport type { Schema } from "effect"',
    "packages/dashboard/src/parts/Form.tsx":
      'import "preact"\nimport { fieldOf } from "../api/Failure.ts"\nimport { say } from "../words/say.ts"\nimport type { Pages } from "../query/usePages.ts"',
    "packages/dashboard/src/screens/keys/KeysScreen.tsx":
      'import "@preact/signals"\nimport "../../shell/Screen.tsx"\nimport "../../query/useQuery.ts"\nimport "./keys.ts"\nimport "../tryIt/TryIt.tsx"',
    "packages/dashboard/src/screens/keys/keys.ts": 'import type { Api } from "../../api/Api.ts"\nimport "./words.ts"',
    "packages/dashboard/src/screens/keys/useKeyList.ts": 'import "preact/hooks"',
    "packages/dashboard/test/keys.test.ts": 'import "../../server/test/fixture/Service.ts"\nimport "effect"',
    "packages/sdk/src/Client.ts": 'import "./Session.ts"',
    "examples/embedding/src/main.ts": 'import "@countersign/http"\nimport "express"',
    "bench/src/main.ts": 'import "@countersign/postgres"'
  }

  it("report nothing in a clean tree", () => {
    const root = workspace(clean)
    assert.deepEqual(checkTree(root), { files: Object.keys(clean).length, violations: [] })
  })

  const forbidden: ReadonlyArray<readonly [file: string, specifier: string, message: string, instead: string]> = [
    [
      "packages/core/src/foundation/secret/Keyring.ts",
      "node:crypto",
      'packages/core may not import "node:crypto"',
      "packages/server"
    ],
    [
      "packages/core/src/foundation/secret/Keyring.ts",
      "crypto",
      'packages/core may not import "crypto"',
      "packages/server"
    ],
    [
      "packages/core/src/foundation/event/Event.ts",
      "effect/sql",
      'packages/core may not import "effect/sql"',
      "packages/postgres"
    ],
    [
      "packages/core/src/foundation/event/Event.ts",
      "effect/sql/SqlClient",
      '"effect/sql/SqlClient"',
      "packages/postgres"
    ],
    ["packages/core/src/foundation/event/Event.ts", "effect/http", '"effect/http"', "packages/http"],
    ["packages/core/src/foundation/event/Event.ts", "effect/http-api", '"effect/http-api"', "packages/http"],
    [
      "packages/core/src/foundation/event/Event.ts",
      "@effect/platform-node",
      '"@effect/platform-node"',
      "packages/server"
    ],
    ["packages/core/src/foundation/event/Event.ts", "@effect/sql-pg", '"@effect/sql-pg"', "packages/postgres"],
    [
      "packages/core/src/foundation/event/Event.ts",
      "@countersign/http",
      "packages/core may not import @countersign/http",
      "put a port"
    ],
    [
      "packages/core/src/foundation/event/Event.ts",
      "../../../../http/src/Api.ts",
      "packages/core may not import @countersign/http",
      "put a port"
    ],
    [
      "packages/core/src/foundation/event/Event.ts",
      "@countersign/core",
      "packages/core imports itself by name",
      "relative import"
    ],
    [
      "packages/core/src/foundation/identity/Phone.ts",
      "../../account/merchant/Merchant.ts",
      "foundation/identity may not import account/merchant",
      "move the code that needs both to account/merchant or later"
    ],
    [
      "packages/core/src/foundation/outbox/Job.ts",
      "../delivery/Delivery.ts",
      "foundation/outbox may not import foundation/delivery",
      "to foundation/outbox or earlier"
    ],
    [
      "packages/core/src/foundation/event/EventStore.ts",
      "../outbox/Job.ts",
      "foundation/event may not import foundation/outbox",
      "to foundation/event or earlier"
    ],
    [
      "packages/core/src/engagement/campaign/Campaign.ts",
      "../../Storage.ts",
      "engagement/campaign may not import packages/core/src/Storage.ts: the files beside the folders gather them",
      "import from the folder that has it"
    ],
    [
      "packages/core/src/memory/MemoryStorage.ts",
      "../Core.ts",
      "memory may not import packages/core/src/Core.ts: the files beside the folders gather them",
      "import from the folder that has it"
    ],
    [
      "packages/core/src/engagement/campaign/Campaign.ts",
      "../../memory/MemoryStorage.ts",
      "engagement/campaign may not import memory: only packages/core/src/index.ts and tests do",
      "take the implementation as a layer"
    ],
    [
      "packages/core/src/engagement/campaign/Campaign.ts",
      "../../index.ts",
      "engagement/campaign may not import packages/core/src/index.ts",
      "the folder that has it"
    ],
    [
      "packages/core/src/utils/text.ts",
      "effect",
      "packages/core/src/utils has no place in the order",
      "use one of foundation/time, foundation/storage"
    ],
    [
      "packages/testkit/src/Suite.ts",
      "express",
      'packages/testkit may not import "express": only effect',
      "take what you need as a parameter"
    ],
    [
      "packages/testkit/src/Suite.ts",
      "@countersign/postgres",
      "packages/testkit may not import @countersign/postgres",
      "take it as a parameter"
    ],
    [
      "packages/smtp/src/Smtp.ts",
      "@countersign/twilio",
      "packages/smtp may not import @countersign/twilio",
      "belongs in packages/core"
    ],
    [
      "packages/twilio/src/Twilio.ts",
      "@countersign/smtp",
      "packages/twilio may not import @countersign/smtp",
      "share belongs in packages/provider-http"
    ],
    [
      "packages/postgres/src/Store.ts",
      "@countersign/http",
      "packages/postgres may not import @countersign/http",
      "belongs in packages/core"
    ],
    [
      "packages/postgres/src/Store.ts",
      "effect/http",
      'packages/postgres may not import "effect/http"',
      "packages/http"
    ],
    [
      "packages/http/src/Handlers.ts",
      "@countersign/postgres",
      "packages/http may not import @countersign/postgres",
      "packages/server"
    ],
    [
      "packages/http/src/Handlers.ts",
      "@effect/platform-node",
      'packages/http may not import "@effect/platform-node"',
      "packages/server"
    ],
    [
      "packages/http/src/Handlers.ts",
      "@countersign/testkit",
      "packages/http may not import @countersign/testkit",
      "packages/core"
    ],
    [
      "packages/http/src/Api.ts",
      "./Handlers.ts",
      "the contract may not import packages/http/src/Handlers.ts",
      "into packages/http/src/contract"
    ],
    [
      "packages/http/src/contract/Field.ts",
      "../cors.ts",
      "the contract may not import packages/http/src/cors.ts",
      "into packages/http/src/contract"
    ],
    [
      "packages/http/src/auth/contract.ts",
      "./handlers.ts",
      "the contract may not import packages/http/src/auth/handlers.ts",
      "into packages/http/src/contract"
    ],
    [
      "packages/http/src/auth/contract.ts",
      "node:crypto",
      'the contract may not import "node:crypto": only @countersign/core, effect',
      "contract.ts of its capability"
    ],
    [
      "packages/http/test/Api.test.ts",
      "@countersign/server",
      "nobody imports @countersign/server",
      "move what you need out of packages/server"
    ],
    [
      "packages/postgres/test/Api.test.ts",
      "../../server/src/main.ts",
      "nobody imports @countersign/server",
      "move what you need out of packages/server"
    ],
    [
      "examples/embedding/src/main.ts",
      "@countersign/server",
      "nobody imports @countersign/server",
      "move what you need out of packages/server"
    ],
    [
      "packages/server/src/main.ts",
      "@countersign/sdk",
      "packages/server may not import @countersign/sdk",
      "packages/sdk"
    ],
    [
      "packages/server/src/main.ts",
      "@countersign/core/src/identity/Phone.ts",
      '"@countersign/core/src/identity/Phone.ts" reaches into packages/core',
      "export it from packages/core/src/index.ts"
    ],
    [
      "packages/server/src/main.ts",
      "../../core/src/index.ts",
      "a relative import reaches into packages/core",
      'import it as "@countersign/core"'
    ],
    [
      "examples/embedding/src/main.ts",
      "../../../packages/core/src/index.ts",
      "a relative import reaches into packages/core",
      'import it as "@countersign/core"'
    ],
    [
      "packages/dashboard/src/parts/Form.tsx",
      "@countersign/core",
      'types alone from "@countersign/core": a value of it weighs 100 KB in every browser',
      "import type"
    ],
    ["packages/dashboard/src/api/Api.ts", "effect", 'types alone from "effect"', "import type"],
    [
      "packages/dashboard/src/api/Api.ts",
      "@countersign/postgres",
      "packages/dashboard may not import @countersign/postgres",
      "call an endpoint"
    ],
    ["packages/dashboard/src/api/Api.ts", "react", 'packages/dashboard may not import "react"', "what browsers have"],
    [
      "packages/dashboard/src/session/SignIn.tsx",
      "../../../server/src/main.ts",
      "nobody imports @countersign/server",
      "packages/core"
    ],
    [
      "packages/dashboard/src/api/call.ts",
      "../session/session.ts",
      "in the dashboard, session comes after api",
      "to session"
    ],
    [
      "packages/dashboard/src/shell/Menu.tsx",
      "../screens/keys/KeysScreen.tsx",
      "in the dashboard, screens comes after shell",
      "to screens"
    ],
    [
      "packages/dashboard/src/shell/Menu.tsx",
      "../App.tsx",
      "shell may not import App.tsx: it gathers the others",
      "the folder that has it"
    ],
    [
      "packages/dashboard/src/screens/keys/KeysScreen.tsx",
      "../team/Agents.tsx",
      "the screen keys may not import the screen team",
      "move what both need to parts"
    ],
    [
      "packages/dashboard/src/parts/Form.tsx",
      "../query/useSend.ts",
      "parts may not import query/useSend.ts: a part draws what it is given",
      "as properties"
    ],
    [
      "packages/dashboard/src/parts/Form.tsx",
      "../session/may.ts",
      "in the dashboard, session comes after parts",
      "hand it over as a property"
    ],
    [
      "packages/dashboard/src/screens/keys/keys.ts",
      "@preact/signals",
      'screens/keys/keys.ts may not import "@preact/signals": it decides, and is tested by Node',
      "in a hook (useX.ts)"
    ],
    [
      "packages/dashboard/src/address/paths.ts",
      "preact/hooks",
      'address/paths.ts may not import "preact/hooks"',
      "the .tsx file beside it"
    ],
    [
      "packages/dashboard/src/screens/keys/KeysScreen.tsx",
      "./keys.css",
      "may not import a style sheet",
      "src/style/index.css"
    ],
    [
      "packages/dashboard/src/utils/text.ts",
      "preact",
      "packages/dashboard/src/utils has no place in the order",
      "use one of words, api, live"
    ],
    ["packages/sdk/src/Client.ts", "effect", 'packages/sdk may not import "effect": nothing from outside', "fetch"],
    [
      "packages/sdk/src/Client.ts",
      "@countersign/core",
      "packages/sdk may not import @countersign/core",
      "repeat the few types"
    ],
    ["packages/misc/src/index.ts", "effect", "packages/misc has no import rule", "tools/imports/rules.ts"]
  ]

  it.each(forbidden)("%s may not import %s", (file, specifier, message, instead) => {
    const found = checkOne(file, specifier)
    assert.lengthOf(found, 1)
    const [text = ""] = found
    assert.match(text, /^\S+:\d+: .+\n {4}Instead: .+\.$/)
    if (!message.includes(" has no ")) assert.include(text, `${file}:2: `)
    assert.include(text, message)
    assert.include(text.slice(text.indexOf("Instead:")), instead)
  })

  it("report circular imports within a package, also of types, and show the cycle", () => {
    const folder = "packages/core/src/foundation/event"
    const found = check({
      [`${folder}/A.ts`]: 'import { b } from "./B.ts"',
      [`${folder}/B.ts`]: 'import "effect"\nimport type { C } from "./C.ts"',
      [`${folder}/C.ts`]: 'export { a } from "./A.ts"\nimport "./D.ts"',
      [`${folder}/D.ts`]: "export const d = 1",
      [`${folder}/Self.ts`]: 'type Self = typeof import("./Self.ts")'
    })
    const loops = found.map((text) => text.split("\n")[0]!.replaceAll(`${folder}/`, ""))
    assert.deepEqual(loops, [
      "A.ts:1: files import each other: A.ts → B.ts → C.ts → A.ts",
      "Self.ts:1: files import each other: Self.ts → Self.ts"
    ])
  })

  it("let test files import each other", () => {
    const folder = "packages/core/test"
    assert.deepEqual(check({ [`${folder}/A.ts`]: 'import "./B.ts"', [`${folder}/B.ts`]: 'import "./A.ts"' }), [])
  })

  it("count a type import, and a dynamic import", () => {
    const found = check({
      "packages/core/src/foundation/event/Event.ts":
        'import type { Server } from "node:http"\nconst fs = () => import("node:fs")'
    })
    assert.deepEqual(
      found.map((text) => text.split(": ")[0]),
      ["packages/core/src/foundation/event/Event.ts:1", "packages/core/src/foundation/event/Event.ts:2"]
    )
  })

  it("cover every pair of the dashboard's folders", () => {
    dashboardOrder.forEach((from, earlier) =>
      dashboardOrder.forEach((to, later) => {
        const file = `packages/dashboard/src/${from}/A.tsx`
        const found = checkFile(file, `import type { B } from "../${to}/B.ts"`, () => undefined)
        assert.lengthOf(found, later > earlier ? 1 : 0, `${from} -> ${to}`)
      })
    )
  })

  it("cover every pair of core folders", () => {
    coreOrder.forEach((from, earlier) =>
      coreOrder.forEach((to, later) => {
        const found = checkFile(
          `packages/core/src/${from}/A.ts`,
          `import "${from.includes("/") ? "../.." : ".."}/${to}/B.ts"`,
          () => undefined
        )
        assert.lengthOf(found, later > earlier ? 1 : 0, `${from} -> ${to}`)
      })
    )
  })

  it("make the program fail on a violation, and pass without one", () => {
    const run = (files: Readonly<Record<string, string>>) =>
      execFileSync(process.execPath, [join(import.meta.dirname, "check-imports.ts"), workspace(files)], {
        encoding: "utf8",
        stdio: "pipe"
      })
    assert.include(run(clean), "0 forbidden imports")
    assert.throws(
      () => run({ "packages/core/src/foundation/event/Event.ts": 'import "node:fs"' }),
      /Event\.ts:1: .*node:fs/
    )
  })
})
