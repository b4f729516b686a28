import { rm } from "node:fs/promises"
import { emptyDirectory, startEmbedded } from "./EmbeddedServer.ts"
import { initiateOne } from "./Requests.ts"

const clientId = "cs_live_of_the_benchmark"
const clientSecret = "sk_live_of_the_benchmark_and_nobody_else"

const answerIn = async (directory: string): Promise<number> => {
  const began = performance.now()
  const server = await startEmbedded(
    {
      COUNTERSIGN_CLIENT_ID: clientId,
      COUNTERSIGN_CLIENT_SECRET: clientSecret,
      COUNTERSIGN_PUBLIC_KEY: "pk_live_of_the_benchmark"
    },
    directory
  )
  try {
    await initiateOne({ port: server.port, clientId, clientSecret })
    return (performance.now() - began) / 1000
  } finally {
    await server.stop()
  }
}

/**
 * Seconds from the start of the server, without any configuration but a port and keys, to its first answer: in an empty
 * directory, then again in the same one.
 */
export const firstAnswers = async (): Promise<{ readonly first: number; readonly second: number }> => {
  const directory = await emptyDirectory()
  try {
    return { first: await answerIn(directory), second: await answerIn(directory) }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}
