import { after } from "../request/after.ts"

/** A client's storage between visits, such as `localStorage` or React Native's `AsyncStorage`. */
export interface KeyValueStorage {
  readonly getItem: (key: string) => string | null | undefined | Promise<string | null | undefined>
  readonly setItem: (key: string, value: string) => unknown
  readonly removeItem: (key: string) => unknown
}

/** The token of a session of a number. The newest entry is first. */
type Entry = readonly [phone: string, sessionId: string, token: string]

const isEntry = (value: unknown): value is Entry =>
  Array.isArray(value) && value.length === 3 && value.every((each) => typeof each === "string")

const patience = 1_000

/** Runs a storage operation with a timeout. */
export const inTime = <A>(work: () => A | Promise<A>) =>
  new Promise<A>((resolve, reject) => {
    const cancel = after(patience, () => reject(new Error("The storage did not answer in time")))
    Promise.resolve().then(work).then(resolve, reject).then(cancel, cancel)
  })

/** Normalizes a number. Ten digits without a `+` are an Indian number, as in the service. */
const digitsOf = (phone: string) => {
  const digits = phone.replace(/\D/g, "")
  return digits.length === 10 && !phone.includes("+") ? `91${digits}` : digits
}

/** Keeps at most three sessions per number and twelve in total. */
const few = (entries: ReadonlyArray<Entry>) => {
  const count: Record<string, number> = {}
  return entries.filter(([phone]) => (count[phone] = (count[phone] ?? 0) + 1) <= 3).slice(0, 12)
}

/**
 * Stores the device tokens of OneTap. Losing them costs the user one code, and a failing storage must not cost more: tokens
 * are then kept in memory.
 *
 * Tokens rotate, and using an old one looks like theft. So tabs always read the stored tokens, and a token that cannot be
 * replaced is removed.
 */
export const makeDeviceTokens = (options: { readonly storage?: KeyValueStorage | undefined }, key: string) => {
  let kept: ReadonlyArray<Entry> = []
  let stored = true
  let turn: Promise<unknown> = Promise.resolve()

  const load = async () => {
    if (stored)
      try {
        const found: unknown = JSON.parse((await inTime(() => options.storage?.getItem(key) ?? "null")) ?? "null")
        if (Array.isArray(found)) kept = found.filter(isEntry)
        else if (options.storage !== undefined) kept = []
      } catch {
        stored = false
      }
    return kept
  }

  const save = async () => {
    try {
      await inTime(() =>
        kept.length > 0 ? options.storage?.setItem(key, JSON.stringify(kept)) : options.storage?.removeItem(key)
      )
      stored = true
    } catch {
      stored = false
      await inTime(() => options.storage?.removeItem(key)).catch(() => {})
    }
  }

  /** Runs changes one at a time, so that none overwrites another. */
  const inTurn = <A>(work: (entries: ReadonlyArray<Entry>) => A | Promise<A>) => {
    const result = turn.then(async () => work(await load()))
    turn = result.catch(() => {})
    return result
  }

  const change = (next: (entries: ReadonlyArray<Entry>) => ReadonlyArray<Entry>) =>
    inTurn(async (entries) => {
      kept = next(entries)
      if (kept.length > 0 || entries.length > 0) await save()
    })

  return {
    /** The token of a session, or else the newest of the number. */
    find: (sessionId: string | undefined, phone: string | undefined) =>
      inTurn((entries) => {
        const same = phone && digitsOf(phone)
        return (entries.find((entry) => entry[1] === sessionId) ?? entries.find((entry) => entry[0] === same))?.[2]
      }),

    /** Stores the token that an initiate returned. `sent` is the token it was called with. Null means that OneTap is off. */
    remember: (phone: string, sessionId: string, token: string | null, sent: string | undefined) =>
      change((entries) => {
        const same = digitsOf(phone)
        if (token === null) return entries.filter((entry) => entry[0] !== same)
        return few([
          [same, sessionId, token],
          ...entries
            .filter((entry) => entry[1] !== sessionId)
            .map((entry): Entry => (entry[2] === sent ? [entry[0], entry[1], token] : entry))
        ])
      }),

    /** Forgets one number, or all. */
    forget: (phone: string | undefined) =>
      change((entries) => (phone === undefined ? [] : entries.filter((entry) => entry[0] !== digitsOf(phone))))
  }
}
