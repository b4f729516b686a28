import { StoreError } from "@countersign/core/storage"
import { Cause, Effect, Exit, type Fiber, type Scope } from "effect"
import { PgFailure } from "./PgFailure.ts"

export interface BatcherOptions<Item, Out> {
  /** The name a `StoreError` will carry. */
  readonly operation: string
  readonly keyOf: (item: Item) => string
  /**
   * `share`: items of one key ask the same question, so those that wait together get one answer. For reads, which lock no
   * rows. `wait`: a key is never twice in flight, and a statement's items are sorted by it, so that no two statements of
   * any process lock the same rows in opposite order. For writes.
   */
  readonly sameKey: "share" | "wait"
  /**
   * Whose item it is: its environment. Where more wait than a statement takes, the owners take turns. And when somebody
   * else has a row of one owner locked, each owner's items are sent again by themselves, and only that owner's fail.
   */
  readonly ownerOf: (item: Item) => string
  /** One statement for all items; answers in their order. */
  readonly run: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Out>, PgFailure>
  /** What a finished item already tells about one of the same key that waits behind it. */
  readonly foretell?: (done: Item, out: Out, waiting: Item) => Out | undefined
  readonly maxItems?: number
  readonly maxInFlight?: number
  readonly maxWaiting?: number
}

type Resume<Out> = (exit: Exit.Exit<Out, StoreError>) => void

class Slot<Item, Out> {
  readonly item: Item
  readonly key: string
  /** Nearly always one alone; those that share its answer are kept beside. */
  #caller: Resume<Out> | undefined
  #others: Set<Resume<Out>> | undefined
  /** The next of the same owner. */
  behind: Slot<Item, Out> | undefined = undefined
  constructor(item: Item, key: string) {
    this.item = item
    this.key = key
  }

