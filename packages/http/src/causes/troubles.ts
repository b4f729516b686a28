import {
  ConnectFailed,
  ProofUnavailable,
  ProviderAway,
  ProviderUnavailable,
  StillRunning,
  SubmissionRefused
} from "@countersign/core"
import { ChannelError, Refused } from "@countersign/core/channel"
import { Conflict, Contended, StoreError } from "@countersign/core/storage"
import { InstanceClosed, NotReady } from "../Fault.ts"
import type { CausesByCode } from "./Cause.ts"

/** Our own trouble, and our providers'. */
export const troubles = {
  INTERNAL_ERROR: [
    { when: "a fault of ours", advice: "try again, and tell us if it stays", failure: null },
    {
      when: "in your own process: `close()` was called",
      advice: "close the instance after the last request",
      failure: new InstanceClosed()
    },
    {
      when: "the service cannot reach its storage",
      advice: "try again after `Retry-After` seconds",
      failure: new StoreError({ operation: "load", cause: null })
    },
    {
      when: "others change the same thing at the same moment, over and over",
      advice: "try again after `Retry-After` seconds",
      failure: new Contended()
    },
    {
      when: "somebody else changed the same thing at the same moment",
      advice: "try again after `Retry-After` seconds",
      failure: new Conflict({ key: "none" })
    },
    {
      when: "a request with the same `Idempotency-Key` is still running after 20 seconds",
      advice: "try again after `Retry-After` seconds, with the same key",
      failure: new StillRunning()
    },
    { when: "only on `/readyz`: storage is away", advice: "send traffic elsewhere", failure: new NotReady() }
  ],
  PROVIDER_ERROR: [
    {
      when: "the channel's provider has been failing and is not asked for now",
      advice: "wait `Retry-After` seconds, or name another channel",
      failure: new ProviderUnavailable({ channel: "SMS", retryAfterSeconds: 10 })
    },
    {
      when: "the provider did not give us a message's file; `message` has its word for it",
      advice: "wait `Retry-After` seconds where there is one",
      failure: new ChannelError({ channel: "WHATSAPP", reason: new Refused({ providerCode: "131052" }) })
    },
    {
      when: "a number verifier such as Truecaller is away, or gave no answer that can be read; the login stays open",
      advice: "start again in the app after `Retry-After` seconds, or verify with a code",
      failure: new ProofUnavailable({ provider: "Truecaller", retryAfterSeconds: 10 })
    },
    {
      when: "WhatsApp did not take a template that was [submitted](templates.md#whatsapp); `message` has its word for it",
      advice: "mend what it says, and submit it again",
      failure: new SubmissionRefused({ problem: "the name is taken by another template" })
    },
    {
      when: "the provider of OpenID Connect to sign in with cannot be reached",
      advice: "try again, or sign in by e-mail",
      failure: new ProviderAway()
    }
  ],
  WHATSAPP_CONNECT_FAILED: [
    {
      when: "WhatsApp does not let us use the number, or cannot be asked; `message` says which",
      advice: "mend what it says, and connect again",
      failure: new ConnectFailed({ problem: "WhatsApp does not take this access token" })
    },
    {
      when: "another environment has connected the number",
      advice: "disconnect it there first",
      failure: new ConnectFailed({
        problem: "another environment has connected this number; disconnect it there first"
      })
    }
  ]
} as const satisfies CausesByCode
