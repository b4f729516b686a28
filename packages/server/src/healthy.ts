import { type ClientRequest, get } from "node:http"

/** In milliseconds. Shorter than the usual five seconds of a container's health check. */
const patience = 4_000

/** A wildcard address is reachable at the loopback address. */
const reached: { readonly [host: string]: string } = { "": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1" }

/** The readiness URL of a server that was started with these variables. */
export const addressOf = (environment: { readonly [name: string]: string | undefined }): string => {
  const given = environment["HOST"] ?? ""
  const host = reached[given] ?? given
  // Not the management port, although it answers too: callers depend on the public one.
  const port = environment["PORT"] || "8080"
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}/readyz`
}

/**
 * Checks that the server on this machine is ready. Rejects with a one-line error if it is not. This is the health check
 * for containers without a shell and without `curl`.
 */
export const healthy = (environment: { readonly [name: string]: string | undefined }): Promise<void> =>
  new Promise((resolve, reject) => {
    const url = addressOf(environment)
    get(url, { timeout: patience, agent: false }, (response) => {
      response.resume()
      if (response.statusCode === 200) resolve()
      else reject(new Error(`${url} answered ${response.statusCode}`))
    })
      .on("timeout", function (this: ClientRequest) {
        this.destroy(new Error(`no answer within ${patience / 1_000} seconds`))
      })
      .on("error", (error) => reject(new Error(`${url}: ${error.message}`)))
  })
