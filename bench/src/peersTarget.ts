import { execFileSync } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { onDemand } from "../../tools/onDemand.ts"
import { type Bench, median } from "./Bench.ts"
import type { Login, LoginsResult } from "./Logins.ts"
import { flows, type Peer, startBetterAuth, startCountersign } from "./Peers.ts"
import type { Figure, Finding, Target } from "./Target.ts"

const few = 32
const alone = 1

/** Seconds of the same load before each turn, so that neither side pays for connections that closed while it waited. */
const warmUp = 1

/** Seconds of load that compile the hot code of each side before the first round. */
const firstWarmUp = 5

const root = fileURLToPath(new URL("../..", import.meta.url))

const prepare = () => {
  try {
    onDemand("betterAuth")
  } catch (cause) {
    throw new Error(
      "better-auth could not be installed, which needs npm and its registry: run `npm ci` in bench/peers/better-auth " +
        "to see why, then repeat `pnpm bench peers`",
      { cause }
    )
  }
  execFileSync(process.execPath, ["packages/server/build/bundle.ts"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"]
  })
}

const whole = (value: number) => Math.round(value).toLocaleString("en")
const describe = ({ cpu, login, perSecond, send, verify }: LoginsResult) =>
  `${whole(perSecond)} logins/s, ${whole(cpu)} µs CPU each; p50 and p99 in ms: ` +
  [["send", send] as const, ["verify", verify] as const, ["login", login] as const]
    .map(([name, { p50, p99 }]) => `${name} ${p50.toFixed(1)} ${p99.toFixed(1)}`)
    .join(", ")

interface Side {
  readonly peer: Peer
  readonly login: Login
}

const turn = async ({ login, peer }: Side, connections: number, seconds: number): Promise<LoginsResult> => {
  await peer.logins(login, connections, warmUp)
  return peer.logins(login, connections, seconds)
}

interface Round {
  readonly ours: LoginsResult
  readonly theirs: LoginsResult
}

const ratio = (rounds: ReadonlyArray<Round>, of: (result: LoginsResult) => number) =>
  median(rounds.map(({ ours, theirs }) => of(ours) / of(theirs)))

const explain = (title: string, rounds: ReadonlyArray<Round>): ReadonlyArray<string> => [
  `${title}; p99 of a whole login ${ratio(rounds, ({ login }) => login.p99).toFixed(2)} of better-auth's`,
  ...rounds.flatMap(({ ours, theirs }) => [`  Countersign ${describe(ours)}`, `  better-auth ${describe(theirs)}`])
]

const speed = (target: string, rounds: ReadonlyArray<Round>, bound: number): Figure => ({
  target,
  value: ratio(rounds, ({ perSecond }) => perSecond),
  relation: ">=",
  bound
})

const verifyP99 = (target: string, rounds: ReadonlyArray<Round>): Figure => ({
  target,
  value: ratio(rounds, ({ verify }) => verify.p99),
  relation: "<=",
  bound: 0.2
})

const loginP50 = (target: string, rounds: ReadonlyArray<Round>): Figure => ({
  target,
  value: ratio(rounds, ({ login }) => login.p50),
  relation: "<=",
  bound: 0.4
})

/** Phone logins: better-auth's own sign-in, and only its check of the code, beside the same logins of Countersign. */
const phoneRounds = async (bench: Bench, ours: Side, signIn: Side, codeOnly: Side, connections: number) => {
  const { seconds } = bench.options
  const rounds = await bench.interleave(
    async () => ({ logins: await turn(ours, connections, seconds), memory: await ours.peer.memory() }),
    async () => {
      const user = await turn(signIn, connections, seconds)
      const memory = await signIn.peer.memory()
      await sleep(300)
      return { user, memory, code: await turn(codeOnly, connections, seconds) }
    }
  )
  return {
    signIn: rounds.map(([a, { user }]): Round => ({ ours: a.logins, theirs: user })),
    codeOnly: rounds.map(([a, { code }]): Round => ({ ours: a.logins, theirs: code })),
    memory: rounds.map(([a, b]) => ({ ours: a.memory, theirs: b.memory }))
  }
}

