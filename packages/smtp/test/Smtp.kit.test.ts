import { Smtp } from "@countersign/smtp"
import { ChannelTest } from "@countersign/testkit"
import { SmtpSimulator } from "@countersign/testkit/simulators"
import { Redacted } from "effect"

const login = { user: "acme", password: "a-password-of-acme" }

ChannelTest.suite("smtp", {
  make: (url) => Smtp.make({ url: Redacted.make(url), from: "Acme <codes@acme.example>" }),
  provider: SmtpSimulator.make({ login }),
  secrets: [login.password]
})
