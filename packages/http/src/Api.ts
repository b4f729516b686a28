import { HttpApi, OpenApi } from "effect/http-api"
import { AgentApi, TeamApi } from "./agents/contract.ts"
import { AdminApi } from "./admin/contract.ts"
import { AuditApi } from "./audit/contract.ts"
import { AttributionApi } from "./attribution/contract.ts"
import { AuthApi } from "./auth/contract.ts"
import { BillingApi } from "./billing/contract.ts"
import { CampaignApi } from "./campaigns/contract.ts"
import { ChannelApi } from "./channels/contract.ts"
import { DeliveryApi } from "./deliveries/contract.ts"
import { DevicesApi, EventsApi, SettingsApi } from "./dashboard/contract.ts"
import { IdentityApi } from "./erasure/contract.ts"
import { ExampleApi } from "./example/contract.ts"
import { HookApi } from "./hooks/contract.ts"
import { InboxApi, LabelApi, SavedReplyApi } from "./inbox/contract.ts"
import { KeyApi } from "./keys/contract.ts"
import { LeadsApi } from "./leads/contract.ts"
import { NumberApi } from "./numbers/contract.ts"
import { OptOutApi } from "./optOuts/contract.ts"
import { ProtectionApi } from "./protection/contract.ts"
import { SessionApi } from "./sessions/contract.ts"
import { SdkApi } from "./sdk/contract.ts"
import { PasskeyApi } from "./passkeys/contract.ts"
import { published } from "./contract/published.ts"
import { version } from "./contract/version.ts"
import { StatsApi } from "./stats/contract.ts"
import { SystemApi } from "./system/contract.ts"
import { SenderIdApi, TemplateApi } from "./templates/contract.ts"
import { TrialApi } from "./trials/contract.ts"
import { VerificationApi } from "./verifications/contract.ts"
import { WebhookApi } from "./webhooks/contract.ts"

class Endpoints extends HttpApi.make("countersign")
  .add(AuthApi)
  .add(DeliveryApi)
  .add(SdkApi)
  .add(AttributionApi)
  .add(SettingsApi)
  .add(EventsApi)
  .add(DevicesApi)
  .add(BillingApi)
  .add(KeyApi)
  .add(TemplateApi)
  .add(SenderIdApi)
  .add(CampaignApi)
  .add(WebhookApi)
  .add(HookApi)
  .add(LeadsApi)
  .add(InboxApi)
  .add(SavedReplyApi)
  .add(LabelApi)
  .add(AgentApi)
  .add(TeamApi)
  .add(SessionApi)
  .add(PasskeyApi)
  .add(NumberApi)
  .add(OptOutApi)
  .add(IdentityApi)
  .add(ExampleApi)
  .add(AuditApi)
  .add(VerificationApi)
  .add(ProtectionApi)
  .add(TrialApi)
  .add(ChannelApi)
  .add(AdminApi)
  .add(StatsApi)
  .add(SystemApi) {}

/**
 * The HTTP contract. The server dispatches by it, `/openapi.json` publishes it, and typed clients are built from it. It
 * imports no server code.
 */
export class Api extends Endpoints.annotateMerge(
  OpenApi.annotations({ title: "Countersign", version, transform: published(Endpoints) })
) {}
