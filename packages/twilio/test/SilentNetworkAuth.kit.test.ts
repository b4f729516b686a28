import { NumberVerifierTest } from "@countersign/testkit"
import { SilentNetworkSimulator } from "@countersign/testkit/simulators"
import { Redacted } from "effect"
import { SilentNetworkAuth } from "../src/index.ts"

const authToken = "simulated_auth_token_0123456789ab"

NumberVerifierTest.suite("silent network auth", {
  make: (verifyUrl) =>
    SilentNetworkAuth.make({
      accountSid: "AC00000000000000000000000000000001",
      authToken: Redacted.make(authToken),
      verifyService: "VA00000000000000000000000000000001",
      verifyUrl
    }),
  provider: SilentNetworkSimulator.make(),
  secrets: [authToken]
})
