import { idempotencyKey } from "../request/idempotencyKey.ts"
import { type Connection, request } from "../request/request.ts"
import { inTime, type KeyValueStorage } from "./DeviceTokens.ts"

export interface LaunchInput {
  /** Whether the user consented. Without `true`, nothing is read, sent or stored. */
  readonly consent: boolean
  /** Default on a web page: the parameters of its URL. */
  readonly utm?:
    | {
        readonly source?: string | undefined
        readonly medium?: string | undefined
        readonly campaign?: string | undefined
        readonly term?: string | undefined
        readonly content?: string | undefined
      }
    | undefined
  /** Default on a web page: `qa_clid`, `gclid` or `fbclid` in its URL. */
  readonly clickId?: string | undefined
  /** The install referrer from Google Play. */
  readonly installReferrer?: string | undefined
  /** Identifies the visitor. Default: a random value in the storage. */
  readonly fingerprint?: string | undefined
  readonly platform?: string | undefined
  /** ISO 8601, for events that happened offline. */
  readonly occurredAt?: string | undefined
}

export interface ConversionInput {
  /** Your name for the event. */
  readonly event: string
  readonly value?: number | undefined
  /** ISO 4217. Requires `value`. */
  readonly currency?: string | undefined
  /** Default: the latest stored launch. */
  readonly launchId?: string | undefined
  /** A verification: your backend's `requestId`, the app's `sessionId`. */
  readonly requestId?: string | undefined
  readonly properties?: Readonly<Record<string, unknown>> | undefined
  readonly occurredAt?: string | undefined
}

type Answer = Readonly<Record<string, unknown>>

interface Options extends Connection {
  readonly publicKey: string
  readonly storage?: KeyValueStorage | undefined
}

interface Kept {
  readonly visitor: string
  /** Launches with their tokens, newest first. */
  readonly launches: ReadonlyArray<readonly [id: string, token: string]>
}

const mostRemembered = 50

const isRecorded = (answer: Answer): answer is Answer & { readonly launchId: string; readonly launchToken: string } =>
  answer["recorded"] === true
const isConversion = (answer: Answer): answer is Answer & { readonly conversionId: string } =>
  typeof answer["conversionId"] === "string"
const isAny = (answer: Answer): answer is Answer => answer !== null

/** The parameters of the page's URL. Empty outside a page. */
const addressed = (): { readonly [name: string]: string | undefined } => {
  const { location } = globalThis as { readonly location?: { readonly search?: string } }
  return location?.search ? Object.fromEntries(new URLSearchParams(location.search)) : {}
}

/** Stores this device's launches with their tokens. A failing storage loses them but never fails a call. */
export const makeLaunches = (options: Options, key: string) => {
  let kept: Kept | undefined

  const load = async () => {
    if (!kept)
      try {
        const { storage } = options
        const found: Kept | null | undefined =
          storage && JSON.parse((await inTime(() => storage.getItem(key))) ?? "null")
        if (found && Array.isArray(found.launches)) kept = found
      } catch {}
    return kept
  }

  const save = (next: Kept | undefined) => {
    kept = next
    return inTime(() =>
      next ? options.storage?.setItem(key, JSON.stringify(next)) : options.storage?.removeItem(key)
    ).catch(() => {})
  }

  const latest = async () => (await load())?.launches[0]?.[0]

  const tell = <A>(path: string, body: object, accepts: (answer: Answer) => answer is Answer & A) =>
    request(options, {
      path: `/v1/sdk/attribution/${path}`,
      headers: { "x-public-key": options.publicKey, "idempotency-key": idempotencyKey() },
      body: JSON.stringify(body),
      accepts
    })

  return {
    latest,

    launch: async (input: LaunchInput) => {
      if (input.consent !== true) return null
      const { launches = [], visitor = idempotencyKey() } = (await load()) ?? {}
      const { fbclid, gclid, qa_clid, ...address } = addressed()
      const utm: Record<string, string | undefined> = {}
      for (const name of ["source", "medium", "campaign", "term", "content"]) utm[name] = address[`utm_${name}`]
      const body = { utm, clickId: qa_clid ?? gclid ?? fbclid, fingerprint: visitor, ...input }
      const { launchId, launchToken } = await tell("launch", body, isRecorded)
      await save({ visitor, launches: [[launchId, launchToken] as const, ...launches].slice(0, mostRemembered) })
      return launchId
    },

    conversion: async (input: ConversionInput) =>
      (await tell("conversion", { launchId: await latest(), ...input }, isConversion)).conversionId,

    withdraw: async () => {
      for (let next = await load(); next; next = kept) {
        const [launch, ...launches] = next.launches
        if (launch)
          await request(options, {
            method: "DELETE",
            path: `/v1/sdk/attribution/launch/${launch[0]}`,
            headers: { "x-public-key": options.publicKey, authorization: `Bearer ${launch[1]}` },
            accepts: isAny
          })
        await save(launches.length ? { ...next, launches } : undefined)
      }
    }
  }
}
