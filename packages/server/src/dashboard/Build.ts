import { Clock, Effect, Schema, Semaphore } from "effect"
import { existsSync } from "node:fs"
import { type Assets, inDirectory, isClone, page } from "../Assets.ts"
import { read, type Site, type SiteUnreadable } from "./Site.ts"

/** The dashboard's sources, where they are beside this program: in a clone. They know how they are built. */
export interface Sources {
  /** Where the build puts the page. */
  readonly page: string
  /** Changes with everything that the page is made from. */
  readonly fingerprint: () => Promise<string>
  /** Builds in a process of its own, unless somebody else just has. Null, or what went wrong. */
  readonly build: () => Promise<string | null>
}

/** The sources could not be built. */
export class BuildFailed extends Schema.TaggedError<BuildFailed>()("BuildFailed", { output: Schema.String }) {
  override get message(): string {
    return `The dashboard could not be built:\n${this.output}`
  }
}

export type NoSite = BuildFailed | SiteUnreadable

/** The page as it is to be answered now. */
export interface Build {
  /** For a person who opens or reloads it. */
  readonly newest: Effect.Effect<Site, NoSite>
  /** For a file of a page that is open already. */
  readonly current: Effect.Effect<Site, NoSite>
}

/** After so many milliseconds a build that failed is tried again though nothing changed: a disk may have been full. */
const patience = 5_000

/** Reads what was built before, once. Until that succeeds, each request tries. */
export const built = (assets: Assets): Build => {
  let known: Site | undefined
  const site = Effect.suspend(() =>
    known === undefined ? Effect.tap(read(assets), (site) => Effect.sync(() => (known = site))) : Effect.succeed(known)
  )
  return { newest: site, current: site }
}

/**
 * Builds from the sources when somebody asks and what is there is not made from them. Of many who ask at once, one builds
 * and all wait for it. With `follow`, each who opens the page has the sources looked at again; without, the first build
 * that succeeds is the one that is served.
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

/** From the sources in a clone, and else what came with the program. */
export const find = (options: { readonly follow: boolean }): Effect.Effect<Build> =>
  isClone && existsSync(clone)
    ? Effect.map(
        Effect.promise((): Promise<{ readonly sources: Sources }> => import(clone.href)),
        ({ sources }) => fromSources(sources, options)
      )
    : Effect.succeed(built(page))
