import { idempotencyKey } from "../request/idempotencyKey.ts"
import { type Connection, request } from "../request/request.ts"
import { inTime, type KeyValueStorage } from "./DeviceTokens.ts"

export interface LaunchInput {
  /** Whether the person agreed. Without `true` nothing is read, sent or remembered. */
  readonly consent: boolean
  /** On a web page those of its address by default. */
  readonly utm?:
    | {
        readonly source?: string | undefined
        readonly medium?: string | undefined
        readonly campaign?: string | undefined
        readonly term?: string | undefined
        readonly content?: string | undefined
      }
    | undefined
  /** On a web page that of its address by default: `qa_clid`, `gclid` or `fbclid`. */
  readonly clickId?: string | undefined
  /** From Google Play, in an app that it installed. */
  readonly installReferrer?: string | undefined
  /** What tells one visitor from another. By default something random that the storage remembers. */
  readonly fingerprint?: string | undefined
  readonly platform?: string | undefined
  /** ISO 8601, for what happened while there was no network. */
  readonly occurredAt?: string | undefined
}

export interface ConversionInput {
  /** What happened, in your words. */
  readonly event: string
  readonly value?: number | undefined
  /** ISO 4217; it needs a value. */
  readonly currency?: string | undefined
  /** By default the latest launch that is remembered. */
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
  /** With its token each, the latest first. */
  readonly launches: ReadonlyArray<readonly [id: string, token: string]>
}

const mostRemembered = 50

const isRecorded = (answer: Answer): answer is Answer & { readonly launchId: string; readonly launchToken: string } =>
  answer["recorded"] === true
const isConversion = (answer: Answer): answer is Answer & { readonly conversionId: string } =>
  typeof answer["conversionId"] === "string"
const isAny = (answer: Answer): answer is Answer => answer !== null

/** What the address of the page says; nothing where there is no page. */
const addressed = (): { readonly [name: string]: string | undefined } => {
  const { location } = globalThis as { readonly location?: { readonly search?: string } }
  return location?.search ? Object.fromEntries(new URLSearchParams(location.search)) : {}
}

/** Launches of this device, with what withdraws them. A storage that fails costs the memory of them, and no call. */
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
