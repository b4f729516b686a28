import { setTimeout as sleep } from "node:timers/promises"
import { type Bench, median, type Place } from "./Bench.ts"
import type { LoadResult } from "./Load.ts"
import { firstAnswers } from "./firstAnswers.ts"
import type { Finding, Target } from "./Target.ts"
import { webhookTargets } from "./webhookTargets.ts"
import { attributionTarget } from "./attributionTarget.ts"
import { campaignTarget } from "./campaignTarget.ts"
import { dashboardTargets } from "./dashboardTargets.ts"
import { inboxTargets } from "./inboxTargets.ts"
import { hookTarget } from "./hookTarget.ts"
import { guardTarget } from "./guardTarget.ts"
import { peersTarget } from "./peersTarget.ts"
import { searchTarget } from "./searchTarget.ts"
import { stormTarget } from "./stormTarget.ts"

const whole = (value: number) => Math.round(value).toLocaleString("en")
const describe = ({ cpu, p50, p99, perSecond }: LoadResult) =>
  `${whole(perSecond)}/s, p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ${cpu.toFixed(0)} µs CPU each`
/** Of initiates: their CPU with their messages. */
const describeSent = ({ waited, ...ours }: LoadResult & { readonly waited: number }) =>
  `${describe(ours)} with its message; ${whole(100 * waited)} % of them sent afterwards`
const most = 256
const few = 32

const initiateAgainstCeiling = async (
  bench: Bench,
  connections: number,
  target: string,
  bound: number
): Promise<Finding> => {
  const place = await bench.place("main")
  const pairs = await bench.interleave(
    () => bench.untilSent(place, () => bench.initiate(place, connections)),
    () => bench.initiateCeiling(place, few)
  )
  return {
    figures: [
      { target, value: median(pairs.map(([ours, ceiling]) => ours.perSecond / ceiling)), relation: ">=", bound }
    ],
    details: pairs.map(([ours, ceiling]) => `${describeSent(ours)}; pgbench ${whole(ceiling)}/s`)
  }
}

/** People answer in no order. */
const shuffle = (ids: Array<string>) => {
  for (let i = ids.length - 1; i > 0; i--) {
    const j = Math.floor(Math.random() * (i + 1))
    ;[ids[i], ids[j]] = [ids[j]!, ids[i]!]
  }
}

/** 8 updates of each row: after the commit of its send, which the details show, 8 wrong codes. */
const updateEightTimes = async (bench: Bench): Promise<Finding> => {
  const people = 20_000
  const place = await bench.place("hot", { settings: { maxAttempts: 10, maxConsecutiveFailures: 0 } })
  const { database } = place
  const ids: Array<string> = []
  while (ids.length < people) await bench.initiate(place, few, 1, (id) => ids.push(id))
  await sleep(1500)
  const tables = ["subject", "verification"]
  const read = async () => {
    const rows = await bench.postgres.query(
      database,
      `select split_part(relname, '_', 1) as name, sum(n_tup_upd)::float8 as updates, sum(n_tup_hot_upd)::float8 as hot,
         sum(pg_relation_size(relid))::float8 as size
       from pg_stat_user_tables where split_part(relname, '_', 1) in ('subject', 'verification') group by 1`
    )
    return new Map(
      rows.map((row) => [String(row["name"]), row as unknown as Record<"updates" | "hot" | "size", number>])
    )
  }
  const before = await read()
  for (let i = 0; i < 8; i++) {
    shuffle(ids)
    await bench.verify(place, few, ids, false)
  }
  await sleep(1500)
  const after = await read()
  const rows = tables.map((name) => {
    const [a, b] = [before.get(name)!, after.get(name)!]
    const updates = b.updates - a.updates
    const sends = `${((100 * a.hot) / a.updates).toFixed(1)} % of the sends' own updates before`
    return {
      name,
      sends,
      updates,
      hot: (100 * (b.hot - a.hot)) / updates,
      growth: 100 * (b.size / a.size - 1),
      size: a.size
    }
  })
  await bench.leave("hot")
  return {
    figures: [
      { target: "S12", value: Math.min(...rows.map(({ hot }) => hot)), relation: ">=", bound: 99, unit: "%" },
      { target: "S12", value: Math.max(...rows.map(({ growth }) => growth)), relation: "<=", bound: 2, unit: "%" }
    ],
    details: rows.map(
      ({ growth, hot, name, sends, size, updates }) =>
        `${name}: ${whole(updates)} updates of ${whole(ids.length)} rows, ${hot.toFixed(2)} % HOT (${sends}); ${(size / 1e6).toFixed(1)} MB grew by ${growth.toFixed(2)} %`
    )
  }
}

