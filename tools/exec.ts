import { spawnSync } from "node:child_process"
import { delimiter } from "node:path"
import { onDemand } from "./onDemand.ts"

/** Runs a program of the checks: `node tools/exec.ts biome format --write .` */
const [program = "", ...args] = process.argv.slice(2)
const path = `${onDemand("checks").bin}${delimiter}${process.env["PATH"] ?? ""}`
const { status } = spawnSync(program, args, {
  stdio: "inherit",
  env: { ...process.env, PATH: path },
  shell: process.platform === "win32"
})
process.exitCode = status ?? 1
