import { NumberVerifierTest } from "@countersign/testkit"
import { FirebaseSimulator } from "@countersign/testkit/simulators"
import { Firebase } from "../src/index.ts"

NumberVerifierTest.suite("firebase", {
  make: (keysUrl) => Firebase.make({ projectNumber: "123456789012", projectId: "simulated-project", keysUrl }),
  provider: FirebaseSimulator.make()
})
