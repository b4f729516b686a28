// What an application outside this repository looks like: it is compiled and run against the packed packages.
import { Countersign, CountersignError, type PromiseChannel } from "countersign"
import { MemoryStorage } from "countersign/memory"
import { PgStorage } from "countersign/postgres"

const codes: Array<string> = []
const sms: PromiseChannel = { name: "SMS", send: async ({ code }) => void codes.push(code) }
const storage = process.argv[2] === "embedded" ? PgStorage.layerEmbedded() : MemoryStorage.layer

const countersign = await Countersign.make({ storage, channels: [sms], secret: "00".repeat(32) })
try {
  const { requestId } = await countersign.initiate({ identity: "+919876543210", identityType: "MOBILE" })
  while (codes.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
  const { verified } = await countersign.verify({ requestId, otp: codes[0]! })
  console.log(verified ? "verified" : "not verified")
} catch (error) {
  console.log(error instanceof CountersignError ? error.errorCode : String(error))
} finally {
  await countersign.close()
}
