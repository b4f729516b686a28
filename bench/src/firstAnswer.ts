import { startEmbedded } from "./EmbeddedServer.ts"
import { initiateOne } from "./Requests.ts"

const clientId = "cs_live_of_the_benchmark"
const clientSecret = "sk_live_of_the_benchmark_and_nobody_else"

/** Seconds from the start of the server, without any configuration but a port and keys, to its first answer. */
export const firstAnswer = async (): Promise<number> => {
  const began = performance.now()
  const server = await startEmbedded({
    COUNTERSIGN_CLIENT_ID: clientId,
    COUNTERSIGN_CLIENT_SECRET: clientSecret,
    COUNTERSIGN_PUBLIC_KEY: "pk_live_of_the_benchmark"
  })
  try {
    await initiateOne({ port: server.port, clientId, clientSecret })
    return (performance.now() - began) / 1000
  } finally {
    await server.stop()
  }
}