  add(caller: Resume<Out>): void {
    if (this.#caller === undefined) this.#caller = caller
    else (this.#others ??= new Set()).add(caller)
  }

  delete(caller: Resume<Out>): void {
    if (this.#caller === caller) this.#caller = undefined
    else this.#others?.delete(caller)
  }

  /** Whether somebody still waits for its answer. */
  get isWanted(): boolean {
    return this.#caller !== undefined || (this.#others !== undefined && this.#others.size > 0)
  }

  answer(exit: Exit.Exit<Out, StoreError>): void {
    const [caller, others] = [this.#caller, this.#others]
    this.#caller = undefined
    this.#others = undefined
    caller?.(exit)
    others?.forEach((other) => other(exit))
  }
}

/** What waits of one owner, the first first. */
class Line<Item, Out> {
  #first: Slot<Item, Out> | undefined
  #last: Slot<Item, Out> | undefined

  push(slot: Slot<Item, Out>): void {
    if (this.#last === undefined) this.#first = slot
    else this.#last.behind = slot
    this.#last = slot
  }

  next(): Slot<Item, Out> | undefined {
    const slot = this.#first
    if (slot === undefined) return undefined
    this.#first = slot.behind
    if (this.#first === undefined) this.#last = undefined
    // It may wait again, in another line: nobody of this one goes with it.
    slot.behind = undefined
    return slot
  }

  take(most: number): Array<Slot<Item, Out>> {
    const taken: Array<Slot<Item, Out>> = []
    while (taken.length < most && !this.isEmpty) taken.push(this.next()!)
    return taken
  }

  get isEmpty(): boolean {
    return this.#first === undefined
  }
}

const tries = 3
/** Of so many owners it is remembered that somebody else may have a row of theirs locked. */
const mostApart = 128

/**
 * Lets items of many callers travel in one statement, without a timer: what arrives while statements are in flight
 * goes with the next one, and a caller alone waits for nobody. Where more wait than a statement takes, owners take turns, so
 * that a flood of one keeps no other waiting. A bad item harms no other; a caller that leaves is forgotten; when the scope
 * closes everybody gets a `StoreError`.
 */
export class Batcher<Item, Out> {
  readonly #options: BatcherOptions<Item, Out>
  readonly #maxItems: number
  readonly #maxInFlight: number
  readonly #maxWaiting: number
  /** What waits, in order of arrival. */
  readonly #ready: Array<Slot<Item, Out>> = []
  /** By owner, what was left waiting when more did than a statement takes. The owner whose turn is next comes first. */
  readonly #lines = new Map<string, Line<Item, Out>>()
  /**
   * Owners whose last statement waited too long for a lock, and what of theirs waits. They travel by themselves, one statement
   * of each at a time, until one goes through: a statement that waits for the row of one owner keeps the rows of all whom it
   * carries from everybody else.
   */
  readonly #apart = new Map<string, Line<Item, Out>>()
  /** Of the statements in flight, those of owners that travel by themselves. */
  readonly #alone = new Set<ReadonlyArray<Slot<Item, Out>>>()
  /** `share`: the slot of a key that still waits. */
  readonly #open = new Map<string, Slot<Item, Out>>()
  /** `wait`: who waits behind a key that is ready or in flight. */
  readonly #behind = new Map<string, Array<Slot<Item, Out>>>()
  readonly #running = new Set<ReadonlyArray<Slot<Item, Out>>>()
  readonly #fibers = new Set<Fiber.Fiber<unknown, unknown>>()
  #waiting = 0
  #scheduled = false
  #closed = false

  constructor(options: BatcherOptions<Item, Out>) {
    this.#options = options
    this.#maxItems = options.maxItems ?? 128
    this.#maxInFlight = options.maxInFlight ?? 3
    this.#maxWaiting = options.maxWaiting ?? 20_000
  }

  /** Hands in one item and waits for its answer. */
  readonly submit = (item: Item): Effect.Effect<Out, StoreError> =>
    Effect.callback<Out, StoreError>((resume) => {
      if (this.#closed) return resume(this.#fail("the storage is closed"))
      if (this.#waiting >= this.#maxWaiting) return resume(this.#fail("too many callers wait already"))
      const slot = this.#slotFor(item)
      slot.add(resume)
      return Effect.sync(() => {
        slot.delete(resume)
      })
    })

  #slotFor(item: Item): Slot<Item, Out> {
    const key = this.#options.keyOf(item)
    if (this.#options.sameKey === "share") {
      const open = this.#open.get(key)
      if (open !== undefined) return open
      const slot = new Slot<Item, Out>(item, key)
      this.#open.set(key, slot)
      this.#enqueue(slot)
      return slot
    }
    const slot = new Slot<Item, Out>(item, key)
    const queue = this.#behind.get(key)
    if (queue === undefined) {
      this.#behind.set(key, [])
      this.#enqueue(slot)
    } else {
      queue.push(slot)
      this.#waiting++
    }
    return slot
  }

  #enqueue(slot: Slot<Item, Out>): void {
    this.#ready.push(slot)
    this.#waiting++
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled || !(this.#apart.size > 0 || (this.#hasReady && this.#hasRoom))) return
    this.#scheduled = true
    setImmediate(this.#flush)
  }

  get #hasReady(): boolean {
    return this.#ready.length > 0 || this.#lines.size > 0
  }

  get #hasRoom(): boolean {
    return this.#running.size - this.#alone.size < this.#maxInFlight
  }

  /** What the next statement takes. */
  #take(): Array<Slot<Item, Out>> {
    if (this.#apart.size > 0) this.#setApart()
    if (this.#lines.size === 0 && this.#ready.length <= this.#maxItems) return this.#ready.splice(0)
    const { ownerOf } = this.#options
    for (const slot of this.#ready.splice(0)) {
      const owner = ownerOf(slot.item)
      const line = this.#lines.get(owner) ?? new Line()
      line.push(slot)
      this.#lines.set(owner, line)
    }
    const taken: Array<Slot<Item, Out>> = []
    // One of each, and again: an owner with more to come goes behind the others, where this walk finds them.
    for (const [owner, line] of this.#lines) {
      if (taken.length === this.#maxItems) break
      taken.push(line.next()!)
      this.#lines.delete(owner)
      if (!line.isEmpty) this.#lines.set(owner, line)
    }
    return taken
  }

  readonly #flush = (): void => {
    this.#scheduled = false
    if (this.#apart.size > 0 && !this.#closed) this.#flushApart()
    while (this.#hasReady && this.#hasRoom && !this.#closed) {
      const batch = this.#wanted(this.#take())
      if (batch.length > 0) this.#start(batch, 1)
    }
  }

  /** Puts what waits of owners that travel by themselves where only they look. */
  #setApart(): void {
    const { ownerOf } = this.#options
    for (const slot of this.#ready.splice(0)) (this.#apart.get(ownerOf(slot.item)) ?? this.#ready).push(slot)
  }

  #flushApart(): void {
    const { ownerOf } = this.#options
    this.#setApart()
    const carried = new Set([...this.#running].flatMap((batch) => batch.map(({ item }) => ownerOf(item))))
    for (const [owner, line] of Array.from(this.#apart)) {
      if (this.#alone.size >= this.#maxInFlight) return
      if (carried.has(owner) || this.#apart.get(owner) !== line) continue
      const batch = this.#wanted(line.take(this.#maxItems))
      if (batch.length === 0) continue
      // Behind the others, so that it is their turn next.
      this.#apart.delete(owner)
      this.#apart.set(owner, line)
      this.#alone.add(batch)
      this.#start(batch, 1)
    }
  }

  /** Of what is taken, that which somebody still waits for, as it is sent. */
  #wanted(taken: ReadonlyArray<Slot<Item, Out>>): ReadonlyArray<Slot<Item, Out>> {
    this.#waiting -= taken.length
    const batch: Array<Slot<Item, Out>> = []
    for (const slot of taken) {
      if (this.#open.get(slot.key) === slot) this.#open.delete(slot.key)
      if (slot.isWanted) batch.push(slot)
      else this.#next(slot, undefined)
    }
    return this.#options.sameKey === "wait" ? batch.sort(byKey) : batch
  }

  /** Lets these travel again, each owner's by themselves. */
  #part(batch: ReadonlyArray<Slot<Item, Out>>): void {
    for (const slot of batch) {
      const owner = this.#options.ownerOf(slot.item)
      const line = this.#apart.get(owner) ?? this.#lines.get(owner) ?? new Line()
      this.#lines.delete(owner)
      this.#apart.set(owner, line)
      line.push(slot)
      this.#waiting++
    }
    for (const [owner, line] of this.#apart) {
      if (this.#apart.size <= mostApart) break
      if (line.isEmpty) this.#apart.delete(owner)
    }
  }

  /** Lets owners travel with others again. */
  #rejoin(batch: ReadonlyArray<Slot<Item, Out>>): void {
    for (const { item } of batch) {
      const owner = this.#options.ownerOf(item)
      const line = this.#apart.get(owner)
      this.#apart.delete(owner)
      if (line !== undefined && !line.isEmpty) this.#lines.set(owner, line)
    }
  }

  #start(batch: ReadonlyArray<Slot<Item, Out>>, attempt: number): void {
    this.#running.add(batch)
    const fiber = Effect.runFork(this.#options.run(batch.map((slot) => slot.item)))
    this.#fibers.add(fiber)
    fiber.addObserver((exit) => {
      this.#fibers.delete(fiber)
      this.#running.delete(batch)
      const wasAlone = this.#alone.delete(batch)
      if (this.#closed) return
      if (wasAlone && Exit.isSuccess(exit)) this.#rejoin(batch)
      if (Exit.isSuccess(exit)) batch.forEach((slot, index) => this.#succeed(slot, exit.value[index]!))
      else this.#failed(batch, attempt, Cause.squash(exit.cause))
      this.#schedule()
    })
  }

  #failed(batch: ReadonlyArray<Slot<Item, Out>>, attempt: number, cause: unknown): void {
    const reason = cause instanceof PgFailure ? cause.reason : undefined
    if (reason === "Deadlock" && attempt < tries) return this.#start(batch, attempt + 1)
    if (reason === "Rejected" && batch.length > 1) {
      const half = batch.length >> 1
      this.#start(batch.slice(0, half), 1)
      return this.#start(batch.slice(half), 1)
    }
    if (cause instanceof PgFailure && this.#blames(cause, batch)) return this.#part(batch)
    const exit = this.#fail(cause)
    // Postgres is silent: whoever waits would wait just as long for nothing.
    const silent = cause instanceof PgFailure && cause.reason === "Timeout" && cause.sqlState === null
    const failed = silent ? [...batch, ...this.#drain()] : batch
    for (const slot of failed) {
      slot.answer(exit)
      this.#next(slot, undefined)
    }
  }

  /** Whether a lock on the row of one owner may have kept the others waiting. */
  #blames(cause: PgFailure, batch: ReadonlyArray<Slot<Item, Out>>): boolean {
    const owners = new Set(batch.map(({ item }) => this.#options.ownerOf(item)))
    if (owners.size === 1) return false
    // Several waits for locks, each within its limit, may take all the time that a statement has.
    return cause.waitedForLock || (cause.tookTooLong && [...owners].some((owner) => this.#apart.has(owner)))
  }

  #drain(): Array<Slot<Item, Out>> {
    const slots: Array<Slot<Item, Out>> = []
    while (this.#hasReady) for (const slot of this.#take()) slots.push(slot)
    for (const line of this.#apart.values()) slots.push(...line.take(Infinity))
    this.#waiting -= slots.length
    this.#open.clear()
    return slots
  }

  #succeed(slot: Slot<Item, Out>, out: Out): void {
    slot.answer(Exit.succeed(out))
    this.#next(slot, out)
  }

  /**
   * Lets the next item of this key go ahead, after all whose answer is known by now. A caller runs on inside `answer`
   * and may hand in its next item before that returns.
   */
  #next(done: Slot<Item, Out>, out: Out | undefined): void {
    const queue = this.#behind.get(done.key)
    if (queue === undefined) return
    const left: Array<Slot<Item, Out>> = []
    this.#behind.set(done.key, left)
    for (const slot of queue) {
      const known = out === undefined ? undefined : this.#options.foretell?.(done.item, out, slot.item)
      if (known === undefined) {
        left.push(slot)
      } else {
        this.#waiting--
        slot.answer(Exit.succeed(known))
      }
    }
    const next = left.shift()
    if (next === undefined) {
      this.#behind.delete(done.key)
    } else {
      this.#waiting--
      this.#enqueue(next)
    }
  }

  #fail(cause: unknown): Exit.Exit<never, StoreError> {
    const { operation } = this.#options
    return Exit.fail(
      cause instanceof PgFailure
        ? cause.toStoreError(operation)
        : new StoreError({ operation, cause: typeof cause === "string" ? new Error(cause) : cause })
    )
  }

  /** Ends all waiting. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    const exit = this.#fail("the storage is closed")
    const slots = [...this.#running, this.#drain(), ...this.#behind.values()].flat()
    for (const fiber of this.#fibers) fiber.interruptUnsafe()
    for (const slot of slots) slot.answer(exit)
  }
}

const byKey = (a: { readonly key: string }, b: { readonly key: string }) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)

/** A batcher that closes with the scope. */
export const make = <Item, Out>(
  options: BatcherOptions<Item, Out>
): Effect.Effect<Batcher<Item, Out>, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => new Batcher(options)),
    (batcher) => Effect.sync(() => batcher.close())
  )
