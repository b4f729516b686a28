import { noRecords } from "../../foundation/outbox/Change.ts"
import type { Fact } from "../../foundation/outbox/Fact.ts"
import type { Instant } from "../../foundation/time/Instant.ts"
import type { StatStore } from "./StatStore.ts"
import { placeKey, type StatBucket, type StatGroup, type StatPlace, startOf } from "./StatBucket.ts"
import { counted, type Counts, refused } from "./statFacts.ts"

/** The kinds of facts that are counted. */
export const kinds = [counted.name, refused.name] as const

/** One thing that a fact counts. */
export interface Entry extends StatGroup {
  readonly at: Instant
  /** `asked`, `sent@twilio`, `toSend.37@twilio`, `refused.limit`: see `splitName`. */
  readonly name: string
  readonly n: number
}

const word = (value: unknown) => (typeof value === "string" ? value : "")

const inFact = ({ at, kind, times = 1, value }: Fact): ReadonlyArray<Entry> => {
  const group = { country: word(value["country"]), path: word(value["path"]), at }
  if (kind === refused.name) {
    const n = value["n"]
    const name = `refused.${word(value["reason"])}`
    return typeof n === "number"
      ? [{ ...group, channel: word(value["channel"]), template: "", name, n: n * times }]
      : []
  }
  const entries: Array<Entry> = []
  for (const [entry, n] of Object.entries(value)) {
    if (typeof n !== "number") continue
    const [name = "", channel = "", template = ""] = entry.split(" ")
    entries.push({ ...group, channel, template, name, n: n * times })
  }
  return entries
}

/**
 * The counts in a fact. A hand-written parser instead of a schema, because it reads thousands at a time. An unreadable
 * entry counts nothing.
 */
export const entriesOf = (fact: Fact): ReadonlyArray<Entry> =>
  inFact(fact).filter(({ n, name }) => Number.isSafeInteger(n) && name !== "")

export const isLatency = (name: string) => name.startsWith("to")

/** Sums under construction. */
export interface OpenBucket extends StatPlace {
  readonly counts: { [name: string]: number }
  readonly latencies: { [name: string]: number }
}

const add = (sums: { [name: string]: number }, name: string, n: number) => {
  const sum = (sums[name] ?? 0) + n
  if (sum === 0) delete sums[name]
  else sums[name] = sum
}

const addCounts = (sums: { [name: string]: number }, counts: Counts): void => {
  for (const name in counts) add(sums, name, counts[name]!)
}

const addEntry = ({ counts, latencies }: Pick<OpenBucket, "counts" | "latencies">, { n, name }: Entry): void =>
  add(isLatency(name) ? latencies : counts, name, n)

/** The sums of facts by key, each fact in its quarter hour and in its day. */
export const sumsOf = (facts: ReadonlyArray<Fact>): ReadonlyMap<string, OpenBucket> => {
  const sums = new Map<string, OpenBucket>()
  for (const fact of facts) {
    for (const entry of entriesOf(fact)) {
      const { channel, country, path, template } = entry
      for (const span of ["QUARTER", "DAY"] as const) {
        const place = { span, at: startOf(span, entry.at), channel, country, path, template }
        const key = placeKey(place)
        let bucket = sums.get(key)
        if (bucket === undefined) sums.set(key, (bucket = { ...place, counts: {}, latencies: {} }))
        addEntry(bucket, entry)
      }
    }
  }
  return sums
}

/** Adds facts to known sums. The commit that writes the sums deletes the facts. */
export const fold = (
  environment: string,
  version: number,
  known: ReadonlyArray<StatBucket>,
  sums: ReadonlyMap<string, OpenBucket>,
  facts: ReadonlyArray<Fact>
): StatStore.Change => {
  const before = new Map(known.map((bucket) => [placeKey(bucket), bucket]))
  const buckets = [...sums].map(([key, bucket]): StatBucket => {
    const counts = { ...before.get(key)?.counts }
    const latencies = { ...before.get(key)?.latencies }
    addCounts(counts, bucket.counts)
    addCounts(latencies, bucket.latencies)
    return { ...bucket, counts, latencies }
  })
  return {
    ...noRecords,
    environment,
    version,
    buckets,
    folded: facts.map(({ at, environment, key, kind }) => ({ at, environment, key, kind }))
  }
}