/** The rate of initiates at one place ÷ at another, in turns, so that both meet the same machine, and no messages of the other. */
const inTurns = async (
  bench: Bench,
  [one, a]: readonly [name: string, place: Place],
  [other, b]: readonly [name: string, place: Place],
  { bound, target }: { readonly target: string; readonly bound: number }
): Promise<Finding> => {
  for (const each of [a, b]) await bench.untilSent(each, () => bench.initiate(each, most, 3))
  const pairs = await bench.interleave(
    () => bench.untilSent(a, () => bench.initiate(a, most)),
    () => bench.untilSent(b, () => bench.initiate(b, most))
  )
  return {
    figures: [{ target, value: median(pairs.map(([a, b]) => a.perSecond / b.perSecond)), relation: ">=", bound }],
    details: pairs.map(([a, b]) => `${one} ${describeSent(a)}; ${other} ${describeSent(b)}`)
  }
}

export const targets: ReadonlyArray<Target> = [
  {
    name: "S1",
    what: "initiate, 256 connections, durable ÷ pgbench with 32 clients",
    needsCeiling: true,
    measure: (bench) => initiateAgainstCeiling(bench, most, "S1", 2.4)
  },
  {
    name: "S2",
    what: "initiate, 32 connections, durable ÷ pgbench with 32 clients",
    needsCeiling: true,
    measure: (bench) => initiateAgainstCeiling(bench, few, "S2", 1.5)
  },
  {
    name: "S5",
    what: "status, 256 connections ÷ pgbench with the same select, 32 clients",
    needsCeiling: true,
    measure: async (bench) => {
      const place = await bench.place("main")
      await bench.status(place, most, 2)
      const pairs = await bench.interleave(
        () => bench.status(place, most),
        () => bench.statusCeiling(place, few)
      )
      return {
        figures: [
          {
            target: "S5",
            value: median(pairs.map(([ours, ceiling]) => ours.perSecond / ceiling)),
            relation: ">=",
            bound: 0.8
          }
        ],
        details: pairs.map(([ours, ceiling]) => `${describe(ours)}; pgbench ${whole(ceiling)}/s`)
      }
    }
  },
  {
    name: "S6",
    what: "Node CPU of an initiate with its message ÷ of an echo by node:http, 256 connections",
    measure: async (bench) => {
      const place = await bench.place("main")
      const pairs = await bench.interleave(
        () => bench.untilSent(place, () => bench.initiate(place, most)),
        () => bench.echo(most)
      )
      return {
        figures: [
          { target: "S6", value: median(pairs.map(([ours, echo]) => ours.cpu / echo.cpu)), relation: "<=", bound: 4 }
        ],
        details: pairs.map(([ours, echo]) => `${describeSent(ours)}; echo ${describe(echo)}`)
      }
    }
  },
  {
    name: "S11",
    what: "tables with --rows rows ÷ with 10,000: initiate, then status, 256 connections",
    measure: async (bench) => {
      const small = await bench.place("small")
      const large = await bench.place("large")
      await bench.filled(small)
      const began = performance.now()
      await bench.filled(large, bench.options.rows)
      const filling = (performance.now() - began) / 1000
      await bench.initiate(large, most, 3)
      const initiates = await bench.interleave(
        () => bench.initiate(large, most),
        () => bench.initiate(small, most)
      )
      await bench.status(large, most, 3)
      const statuses = await bench.interleave(
        () => bench.status(large, most),
        () => bench.status(small, most)
      )
      const ratio = (pairs: typeof initiates) => median(pairs.map(([a, b]) => a.perSecond / b.perSecond))
      await bench.leave("large")
      await bench.leave("small")
      return {
        figures: [
          { target: "S11", value: ratio(initiates), relation: ">=", bound: 0.95 },
          { target: "S11", value: ratio(statuses), relation: ">=", bound: 0.9 }
        ],
        details: [
          `${whole(bench.options.rows)} verifications, people and events, filled in ${filling.toFixed(0)} s`,
          ...initiates.map(([a, b]) => `initiate: ${describe(a)}; small ${whole(b.perSecond)}/s`),
          ...statuses.map(([a, b]) => `status: ${describe(a)}; small ${whole(b.perSecond)}/s`)
        ]
      }
    }
  },
  { name: "S12", what: "HOT share of updates, and growth after 8 updates a row", measure: updateEightTimes },
  {
    name: "S13",
    what: "initiate, durable ÷ synchronous_commit=off, 256 connections",
    measure: async (bench) => {
      const place = await bench.place("main")
      const hasty = await bench.place("hasty", { allowDataLoss: true }, { synchronous_commit: "off" })
      const finding = await inTurns(bench, ["durable", place], ["off", hasty], { target: "S13", bound: 0.9 })
      await bench.leave("hasty")
      return finding
    }
  },
  {
    name: "S14",
    what: "initiate with observability as shipped (metrics) ÷ all off, 256 connections",
    measure: async (bench) => {
      const place = await bench.place("main")
      const silent = await bench.place("silent", { observability: "off" })
      const finding = await inTurns(bench, ["shipped", place], ["off", silent], { target: "S14", bound: 0.95 })
      await bench.leave("silent")
      return finding
    }
  },
  {
    name: "S23",
    what: "initiate with statistics ÷ without their facts, 256 connections",
    measure: async (bench) => {
      const place = await bench.place("main")
      const bare = await bench.place("bare", { statistics: "off" })
      const finding = await inTurns(bench, ["with", place], ["without", bare], { target: "S23", bound: 0.97 })
      await bench.leave("bare")
      return finding
    }
  },
  {
    name: "S30",
    what: "initiate with the guard recording ÷ without it, 256 connections",
    measure: async (bench) => {
      const place = await bench.place("main")
      const bare = await bench.place("unguarded", { guard: "off", settings: { safeList: ["91"] } })
      const finding = await inTurns(bench, ["with", place], ["without", bare], { target: "S30", bound: 0.97 })
      await bench.leave("unguarded")
      return finding
    }
  },
  {
    name: "S25",
    what: "initiate that is paid, all from one balance ÷ with billing off, 256 connections",
    measure: async (bench) => {
      const place = await bench.place("main")
      const settings = { billing: "PREPAID", prices: { SMS: 20 }, dailyCap: { SMS: 1_000_000_000_000 } }
      const paid = await bench.place("paid", { settings, balance: 1_000_000_000_000 })
      const finding = await inTurns(bench, ["paid", paid], ["unpaid", place], { target: "S25", bound: 0.7 })
      await bench.leave("paid")
      return finding
    }
  },
  {
    name: "S16",
    what: "embedded mode: start in an empty directory, and again, to the first answered initiate, seconds",
    measure: async ({ options }) => {
      const runs: Array<Awaited<ReturnType<typeof firstAnswers>>> = []
      // This start may have to compile the program, which later starts find compiled.
      const { first: cold } = await firstAnswers()
      for (let i = 0; i < options.rounds; i++) runs.push(await firstAnswers())
      const [first, second] = [runs.map((run) => run.first), runs.map((run) => run.second)]
      return {
        figures: [
          { target: "S16", value: median(first), relation: "<=", bound: 2.2 },
          { target: "S16", value: median(second), relation: "<=", bound: 1.2 }
        ],
        details: Object.entries({ "before all": [cold], first, second }).map(
          ([name, seconds]) => `${name}: ${seconds.map((each) => `${each.toFixed(2)} s`).join(", ")}`
        )
      }
    }
  },
  ...webhookTargets,
  ...inboxTargets,
  stormTarget,
  campaignTarget,
  hookTarget,
  attributionTarget,
  searchTarget,
  ...dashboardTargets,
  peersTarget,
  guardTarget,
  {
    name: "table",
    what: "how fast, without a target: requests a second, latency, CPU of the service",
    measure: async (bench) => {
      const place = await bench.place("main")
      const rows: Array<string> = []
      for (const connections of [few, most]) {
        const ids: Array<string> = []
        const initiate = await bench.initiate(place, connections, undefined, (id) => ids.push(id))
        await sleep(500)
        const verify = await bench.verify(place, connections, ids)
        const status = await bench.status(place, connections)
        const logins = 1 / (1 / initiate.perSecond + 1 / verify.perSecond)
        rows.push(
          `${connections} connections`,
          `  initiate  ${describe(initiate)}`,
          `  verify    ${describe(verify)}`,
          `  status    ${describe(status)}`,
          `  login     ${whole(logins)}/s, ${(initiate.cpu + verify.cpu).toFixed(0)} µs CPU each`
        )
      }
      return { figures: [], details: rows }
    }
  }
]
