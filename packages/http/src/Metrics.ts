import { Context, Metric } from "effect"
import type { Route } from "./Routes.ts"

const requests = Metric.counter("countersign_http_requests_total", {
  description: "Requests answered, by route and status",
  incremental: true
})
const duration = Metric.histogram("countersign_http_request_duration_ms", {
  description: "Time from a request to its answer, by route",
  boundaries: [1, 2, 5, 10, 25, 50, 100, 250, 500, 1000, 2500, 5000]
})

const addresses = Metric.counter("countersign_refused_addresses_total", {
  description: "Requests refused because their credential may not be used from their address, by kind of credential",
  incremental: true
})

const context = Context.empty()

/** Counts a credential that was used from a forbidden address: it may be stolen. */
export const countRefusedAddress = (of: "OPERATOR" | "KEY"): void =>
  Metric.withAttributes(addresses, { credential: of.toLowerCase() }).updateUnsafe(1, context)

/** Counts and times requests. Looks up the metric of a route only once. */
export const makeRecorder = () => {
  const counters = new Map<Route | null, Map<number, typeof requests>>()
  const timers = new Map<Route | null, typeof duration>()
  const labels = (route: Route | null) => ({ route: route === null ? "none" : `${route.method} ${route.path}` })

  return (route: Route | null, status: number, millis: number): void => {
    let byStatus = counters.get(route)
    if (byStatus === undefined) counters.set(route, (byStatus = new Map()))
    let counter = byStatus.get(status)
    if (counter === undefined) {
      counter = Metric.withAttributes(requests, { ...labels(route), status: String(status) }) as typeof requests
      byStatus.set(status, counter)
    }
    counter.updateUnsafe(1, context)
    let timer = timers.get(route)
    if (timer === undefined) {
      timer = Metric.withAttributes(duration, labels(route)) as typeof duration
      timers.set(route, timer)
    }
    timer.updateUnsafe(millis, context)
  }
}
