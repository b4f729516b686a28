import { spawn } from "node:child_process"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, inject, it } from "vitest"
import { launchersOf } from "../src/Launchers.ts"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { secret } from "./fixture/Service.ts"
import { until } from "./fixture/Until.ts"

describe("a server started by a package manager", () => {
  const listed =
    (...rows: ReadonlyArray<readonly [pid: number, parent: number, command: string]>) =>
    (pid: number) => {
      const row = rows.find(([one]) => one === pid)
      return row === undefined ? undefined : { parent: row[1], words: row[2].split(" ") }
    }

  it.each([
    [
      "npx over pnpm, not the terminal above",
      [40, 30, 20, 10],
      ["npm exec pnpm@12 start", "sh -c pnpm", "pnpm start", "sh -c trap"]
    ],
    ["node that runs npm", [40], ["bash", "sh", "zsh", "node /usr/lib/node_modules/npm/bin/npm-cli.js start"]],
    ["a supervisor", [], ["systemd", "sh", "docker-init", "node supervisor.js --name npm"]]
  ])("recognizes its launcher: %s", (_, expected, [a = "", b = "", c = "", d = ""]) => {
    const look = listed([50, 40, "node main.ts"], [40, 30, d], [30, 20, c], [20, 10, b], [10, 5, a], [5, 1, "bash"])
    assert.deepStrictEqual(launchersOf(50, look), expected)
  })

  it("stops when the package manager is killed", async ({ skip }) => {
    if (process.platform !== "linux") return skip("processes are listed on Linux alone")
    const directory = await mkdtemp(join(tmpdir(), "countersign-launched-"))
    // As npm does: a shell in between, and no signal to the server.
    await writeFile(
      join(directory, "npm.mjs"),
      `import { spawn } from "node:child_process"
      const child = spawn("sh", ["-c", '"$0" "$1" serve; true', process.execPath, process.argv[2]], { stdio: "inherit" })
      setInterval(() => {}, 1000)`
    )
    const database = await FreshDatabase.make()
    const env = {
      PATH: process.env["PATH"],
      HOME: directory,
      HOST: "127.0.0.1",
      PORT: "0",
      DATABASE_URL: database.url,
      COUNTERSIGN_SECRET: secret()
    }
    const npm = spawn(process.execPath, [join(directory, "npm.mjs"), inject("bundle").main], { cwd: directory, env })
    let output = ""
    npm.stdout.setEncoding("utf8").on("data", (text: string) => (output += text))
    // The server holds the pipe, so the pipe closes when the server has ended.
    const closed = new Promise((resolve) => npm.stdout.once("close", resolve))
    await until(
      async () => output,
      (text) => text.includes("Countersign is ready"),
      { what: "the start" }
    )
    npm.kill("SIGKILL")
    await closed
    await database.drop()
    await rm(directory, { recursive: true, force: true })
  })
})
