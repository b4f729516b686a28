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

/** Failures of the service and of providers. */
export const troubles = {
  INTERNAL_ERROR: [
    { when: "an error in the service", advice: "try again, and report it if it persists", failure: null },
    {
      when: "in your own process: the instance is closed",
      advice: "close the instance after the last request",
      failure: new InstanceClosed()
    },
    {
      when: "the service cannot reach its storage",
      advice: "try again after `Retry-After` seconds",
      failure: new StoreError({ operation: "load", cause: null })
    },
    {
      when: "too many concurrent changes to the same object",
      advice: "try again after `Retry-After` seconds",
      failure: new Contended()
    },
    {
      when: "another request changed the same object at the same time",
      advice: "try again after `Retry-After` seconds",
      failure: new Conflict({ key: "none" })
    },
    {
      when: "a request with the same `Idempotency-Key` is still running after 20 seconds",
      advice: "try again after `Retry-After` seconds, with the same key",
      failure: new StillRunning()
    },
    {
      when: "only on `/readyz`: storage is unreachable",
      advice: "route traffic to another instance",
      failure: new NotReady()
    }
  ],
  PROVIDER_ERROR: [
    {
      when: "the channel's provider is failing, so no messages are sent to it for now",
      advice: "wait `Retry-After` seconds, or use another channel",
      failure: new ProviderUnavailable({ channel: "SMS", retryAfterSeconds: 10 })
    },
    {
      when: "the provider did not return a message's file; `message` contains its error code",
      advice: "wait `Retry-After` seconds, if the header is present",
      failure: new ChannelError({ channel: "WHATSAPP", reason: new Refused({ providerCode: "131052" }) })
    },
    {
      when: "a number verifier such as Truecaller is unreachable or its answer is unreadable; the login stays open",
      advice: "start again in the app after `Retry-After` seconds, or verify with a code",
      failure: new ProofUnavailable({ provider: "Truecaller", retryAfterSeconds: 10 })
    },
    {
      when: "WhatsApp rejected a [submitted](templates.md#whatsapp) template; `message` contains its reason",
      advice: "fix the problem, and submit it again",
      failure: new SubmissionRefused({ problem: "the name is taken by another template" })
    },
    {
      when: "the OpenID Connect provider is unreachable",
      advice: "try again, or sign in by e-mail",
      failure: new ProviderAway()
    }
  ],
  WHATSAPP_CONNECT_FAILED: [
    {
      when: "WhatsApp refused the number or is unreachable; `message` says which",
      advice: "fix the problem, and connect again",
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
