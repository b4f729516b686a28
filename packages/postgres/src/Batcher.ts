import { StoreError } from "@countersign/core/storage"
import { Cause, Effect, Exit, type Fiber, type Scope } from "effect"
import { PgFailure } from "./PgFailure.ts"

export interface BatcherOptions<Item, Out> {
  /** The operation name in a `StoreError`. */
  readonly operation: string
  readonly keyOf: (item: Item) => string
  /**
   * `share`: waiting items with the same key get one result. For reads, which lock no rows.
   * `wait`: a key is never in flight twice, and a statement's items are sorted by key, so concurrent statements lock
   * rows in the same order. For writes.
   */
  readonly sameKey: "share" | "wait"
  /**
   * The owner of an item: its environment. When more items wait than fit into a statement, the owners take turns. When
   * another session locks an owner's row, each owner's items are resent separately, so only that owner's items fail.
   */
  readonly ownerOf: (item: Item) => string
  /** Runs one statement for all items. Returns the results in their order. */
  readonly run: (items: ReadonlyArray<Item>) => Effect.Effect<ReadonlyArray<Out>, PgFailure>
  /** Derives the result of a waiting item from a finished item with the same key. Undefined when it must run. */
  readonly foretell?: (done: Item, out: Out, waiting: Item) => Out | undefined
  readonly maxItems?: number
  readonly maxInFlight?: number
  readonly maxWaiting?: number
  /** While a statement runs, the number of waiting items that start another one immediately. */
  readonly worthAnother?: number
  /** The number of milliseconds that fewer items wait for a running statement before they start another one. */
  readonly patience?: number
}

type Resume<Out> = (exit: Exit.Exit<Out, StoreError>) => void

class Slot<Item, Out> {
  readonly item: Item
  readonly key: string
  /** The first caller. Other callers that share the result are in `#others`, which most slots never need. */
  #caller: Resume<Out> | undefined
  #others: Set<Resume<Out>> | undefined
  /** The next item of the same owner. */
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

  /** Whether any caller still waits for the result. */
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

/** The waiting items of an owner, in order of arrival. */
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
    // The slot may enter another queue next, without the items that followed it here.
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
/** The most owners remembered as possibly locked by another session. */
const mostApart = 128

/**
 * Combines items of many callers into one statement. Items that arrive while a statement is in flight go with the next
 * statement. A caller never waits when no statement is in flight. When more items wait than fit into a statement,
 * owners take turns, so a flood from one owner does not delay the others.
 *
 * A statement costs as much as many items. So a second one starts only for many items, or when the first one takes
 * long, for example because it waits for a lock.
 *
 * A bad item harms no other item, and an interrupted caller's item is dropped. When the scope closes, every caller gets
 * a `StoreError`.
 */
export class Batcher<Item, Out> {
  readonly #options: BatcherOptions<Item, Out>
  readonly #maxItems: number
  readonly #maxInFlight: number
  readonly #maxWaiting: number
  readonly #worthAnother: number
  readonly #patience: number
  /** Waiting items in order of arrival. */
  readonly #ready: Array<Slot<Item, Out>> = []
  /** Items left waiting when a statement was full, by owner. The owner whose turn is next comes first. */
  readonly #lines = new Map<string, Line<Item, Out>>()
  /**
   * Owners whose last statement waited too long for a lock, with their waiting items. Each is sent separately, one
   * statement at a time, until one succeeds. Otherwise a statement that waits for one owner's row would hold the locks
   * of every other owner in it.
   */
  readonly #apart = new Map<string, Line<Item, Out>>()
  /** How many statements in flight belong to separated owners. */
  readonly #alone = new Set<ReadonlyArray<Slot<Item, Out>>>()
  /** `share`: the slot of a key that still waits. */
  readonly #open = new Map<string, Slot<Item, Out>>()
  /** `wait`: items queued because an item with the same key is ready or in flight. */
  readonly #behind = new Map<string, Array<Slot<Item, Out>>>()
  readonly #running = new Set<ReadonlyArray<Slot<Item, Out>>>()
  readonly #fibers = new Set<Fiber.Fiber<unknown, unknown>>()
  #waiting = 0
  #scheduled = false
  /** Runs while items wait for a statement in flight. */
  #waitingTimer: NodeJS.Timeout | undefined
  #hasWaitedLong = false
  #closed = false

