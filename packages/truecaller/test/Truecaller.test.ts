import { NumberVerifierTest } from "@countersign/testkit"
import { TruecallerSimulator } from "@countersign/testkit/simulators"
import { Truecaller } from "../src/index.ts"

NumberVerifierTest.suite("truecaller", {
  make: (apiUrl) => Truecaller.make({ clientId: "simulated-client-id", apiUrl }),
  provider: TruecallerSimulator.make()
})
