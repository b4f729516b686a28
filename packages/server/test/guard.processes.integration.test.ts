import { GuardMemory } from "@countersign/core"
import { type ChildProcess, fork } from "node:child_process"
import { setTimeout as sleep } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as FreshDatabase from "./fixture/FreshDatabase.ts"
import { GuardDay } from "./fixture/guardDay.ts"
import type { Judged, Step, Tick, Ticked } from "./fixture/guardProcess.ts"
import { Random } from "./fixture/Random.ts"

/** Requests for codes in the day. */
const initiates = Number(process.env["GUARD_INITIATES"] ?? "4000")
/** How many times a process is killed and replaced. */
const kills = Number(process.env["GUARD_KILLS"] ?? "2")
const seed = Number(process.env["GUARD_SEED"] ?? "1")

const [second, minute, hour] = [1_000, 60_000, 3_600_000]
/** At most 70 requests a second: two million in eight hours. */
const length = Math.max(24 * minute, (initiates / 70) * second)
const begins = Date.UTC(2029, 11, 1)
const environment = "env_guard"

/**
 * When each process knows of a code at the latest: 60 s until it is read, 5 s between two reads, and two ticks. A code
 * that is typed later is read again three minutes after it was requested.
 */
const [lag, lateLag] = [69 * second, 189 * second]
/** Scores are rounded, and a count that arrives late is decayed in other steps. */
const slack = 0.4

interface Learnt extends Pick<Step, "address" | "createdAt" | "isNewcomer" | "number" | "state"> {}

/** A guard that can be told which share of typed codes is usual. */
class ToldMemory extends GuardMemory {
  toldUsual: number | null = null
  override usual(): number {
    return this.toldUsual ?? super.usual()
  }
}

/** A single-threaded guard that learns each step at a time of its own. */
class Reference {
  readonly #memory: ToldMemory
  readonly #later = new Map<number, Array<() => void>>()
  #tick = 0
  constructor(leastScore: number) {
    this.#memory = new ToldMemory({ leastScore })
  }

  observe({ address, createdAt: at, isNewcomer, number, state }: Learnt, now: number): void {
    this.#memory.observe({ number, address, device: null, isKnown: !isNewcomer, at, state }, now)
  }

  /** Learns a step at that time, unless it is outdated by then. */
  later(step: Learnt, at: number, isOutdated: () => boolean = () => false): void {
    const tick = Math.floor(at / second)
    const learn = () => {
      if (!isOutdated()) this.observe(step, at)
    }
    const steps = this.#later.get(tick)
    if (steps === undefined) this.#later.set(tick, [learn])
    else steps.push(learn)
  }

  usual(): number {
    return this.#memory.usual()
  }

