import {
  PasskeysAbsent,
  ProviderAbsent,
  TemplateUnusable,
  UnknownAgent,
  UnknownBinding,
  UnknownCampaign,
  UnknownCallback,
  UnknownDevice,
  UnknownErasure,
  UnknownHook,
  UnknownKey,
  UnknownLabel,
  UnknownLead,
  UnknownMerchant,
  UnknownMessage,
  UnknownNumber,
  UnknownOptOut,
  UnknownPerson,
  UnknownPasskey,
  UnknownSavedReply,
  UnknownSenderId,
  UnknownSession,
  UnknownTeam,
  UnknownTemplate,
  UnknownWebhook,
  UnknownWebhookDelivery
} from "@countersign/core"
import { PathUnknown } from "../Fault.ts"
import type { CausesByCode } from "./Cause.ts"

/** Objects that do not exist, or not in this environment. */
export const missing = {
  NOT_FOUND: [
    {
      when: "nothing is served at this path",
      advice: "correct the path; `/docs` lists all of them",
      failure: new PathUnknown()
    },
    { when: "no provider sends callbacks to this path", advice: "correct the path", failure: new UnknownCallback() },
    {
      when: "you have no session with this id, or it has ended",
      advice: "list your sessions",
      failure: new UnknownSession()
    },
    {
      when: "you, or the agent in the path, have no passkey with this id",
      advice: "list the passkeys",
      failure: new UnknownPasskey()
    },
    {
      when: "the agent has no OpenID Connect binding",
      advice: "list the agent's credentials",
      failure: new UnknownBinding()
    },
    {
      when: "passkeys are not enabled on this service",
      advice: "set `PUBLIC_URL`, or sign in by e-mail",
      failure: new PasskeysAbsent()
    },
    {
      when: "no identity provider is configured",
      advice: "set `OIDC_ISSUER`, `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`, or sign in by e-mail",
      failure: new ProviderAbsent()
    }
  ],
  TEMPLATE_NOT_FOUND: [
    {
      when: "you have no [template](templates.md) with that id, DLT id or name for this channel",
      advice: "list your templates, and check whether your keys are live or test",
      failure: new UnknownTemplate()
    },
    {
      when: "the channel's template does not exist at the provider in this language, or is not approved",
      advice: "correct its name, or wait for approval",
      failure: new TemplateUnusable({ channel: "WHATSAPP", fault: "NOT_FOUND" })
    }
  ],
  SENDER_ID_NOT_FOUND: [
    {
      when: "this [sender id](templates.md) is not registered in this environment",
      advice: "list the sender ids; they are case-sensitive",
      failure: new UnknownSenderId()
    }
  ],
  DEVICE_NOT_FOUND: [
    {
      when: "no trusted device has that id in this environment, or its trust has ended",
      advice: "list the devices again",
      failure: new UnknownDevice()
    }
  ],
  KEY_NOT_FOUND: [
    {
      when: "no key has that id in this environment, or it was revoked",
      advice: "list the keys, and check whether your key is live or test",
      failure: new UnknownKey({ id: "none" })
    }
  ],
  HOOK_NOT_FOUND: [
    {
      when: "this environment has no hook with this id",
      advice: "`GET /v1/dashboard/hooks` lists them",
      failure: new UnknownHook()
    }
  ],
  WEBHOOK_NOT_FOUND: [
    {
      when: "no webhook endpoint has that id in this environment",
      advice: "list the endpoints, and check whether your keys are live or test",
      failure: new UnknownWebhook()
    }
  ],
  WEBHOOK_DELIVERY_NOT_FOUND: [
    {
      when: "this endpoint has no delivery with that id, or the event is too old to send again",
      advice: "list the deliveries of the endpoint",
      failure: new UnknownWebhookDelivery()
    }
  ],
  LEAD_NOT_FOUND: [
    {
      when: "no lead has that id or number in this environment",
      advice: "list the leads, and check whether your keys are live or test",
      failure: new UnknownLead()
    }
  ],
  AGENT_NOT_FOUND: [
    {
      when: "the merchant has no agent with that id or address, or the agent is not `ACTIVE` and gets no leads",
      advice: "list the agents",
      failure: new UnknownAgent()
    }
  ],
  TEAM_NOT_FOUND: [
    { when: "the merchant has no team with that id or name", advice: "list the teams", failure: new UnknownTeam() }
  ],
  MESSAGE_NOT_FOUND: [
    {
      when: "no message has that id in this conversation, it has no file, or WhatsApp no longer has the file",
      advice: "list the messages",
      failure: new UnknownMessage()
    }
  ],
  SAVED_REPLY_NOT_FOUND: [
    {
      when: "no saved reply has that id in this environment",
      advice: "list the saved replies",
      failure: new UnknownSavedReply()
    }
  ],
  LABEL_NOT_FOUND: [
    {
      when: "no label of this merchant has that id or name",
      advice: "list the labels",
      failure: new UnknownLabel()
    }
  ],
  NUMBER_NOT_FOUND: [
    {
      when: "no connected number has that id in this environment",
      advice: "list the numbers",
      failure: new UnknownNumber()
    }
  ],
  CAMPAIGN_NOT_FOUND: [
    {
      when: "no [campaign](campaigns.md) has that id in this environment",
      advice: "list the campaigns, and check whether your keys are live or test",
      failure: new UnknownCampaign()
    }
  ],
  ERASURE_NOT_FOUND: [
    {
      when: "no erasure has this id in this environment",
      advice: "use the `erasureId` that the erase request returned",
      failure: new UnknownErasure()
    }
  ],
  PERSON_NOT_FOUND: [
    {
      when: "the text is not a person's reference, or it belongs to another environment",
      advice: "use the `person` of a verification, a refused request or a lead of this environment",
      failure: new UnknownPerson()
    }
  ],
  OPT_OUT_NOT_FOUND: [
    {
      when: "this number has no opt-out in this environment, or it was removed",
      advice: "list the opt-outs",
      failure: new UnknownOptOut()
    }
  ],
  MERCHANT_NOT_FOUND: [
    {
      when: "on `/v1/admin/*`: no merchant has this id",
      advice: "check the id",
      failure: new UnknownMerchant({ id: "none" })
    }
  ]
} as const satisfies CausesByCode
