import { Effect } from "effect"
import { BodyTooSlow, type LargeBodiesBusy } from "./Fault.ts"
import type { WireRequest } from "./WireRequest.ts"

const kilobyte = 1024
const megabyte = 1024 * kilobyte

/** A body that declares at most this many bytes is not counted: 10,000 connections hold 80 MB of them. */
export const smallBody = 8 * kilobyte
/** Bytes of all larger bodies in one process, from their arrival until their request is answered. */
const mostBytes = 64 * megabyte
/** Bytes of one owner's larger bodies: one campaign list of the greatest size. */
export const mostOfOwner = 16 * megabyte
/**
 * Bytes of larger bodies by the kind of sender. Callers without a merchant's secret cannot use up the share of merchants
 * or of providers.
 */
const mostOfPool = {
  /** With a merchant's secret. */
  merchants: mostBytes,
  /** With a public key, an app's session, or without a credential. */
  anybody: 32 * megabyte,
  /** To callbacks, whose signature can be checked only after the body is read. */
  callbacks: mostOfOwner
} as const

/** Bodies of one owner are counted together. */
export interface BodyOwner {
  readonly name: string
  readonly pool: keyof typeof mostOfPool
  /** The owner's own limit in bytes, instead of the default. */
  readonly most?: number
}

/** A larger body must deliver this many bytes in each interval until it is complete. */
export const leastPace = { bytes: 8 * kilobyte, millis: 4_000 } as const

/** Whether a body may be larger than `smallBody`: it declares more, or declares nothing. */
export const mayBeLarge = ({ header }: WireRequest): boolean =>
  !(Number(header("content-length") ?? Number.NaN) <= smallBody)

/** The bytes counted for one request. */
export class BodyShare {
  readonly #memory: BodyMemory
  readonly #owner: BodyOwner
  #held = 0
  constructor(memory: BodyMemory, owner: BodyOwner) {
    this.#memory = memory
    this.#owner = owner
  }

  get held(): number {
    return this.#held
  }

  /** Counts bytes that have arrived. False when there is no room for them: the reader must drop the body. */
  readonly take = (bytes: number): boolean => {
    if (!this.#memory.take(this.#owner, bytes)) return false
    this.#held += bytes
    return true
  }

  release(): void {
    this.#memory.release(this.#owner, this.#held)
    this.#held = 0
  }
}

/** Fails when an interval delivers fewer bytes than the minimum. */
const untilTooSlow = (share: BodyShare): Effect.Effect<never, BodyTooSlow> =>
  Effect.suspend(() => {
    const before = share.held
    return Effect.flatMap(Effect.sleep(leastPace.millis), () =>
      share.held - before < leastPace.bytes ? Effect.fail(new BodyTooSlow()) : untilTooSlow(share)
    )
  })

/**
 * Limits the memory of request bodies in one process. It counts bytes, not requests, so a slow body counts only what has
 * arrived. One owner gets at most a quarter, so three owners at their limit leave room for others.
 */
export class BodyMemory {
  readonly #held = new Map<string, number>()
  readonly #inPool: Record<BodyOwner["pool"], number> = { merchants: 0, anybody: 0, callbacks: 0 }
  #all = 0

  take({ most = mostOfOwner, name, pool }: BodyOwner, bytes: number): boolean {
    const own = (this.#held.get(name) ?? 0) + bytes
    const inPool = this.#inPool[pool] + bytes
    if (own > most || inPool > mostOfPool[pool] || this.#all + bytes > mostBytes) return false
    this.#held.set(name, own)
    this.#inPool[pool] = inPool
    this.#all += bytes
    return true
  }

  release({ name, pool }: BodyOwner, bytes: number): void {
    const own = (this.#held.get(name) ?? 0) - bytes
    if (own > 0) this.#held.set(name, own)
    else this.#held.delete(name)
    this.#inPool[pool] -= bytes
    this.#all -= bytes
  }

  /** Serves a request. Counts its body until the request is answered, if the body may be large. */
  within<A, E>(
    owner: BodyOwner,
    request: WireRequest,
    serve: (request: WireRequest) => Effect.Effect<A, E>
  ): Effect.Effect<A, E | LargeBodiesBusy | BodyTooSlow> {
    if (!mayBeLarge(request)) return serve(request)
    return Effect.suspend(() => {
      const share = new BodyShare(this, owner)
      const body: WireRequest["body"] = (limit) =>
        Effect.raceFirst(request.body(limit, share.take), untilTooSlow(share))
      return Effect.ensuring(
        serve({ ...request, body }),
        Effect.sync(() => share.release())
      )
    })
  }
}
