import { type ClientRequest, get } from "node:http"

/** Node answers in milliseconds or not at all; a container's health check has five seconds. */
const patience = 4_000

/** Every address of the machine is also this one. */
const reached: { readonly [host: string]: string } = { "": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "::1" }

/** Where a server that was started with these variables answers whether it can work. */
export const addressOf = (environment: { readonly [name: string]: string | undefined }): string => {
  const given = environment["HOST"] ?? ""
  const host = reached[given] ?? given
  // Also where the operator has a port apart: both answer, and this one is what matters to those who call.
  const port = environment["PORT"] || "8080"
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}/readyz`
}

/**
 * Asks the server that runs on this machine, with the same variables, whether it can work. Fails where it cannot, with
 * an error that says so in a line. It is what a container without a shell and without `curl` is asked for its health.
 */
export const healthy = (environment: { readonly [name: string]: string | undefined }): Promise<void> =>
  new Promise((resolve, reject) => {
    const url = addressOf(environment)
    get(url, { timeout: patience, agent: false }, (response) => {
      response.resume()
      if (response.statusCode === 200) resolve()
      else reject(new Error(`${url} answers ${response.statusCode}`))
    })
      .on("timeout", function (this: ClientRequest) {
        this.destroy(new Error(`it did not answer within ${patience / 1_000} s`))
      })
      .on("error", (error) => reject(new Error(`${url}: ${error.message}`)))
  })