  /** Learns what is due at an instant. */
  pass(at: number): void {
    const tick = Math.floor(at / second)
    if (this.#tick === 0) this.#tick = tick
    for (; this.#tick <= tick; this.#tick++) {
      for (const learn of this.#later.get(this.#tick) ?? []) learn()
      this.#later.delete(this.#tick)
    }
  }

  judge({ address, at, isNewcomer, number }: Step, usual: number) {
    this.#memory.toldUsual = usual
    const judgement = this.#memory.judge({ number, address, device: null, isKnown: !isNewcomer }, at)
    this.#memory.toldUsual = null
    return judgement
  }
}

const leastScore = Math.log(1_000)
/** In the first minutes of a merchant, the shares of typed codes that the processes know of differ by more. */
const compared = begins + 5 * minute
/** It depends on which of the latest sixteen numbers of a block came last. */
const isOrdered = (reason: string) => reason === "ADJACENT_NUMBERS"

/**
 * The strictest and the mildest judgement that a process may give. The strictest knows of each request at once, and of
 * a typed code as late as the lag allows; the mildest the other way round. So the usual share of typed codes is lowest for
 * the strictest and highest for the mildest, and each weighs by both. Whatever of the last minute a process has seen, its
 * judgement lies between them.
 */
class Bounds {
  readonly strict = new Reference(leastScore - slack)
  readonly mild = new Reference(leastScore + slack)

  readonly #lost = new Set<string>()

  learn(step: Step): void {
    const { at, createdAt, id, state } = step
    if (state === "PENDING") {
      this.strict.observe(step, at)
      this.mild.later(step, at + lag, () => this.#lost.delete(id))
      return
    }
    // A report that the message is under way would come after this one, and say that it was sent again.
    if (state === "LOST") this.#lost.add(id)
    this.mild.observe(step, at)
    const age = at - createdAt
    if (age < lateLag) this.strict.later(step, createdAt + (age <= 60 * second ? lag : lateLag))
  }

  /** What is wrong with a judgement; null when it lies between the two. */
  fault(step: Step, { reasons }: Judged): string | null {
    for (const each of [this.strict, this.mild]) each.pass(step.at)
    const usual = [this.strict.usual(), this.mild.usual()]
    const [strictLow, strictHigh] = usual.map((share) => this.strict.judge(step, share).reasons)
    const strict = new Set<string>([...strictLow!, ...strictHigh!].map(({ reason }) => reason))
    const [mildLow, mildHigh] = usual.map((share) => this.mild.judge(step, share).reasons)
    const mild = mildLow!.filter(({ reason }) => mildHigh!.some((each) => each.reason === reason))
    this.isOpen = strict.size !== mild.length
    const extra = reasons.find(({ reason }) => !isOrdered(reason) && !strict.has(reason))
    if (extra !== undefined) return `${extra.reason} (${extra.score}) is a reason that the strictest does not have`
    const missing = mild.find(({ reason }) => !isOrdered(reason) && reasons.every((each) => each.reason !== reason))
    return missing === undefined ? null : `${missing.reason} (${missing.score}) is missing, which even the mildest has`
  }

  /** Whether more than one verdict was possible for the latest judgement. */
  isOpen = false
}

/** One of the two processes. */
class Process {
  readonly #child: ChildProcess
  readonly ready: Promise<void>
  readonly ended: Promise<void>
  isAlive = true
  isReady = false
  #complaint = ""
  constructor(url: string, now: number) {
    this.#child = fork(
      fileURLToPath(new URL("./fixture/guardProcess.ts", import.meta.url)),
      [environment, url, String(now)],
      {
        execArgv: ["--conditions=source", "--max-old-space-size=3000"],
        serialization: "advanced",
        silent: true
      }
    )
    this.#child.stderr!.on("data", (text: Buffer) => (this.#complaint += String(text).slice(0, 2_000)))
    this.ended = new Promise((resolve) => this.#child.once("exit", () => ((this.isAlive = false), resolve())))
    this.ready = new Promise((resolve, reject) => {
      this.#child.once("message", () => ((this.isReady = true), resolve()))
      void this.ended.then(() => reject(new Error(this.#complaint)))
    })
    this.ready.catch(() => undefined)
  }

  /** Null when the process was killed before it answered. */
  play(tick: Tick): Promise<Ticked | null> {
    return new Promise((resolve, reject) => {
      const answered = (ticked: Ticked) => resolve(ticked)
      this.#child.once("message", answered)
      void this.ended.then(() => (this.#wasKilled ? resolve(null) : reject(new Error(this.#complaint))))
      this.#child.send(tick)
    })
  }

  #wasKilled = false
  kill(): Promise<void> {
    this.#wasKilled = true
    this.#child.kill("SIGKILL")
    return this.ended
  }
}

describe("the guard over two processes", () => {
  let database: FreshDatabase.FreshDatabase
  let processes: Array<Process> = []
  beforeAll(async () => {
    database = await FreshDatabase.make()
  })
  afterAll(async () => {
    await Promise.all(processes.map((each) => each.kill()))
    await database?.drop()
  })

  it(
    `judges ${initiates} requests like a single guard within the lag, although processes are killed`,
    async () => {
      const day = new GuardDay({ begins, initiates, length, seed })
      const random = new Random(seed)
      const bounds = new Bounds()
      const ticks = Math.ceil(length / day.tick)
      const killAt = new Set(Array.from({ length: kills }, (_, n) => Math.floor((ticks * (n + 0.7)) / (kills + 0.7))))
      processes = [new Process(database.url, begins), new Process(database.url, begins)]
      await Promise.all(processes.map(({ ready }) => ready))
      const counts = {
        judged: 0,
        again: 0,
        trusted: 0,
        early: 0,
        withReasons: 0,
        open: 0,
        withoutPast: 0,
        wrongWithoutPast: 0,
        killed: 0
      }
      let [added, stored] = [0, 0]
      const faults: Array<string> = []
      let faulty = 0

      const began = performance.now()
      for (let n = 0; n < ticks; n++) {
        const steps = day.steps(n)
        const until = begins + (n + 1) * day.tick
        const alive = processes.filter(({ isAlive, isReady }) => isAlive && isReady)
        const shares = alive.map((): Array<Step> => [])
        for (const step of steps) random.pick(shares).push(step)
        const judged = new Map<string, Judged & { readonly hadPast: boolean }>()
        const note = (ticked: Ticked | null) => {
          if (ticked === null) return
          added += ticked.added
          stored += ticked.stored
          for (const each of ticked.judged) judged.set(each.id, { ...each, hadPast: ticked.hadPast })
        }
        const victim = killAt.has(n) ? random.below(alive.length) : null
        const answers = alive.map((each, i) => each.play({ until, steps: shares[i]!, isAgain: false }))
        if (victim !== null && alive.length > 1) {
          await sleep(random.below(6))
          const killed = alive[victim]!
          await killed.kill()
          counts.killed++
          const answer = await answers[victim]!
          note(answer)
          for (const [i, each] of answers.entries()) if (i !== victim) note(await each)
          const survivor = alive[1 - victim]!
          // The callers try again at the other process.
          if (answer === null) note(await survivor.play({ until, steps: shares[victim]!, isAgain: true }))
          console.log(`killed at ${((until - begins) / hour).toFixed(2)} h: ${counts.judged} judged, ${faulty} faults`)
          const place = processes.indexOf(killed)
          processes[place] = new Process(database.url, until)
          // A small day would end before the process is ready.
          if (initiates < 100_000) await processes[place].ready
        } else for (const answer of answers) note(await answer)

        for (const step of steps) {
          const judgement = judged.get(step.id)
          if (step.isTrusted && step.state === "PENDING") counts.trusted++
          else if (step.state === "PENDING" && judgement !== undefined) {
            counts.judged++
            if (judgement.reasons.length > 0) counts.withReasons++
            const fault = bounds.fault(step, judgement)
            if (bounds.isOpen) counts.open++
            if (step.at < compared) counts.early++
            else if (!judgement.hadPast) {
              counts.withoutPast++
              if (fault !== null) counts.wrongWithoutPast++
            } else if (fault !== null && ++faulty <= 20) {
              faults.push(`${((step.at - begins) / hour).toFixed(3)} h, ${step.number}: ${fault}`)
              console.log(faults.at(-1))
            }
          } else if (step.state === "PENDING") counts.again++
          bounds.learn(step)
        }
      }
      const seconds = (performance.now() - began) / 1000
      const [[rows]] = (await database.query("select count(*)::int from verification")) as [[number]]
      const [[bytes]] = (await database.query(
        `select (pg_total_relation_size('verification_default') + pg_total_relation_size('subject'))::float8`
      )) as [[number]]
      console.log(
        JSON.stringify({
          ...counts,
          faulty,
          rows,
          seconds: Math.round(seconds),
          added,
          stored,
          bytes,
          share: `${((100 * added) / bytes).toFixed(3)} %`
        })
      )
      assert.strictEqual(rows, counts.judged + counts.again + counts.trusted)
      assert.strictEqual(counts.killed, kills)
      assert.isAbove(counts.withReasons, 0)
      assert.deepStrictEqual(faults, [])
    },
    Math.max(180_000, initiates * 6)
  )
})
