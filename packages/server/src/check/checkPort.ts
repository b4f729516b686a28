import { Effect } from "effect"
import { createServer } from "node:net"
import { whyNot } from "../HttpServer.ts"
import { type Finding, ok, problem } from "./Finding.ts"

/** An address to listen on, and the prefix of its variables. */
export interface Place {
  readonly what: string
  readonly prefix: "" | "MANAGEMENT_"
  readonly host: string
  readonly port: number
}

/** Listens on the port and closes it again. Null when that worked, otherwise the error. */
const refusalOf = ({ host, port }: Place) =>
  Effect.callback<unknown>((resume) => {
    const server = createServer()
    server.once("error", (error) => resume(Effect.succeed(error)))
    server.listen(port, host, () => server.close(() => resume(Effect.succeed(null))))
    return Effect.sync(() => server.close())
  })

const isEverywhere = (host: string) => host === "0.0.0.0" || host === "::"

/** Whether the program on the port answers like this service. */
const isOurs = ({ host, port }: Place) =>
  Effect.tryPromise(async (signal) => {
    const name = isEverywhere(host) ? "127.0.0.1" : host.includes(":") ? `[${host}]` : host
    const answer = await fetch(`http://${name}:${port}/healthz`, { signal, redirect: "manual" })
    return answer.status === 200 && (await answer.text()).includes('"status"')
  }).pipe(
    Effect.timeoutOrElse({ duration: "2 seconds", orElse: () => Effect.succeed(false) }),
    Effect.orElseSucceed(() => false)
  )

/** Whether a start could listen there. A running Countersign on the port is not a problem. */
export const checkPort = Effect.fnUntraced(function* (place: Place): Effect.fn.Return<ReadonlyArray<Finding>> {
  const address = `${place.host}:${place.port}`
  if (place.port === 0) return [ok(place.what, `${place.host}, with a port chosen by the system`)]
  const error = yield* refusalOf(place)
  if (error === null) return [ok(place.what, `${address} is free`)]
  if (yield* isOurs(place)) return [ok(place.what, `a running Countersign already listens on ${address}`)]
  return [problem(place.what, `cannot listen on ${address}`, whyNot(error, place.prefix))]
})
