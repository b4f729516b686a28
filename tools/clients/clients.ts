import { execFileSync } from "node:child_process"
import { join } from "node:path"
import { workspaceRoot } from "../workspace.ts"

/** An example in one language, and what it takes to run it. */
export interface Client {
  readonly name: string
  /** Each must succeed, or the example is skipped: there is no such language here. */
  readonly needs: ReadonlyArray<readonly [program: string, ...args: ReadonlyArray<string>]>
  readonly folder: string
  readonly command: readonly [program: string, ...args: ReadonlyArray<string>]
}

const folder = (name: string) => join(workspaceRoot, "examples", "clients", name)

/** Each takes a number as its argument and codes from its input, and ends with `signed in` and the number. */
export const clients: ReadonlyArray<Client> = [
  {
    name: "curl",
    needs: [
      ["curl", "--version"],
      ["jq", "--version"]
    ],
    folder: folder("curl"),
    command: ["bash", "login.sh"]
  },
  { name: "TypeScript", needs: [], folder: folder("typescript"), command: [process.execPath, "login.ts"] },
  {
    name: "Python",
    needs: [["python3", "-c", "import sys; sys.exit(sys.version_info < (3, 9))"]],
    folder: folder("python"),
    command: ["python3", "login.py"]
  },
  { name: "Go", needs: [["go", "version"]], folder: folder("go"), command: ["go", "run", "."] },
  {
    name: "PHP",
    needs: [["php", "-r", "exit(extension_loaded('curl') && extension_loaded('openssl') ? 0 : 1);"]],
    folder: folder("php"),
    command: ["php", "login.php"]
  }
]

/** Python's own check of an idToken: it takes a token, the address and the client id, and prints the number. */
export const pythonIdToken: Client = {
  name: "Python's idToken",
  needs: [["python3", "-c", "import jwt, cryptography"]],
  folder: folder("python"),
  command: ["python3", "id_token.py"]
}

/** The program that is not here, or null where all are. */
export const lacking = ({ needs }: Client): string | null => {
  for (const [program, ...args] of needs) {
    try {
      execFileSync(program, args, { stdio: "ignore" })
    } catch {
      return [program, ...args].join(" ")
    }
  }
  return null
}
