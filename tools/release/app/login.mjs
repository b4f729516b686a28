import { Countersign } from "countersign"
import { MemoryStorage } from "countersign/memory"
import { PgStorage } from "countersign/postgres"

const codes = []
const channels = [{ name: "SMS", send: async ({ code }) => void codes.push(code) }]
const storage = process.argv[2] === "embedded" ? PgStorage.layerEmbedded() : MemoryStorage.layer

const main = async () => {
  const countersign = await Countersign.make({ storage, channels, secret: "00".repeat(32) })
  try {
    const { requestId } = await countersign.initiate({ identity: "+919876543210", identityType: "MOBILE" })
    while (codes.length === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    const { verified } = await countersign.verify({ requestId, otp: codes[0] })
    console.log(verified ? "verified" : "not verified")
  } finally {
    await countersign.close()
  }
}

void main()