  constructor(options: BatcherOptions<Item, Out>) {
    this.#options = options
    this.#maxItems = options.maxItems ?? 128
    this.#maxInFlight = options.maxInFlight ?? 3
    this.#maxWaiting = options.maxWaiting ?? 20_000
    this.#worthAnother = options.worthAnother ?? 32
    this.#patience = options.patience ?? 20
  }

  /** Submits an item and waits for its result. */
  readonly submit = (item: Item): Effect.Effect<Out, StoreError> =>
    Effect.callback<Out, StoreError>((resume) => {
      if (this.#closed) return resume(this.#fail("the storage is closed"))
      if (this.#waiting >= this.#maxWaiting) return resume(this.#fail("too many callers are already waiting"))
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
    const hasRoom = this.#hasReady && this.#hasRoom
    if (this.#hasReady && !hasRoom && this.#inFlight < this.#maxInFlight)
      this.#waitingTimer ??= setTimeout(this.#waitedLong, this.#patience)
    if (this.#scheduled || !(this.#apart.size > 0 || hasRoom)) return
    this.#scheduled = true
    setImmediate(this.#flush)
  }

  readonly #waitedLong = (): void => {
    this.#waitingTimer = undefined
    if (!this.#hasReady) return
    this.#hasWaitedLong = true
    this.#schedule()
  }

  #stopWaiting(): void {
    clearTimeout(this.#waitingTimer)
    this.#waitingTimer = undefined
    this.#hasWaitedLong = false
  }

  get #hasReady(): boolean {
    return this.#ready.length > 0 || this.#lines.size > 0
  }

  /** How many statements in flight carry items of several owners. */
  get #inFlight(): number {
    return this.#running.size - this.#alone.size
  }

  get #hasRoom(): boolean {
    if (this.#inFlight === 0) return true
    const isWorthAnother = this.#hasWaitedLong || this.#lines.size > 0 || this.#ready.length >= this.#worthAnother
    return isWorthAnother && this.#inFlight < this.#maxInFlight
  }

  /** Takes the items of the next statement. */
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
    // Takes one item per owner. An owner with more items moves to the end of the map, so this loop visits it again.
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
      this.#stopWaiting()
      const batch = this.#wanted(this.#take())
      if (batch.length > 0) this.#start(batch, 1)
    }
  }

  /** Moves the waiting items of separated owners to their own queues. */
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
      // Goes to the end of the queue for its next turn.
      this.#apart.delete(owner)
      this.#apart.set(owner, line)
      this.#alone.add(batch)
      this.#start(batch, 1)
    }
  }

  /** The taken items that a caller still waits for: these are sent. */
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

  /** Resends these items, each owner's separately. */
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

  /** Lets owners share statements again. */
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
    // Postgres does not respond, so waiting callers would fail too, only later.
    const silent = cause instanceof PgFailure && cause.reason === "Timeout" && cause.sqlState === null
    const failed = silent ? [...batch, ...this.#drain()] : batch
    for (const slot of failed) {
      slot.answer(exit)
      this.#next(slot, undefined)
    }
  }

  /** Whether a lock on one owner's row may have blocked the others. */
  #blames(cause: PgFailure, batch: ReadonlyArray<Slot<Item, Out>>): boolean {
    const owners = new Set(batch.map(({ item }) => this.#options.ownerOf(item)))
    if (owners.size === 1) return false
    // Several lock waits, each within its limit, may use up the statement's whole time.
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
   * Releases the next item of this key, after all items whose result is known by now. A caller resumes inside `answer`
   * and may submit its next item before `answer` returns.
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

  /** Fails every waiting caller. */
  close(): void {
    if (this.#closed) return
    this.#closed = true
    this.#stopWaiting()
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