const comparePhone = async (bench: Bench, countersign: Countersign): Promise<Finding> => {
  const betterAuth = await startBetterAuth(bench.postgres, "phone")
  try {
    const ours = { peer: countersign.peer, login: countersign.login("phone") }
    const signIn = { peer: betterAuth.peer, login: betterAuth.login(flows.phone) }
    const codeOnly = { peer: betterAuth.peer, login: betterAuth.login(flows.code) }
    for (const { login, peer } of [ours, signIn, codeOnly]) await peer.logins(login, few, firstWarmUp)
    const busy = await phoneRounds(bench, ours, signIn, codeOnly, few)
    const calm = await phoneRounds(bench, ours, signIn, codeOnly, alone)
    const megabytes = (bytes: number) => `${whole(bytes / 1e6)} MB`
    return {
      figures: [
        speed("S3", busy.signIn, 8),
        speed("S3 code only", busy.codeOnly, 8),
        verifyP99("S7", busy.signIn),
        verifyP99("S7 code only", busy.codeOnly),
        loginP50("S8", calm.signIn),
        loginP50("S8 code only", calm.codeOnly),
        {
          target: "S10",
          value: median(busy.memory.map(({ ours, theirs }) => ours / theirs)),
          relation: "<=",
          bound: 0.5
        }
      ],
      details: [
        ...explain(`phone, ${few} connections, better-auth signs in`, busy.signIn),
        ...explain(`phone, ${few} connections, better-auth only checks the code`, busy.codeOnly),
        ...explain(`phone, ${alone} connection, better-auth signs in`, calm.signIn),
        ...explain(`phone, ${alone} connection, better-auth only checks the code`, calm.codeOnly),
        `memory after each turn: Countersign ${busy.memory.map(({ ours }) => megabytes(ours)).join(", ")}; ` +
          `better-auth ${busy.memory.map(({ theirs }) => megabytes(theirs)).join(", ")}`
      ]
    }
  } finally {
    await betterAuth.peer.stop()
  }
}

const compareEmail = async (bench: Bench, countersign: Countersign): Promise<Finding> => {
  const betterAuth = await startBetterAuth(bench.postgres, "email")
  try {
    const ours = { peer: countersign.peer, login: countersign.login("email") }
    const signIn = { peer: betterAuth.peer, login: betterAuth.login(flows.email) }
    for (const { login, peer } of [ours, signIn]) await peer.logins(login, few, firstWarmUp)
    const pairs = await bench.interleave(
      () => turn(ours, few, bench.options.seconds),
      () => turn(signIn, few, bench.options.seconds)
    )
    const rounds = pairs.map(([ours, theirs]): Round => ({ ours, theirs }))
    return {
      figures: [speed("S4", rounds, 25)],
      details: explain(`e-mail, ${few} connections, better-auth signs in`, rounds)
    }
  } finally {
    await betterAuth.peer.stop()
  }
}

type Countersign = Awaited<ReturnType<typeof startCountersign>>

export const peersTarget: Target = {
  name: "peers",
  what: "logins with a one-time code ÷ better-auth's: S3, S4, S7, S8, S10",
  onlyByName: true,
  prepare,
  measure: async (bench) => {
    const countersign = await startCountersign(bench.postgres)
    try {
      const phone = await comparePhone(bench, countersign)
      const email = await compareEmail(bench, countersign)
      const order = (figures: ReadonlyArray<Figure>) =>
        figures.toSorted((a, b) => Number.parseInt(a.target.slice(1), 10) - Number.parseInt(b.target.slice(1), 10))
      return {
        figures: order([...phone.figures, ...email.figures]),
        details: [...phone.details, ...email.details]
      }
    } finally {
      await countersign.peer.stop()
    }
  }
}
