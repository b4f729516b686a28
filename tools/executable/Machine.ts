import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { urlIn } from "./firstLogin.ts"

/** A program that ended. */
export interface Ended {
  readonly code: number | null
  readonly printed: string
}

const collect = (child: ChildProcess) => {
  const collected = { printed: "" }
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding("utf8").on("data", (text: string) => (collected.printed += text))
  return collected
}

/** A machine with nothing on it but the program: no variable, no PATH, and a home and a /tmp that nothing is to be in. */
export class Machine {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "countersign-machine-")))
  readonly #home = this.place("home")
  readonly #temporary = this.place("tmp")

  /** A folder of its own. */
  place(name: string): string {
    const path = join(this.folder, name)
    mkdirSync(path, { recursive: true })
    return path
  }

  #start(command: ReadonlyArray<string>, cwd: string, variables: Readonly<Record<string, string>>): ChildProcess {
    const [program = "", ...args] = command
    return spawn(program, args, { cwd, env: { HOME: this.#home, TMPDIR: this.#temporary, ...variables } })
  }

  /** Runs it to its end. */
  async run(
    command: ReadonlyArray<string>,
    cwd: string,
    variables: Readonly<Record<string, string>> = {}
  ): Promise<Ended> {
    const child = this.#start(command, cwd, variables)
    const collected = collect(child)
    const [code] = (await once(child, "close")) as [number | null]
    return { code, printed: collected.printed }
  }

  /** Serves, does something with what it printed once it is ready, stops it by SIGTERM, and answers how it ended. */
  async serve(
    command: ReadonlyArray<string>,
    cwd: string,
    variables: Readonly<Record<string, string>>,
    use: (url: string, printed: string) => Promise<void>
  ): Promise<Ended> {
    const child = this.#start([...command, "serve"], cwd, { HOST: "127.0.0.1", PORT: "0", ...variables })
    const collected = collect(child)
    const closed = once(child, "close") as Promise<[number | null]>
    try {
      const url = await new Promise<string>((ready, failed) => {
        child.stdout?.on("data", () => {
          const url = urlIn(collected.printed)
          if (url !== undefined) ready(url)
        })
        void closed.then(() => failed(new Error(`it ended before it was ready:\n${collected.printed}`)))
      })
      await use(url, collected.printed)
    } finally {
      child.kill("SIGTERM")
    }
    const [code] = await closed
    return { code, printed: collected.printed }
  }

  /** What was left where a program has no business. */
  litter(): ReadonlyArray<string> {
    return [this.#home, this.#temporary].flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
