import { Effect, Schema } from "effect"
import { lookup, Resolver } from "node:dns/promises"

/** A host name could not be resolved. */
export class Unresolved extends Schema.TaggedError<Unresolved>()("Unresolved", {
  /** `UNKNOWN` if the name does not exist or has no address, `UNANSWERED` if no name server answered. */
  reason: Schema.Literals(["UNKNOWN", "UNANSWERED"])
}) {}

/** All addresses of a name. */
export type Resolve = (name: string) => Effect.Effect<ReadonlyArray<string>, Unresolved>

const isUnknown = (error: unknown) =>
  error instanceof Error && "code" in error && (error.code === "ENOTFOUND" || error.code === "ENODATA")

const unresolved = (errors: ReadonlyArray<unknown>) =>
  new Unresolved({ reason: errors.every(isUnknown) ? "UNKNOWN" : "UNANSWERED" })

/**
 * Queries name servers, by default those of the system. Unlike the system's resolver it can be cancelled, so slow names do
 * not block threads. It ignores the hosts file and search domains, which public names do not need.
 */
export const fromNameServers =
  (servers?: ReadonlyArray<string>): Resolve =>
  (name) =>
    Effect.tryPromise({
      try: async (signal) => {
        const resolver = new Resolver({ timeout: 1500, tries: 2 })
        if (servers !== undefined) resolver.setServers(servers)
        signal.addEventListener("abort", () => resolver.cancel())
        return await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
      },
      catch: (error) => unresolved([error])
    }).pipe(
      Effect.flatMap((answers) => {
        const addresses = answers.flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []))
        if (addresses.length > 0) return Effect.succeed(addresses)
        return Effect.fail(
          unresolved(answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason] : [])))
        )
      })
    )

/** Uses the system's resolver, which also knows `localhost`, the hosts file and container names. */
export const fromSystem: Resolve = (name) =>
  Effect.tryPromise({
    try: async () => (await lookup(name, { all: true })).map(({ address }) => address),
    catch: (error) => unresolved([error])
  })
