import { Camara } from "@countersign/camara"
import { LineInfoTest } from "@countersign/testkit"
import { CamaraSimulator } from "@countersign/testkit/simulators"
import { Effect, Redacted } from "effect"
import { generateKeyPairSync } from "node:crypto"

const pair = generateKeyPairSync("ec", { namedCurve: "P-256" })
const privateKey = pair.privateKey.export({ type: "pkcs8", format: "pem" }).toString()
const publicKey = pair.publicKey.export({ type: "spki", format: "pem" }).toString()

const options = (facts: ReadonlyArray<Camara.CamaraFact>): LineInfoTest.Options => ({
  provider: CamaraSimulator.make({ publicKey }),
  make: (url) =>
    Effect.orDie(
      Camara.lineInfo({
        apiUrl: url,
        tokenUrl: `${url}/token`,
        clientId: "simulated-client-id",
        privateKey: Redacted.make(privateKey),
        facts
      })
    ),
  secrets: [privateKey]
})

LineInfoTest.suite("of CAMARA", options(["simSwapped", "recycled"]))
LineInfoTest.suite("of CAMARA with the date of a swap", options(["simSwapped", "simSwappedAt", "recycled"]))
