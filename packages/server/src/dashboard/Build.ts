import { Clock, Effect, Schema, Semaphore } from "effect"
import { existsSync } from "node:fs"
import { type Assets, inDirectory, isClone, page } from "../Assets.ts"
import { read, type Site, type SiteUnreadable } from "./Site.ts"

/** The dashboard's sources, which exist only in a clone, and how to build them. */
export interface Sources {
  /** Where the build puts the page. */
  readonly page: string
  /** Changes whenever a source of the page changes. */
  readonly fingerprint: () => Promise<string>
  /** Builds in a separate process, unless another process has just built. Resolves with null, or with the error output. */
  readonly build: () => Promise<string | null>
}

export class BuildFailed extends Schema.TaggedError<BuildFailed>()("BuildFailed", { output: Schema.String }) {
  override get message(): string {
    return `The dashboard's build failed:\n${this.output}`
  }
}

export type NoSite = BuildFailed | SiteUnreadable

/** The dashboard's current files. */
export interface Build {
  /** For a request that opens or reloads the page: rebuilds when sources changed. */
  readonly newest: Effect.Effect<Site, NoSite>
  /** For a file of an open page: never rebuilds a page that exists. */
  readonly current: Effect.Effect<Site, NoSite>
}

/** In milliseconds. A failed build is retried after this even without changes: the disk may have been full. */
const patience = 5_000

/** Serves the build that ships with the program. Reads it once; every request retries until that succeeds. */
export const built = (assets: Assets): Build => {
  let known: Site | undefined
  const site = Effect.suspend(() =>
    known === undefined ? Effect.tap(read(assets), (site) => Effect.sync(() => (known = site))) : Effect.succeed(known)
  )
  return { newest: site, current: site }
}

/**
 * Builds from the sources on request, when the existing build is outdated. Concurrent requests share one build. With
 * `follow`, every opening of the page checks the sources again. Without it, the first successful build is served.
 */
export const fromSources = (sources: Sources, { follow }: { readonly follow: boolean }): Build => {
  const oneAtATime = Semaphore.makeUnsafe(1).withPermits(1)
  let known: { readonly print: string; readonly site: Site } | undefined
  let failed: { readonly print: string; readonly at: number; readonly why: NoSite } | undefined

  const look = Effect.gen(function* () {
    if (known !== undefined && !follow) return known.site
    const print = yield* Effect.promise(sources.fingerprint)
    if (known?.print === print) return known.site
    const now = yield* Clock.currentTimeMillis
    if (failed?.print === print && now - failed.at < patience) return yield* failed.why
    return yield* Effect.promise(sources.build).pipe(
      Effect.flatMap((output) =>
        output === null ? read(inDirectory(sources.page)) : Effect.fail<NoSite>(new BuildFailed({ output }))
      ),
      Effect.tap((site) => Effect.sync(() => (known = { print, site }))),
      Effect.tapError((why) => Effect.sync(() => (failed = { print, at: now, why })))
    )
  })
  const newest = oneAtATime(look)
  return { newest, current: Effect.suspend(() => (known === undefined ? newest : Effect.succeed(known.site))) }
}

const clone = new URL("../../../dashboard/build/sources.ts", import.meta.url)

/** Builds from the sources in a clone; otherwise serves the build that ships with the program. */
export const find = (options: { readonly follow: boolean }): Effect.Effect<Build> =>
  isClone && existsSync(clone)
    ? Effect.map(
        Effect.promise((): Promise<{ readonly sources: Sources }> => import(clone.href)),
        ({ sources }) => fromSources(sources, options)
      )
    : Effect.succeed(built(page))
