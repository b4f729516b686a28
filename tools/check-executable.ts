import { cpSync, existsSync, readdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { firstLogin } from "./executable/firstLogin.ts"
import { type Ended, Machine } from "./executable/Machine.ts"
import { run, workspaceRoot } from "./workspace.ts"

let failed = false
const step = async (name: string, does: () => Promise<Ended>, says: (ended: Ended) => boolean) => {
  const { ok, output } = await does().then(
    (ended) => ({ ok: says(ended), output: `it ended with ${ended.code}:\n${ended.printed}` }),
    (error: unknown) => ({ ok: false, output: String(error) })
  )
  failed ||= !ok
  console.log(`${ok ? "ok    " : "FAILED"} ${name}`)
  if (!ok) console.log(output.trim())
}

/** When something happened after a start, for people to read: no verdict depends on it. */
const clock = () => {
  const start = performance.now()
  return (what: string) => console.log(`       ${what} after ${((performance.now() - start) / 1000).toFixed(2)} s`)
}

const stopped = ({ code }: Ended) => code === 0

const built = (script: string) => {
  const { ok, output } = run(process.execPath, [join("packages", "server", "build", script)], workspaceRoot)
  if (!ok) throw new Error(`${script} failed:\n${output}`)
  console.log(`ok     ${output.trim()}`)
}

const channel = (name: string, text: string) =>
  `import { word } from "./word.js"\nexport default { name: "${name}", send: async () => ({ providerId: word + "${text}" }) }\n`

const machine = new Machine()
try {
  built("executable.ts")
  built("bundle.ts")
  // Nothing of the repository around them.
  const programs = machine.place("programs")
  cpSync(join(workspaceRoot, "dist", "countersign"), join(programs, "countersign"))
  cpSync(join(workspaceRoot, "bundle"), join(programs, "bundle"), { recursive: true })
  symlinkSync(join(programs, "countersign"), join(machine.folder, "link"))
  const executable = [join(machine.folder, "link")]
  const bundle = [process.execPath, join(programs, "bundle", "main.js")]
  const data = machine.place("data")

  await step(
    "the executable says its version, whatever NODE_OPTIONS asks of Node",
    () => machine.run([...executable, "--version"], data, { NODE_OPTIONS: "--require=/nowhere.js --inspect" }),
    (ended) => stopped(ended) && /^countersign v\d+\.\d+\.\d+\S*\n$/.test(ended.printed)
  )
  await step(
    "it takes a flag of Node's for one of its own, which it does not have",
    () => machine.run([...executable, "--eval", "console.log('evaluated')"], data),
    ({ code, printed }) => code !== 0 && !printed.includes("evaluated\n")
  )
  await step(
    "it says what can be done with it",
    () => machine.run([...executable, "--help"], data),
    (ended) => stopped(ended) && ["serve", "migrate", "merchant", "keys"].every((word) => ended.printed.includes(word))
  )
  let keys = ""
  const first = clock()
  await step(
    "it starts in an empty directory, lets a person in, shows the dashboard, and stops by SIGTERM",
    () =>
      machine.serve(executable, data, {}, async (_, printed) => {
        keys = printed
        await firstLogin(printed, () => first("the first initiate was answered"))
      }),
    stopped
  )
  const again = (url: string) =>
    firstLogin(`${keys.replace(/Countersign is ready.*/s, "")}Countersign is ready at ${url}`)
  const second = clock()
  await step(
    "it starts again on its data",
    () =>
      machine.serve(executable, data, {}, async (url) => {
        if (!(await fetch(`${url}/readyz`)).ok) throw new Error("it is not ready")
        second("it was ready again")
        await again(url)
      }),
    stopped
  )
  await step("the bundle goes on with that data", () => machine.serve(bundle, data, {}, again), stopped)
  await step(
    "and the executable with the bundle's, as a worker of itself",
    () => machine.serve(executable, data, { WORKERS: "auto" }, again),
    stopped
  )
  const copies = machine.place("copies")
  await step(
    "the executable copies everything while it runs",
    async () => {
      let copy: Ended | undefined
      await machine.serve(executable, data, {}, async () => {
        copy = await machine.run([...executable, "backup", join(copies, "everything.backup")], data)
      })
      return copy!
    },
    stopped
  )
  const restored = machine.place("restored")
  await step(
    "the bundle puts that into an empty directory",
    () => {
      cpSync(join(data, ".countersign", "secret"), join(restored, ".countersign", "secret"))
      return machine.run([...bundle, "restore", join(copies, "everything.backup")], restored)
    },
    stopped
  )
  await step("and the executable goes on with it", () => machine.serve(executable, restored, {}, again), stopped)
  const channels = machine.place("channels")
  writeFileSync(join(channels, "word.js"), "export const word = await Promise.resolve('acme')\n")
  writeFileSync(join(channels, "package.json"), '{ "type": "module" }\n')
  writeFileSync(join(channels, "sms.js"), channel("SMS", "1"))
  const variables = { COUNTERSIGN_CHANNELS: join(channels, "sms.js") }
  for (const [name, program] of [
    ["executable", executable],
    ["bundle", bundle]
  ] as const)
    await step(
      `the ${name} takes a channel from a file`,
      () => machine.serve(program, machine.place(`with-${name}`), variables, async () => {}),
      (ended) => stopped(ended) && /SMS +custom/.test(ended.printed)
    )
  await step(
    "two of them do not open one directory",
    async () => {
      let second: Ended | undefined
      await machine.serve(executable, data, {}, async () => {
        second = await machine.run([...executable, "serve"], data, { PORT: "0" })
      })
      return second!
    },
    ({ code, printed }) => code !== 0 && printed.includes("COUNTERSIGN_DATA_DIR")
  )
  await step(
    "nothing was unpacked: not at home, not in the directory for temporary files, not beside the program",
    async () => ({ code: 0, printed: [...machine.litter(), ...readdirSync(programs)].join("\n") }),
    ({ printed }) => printed === "bundle\ncountersign" && !existsSync(join(data, "assets"))
  )
} finally {
  machine.close()
}
process.exitCode = failed ? 1 : 0
