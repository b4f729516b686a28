import { Effect, Result } from "effect"
import { carries } from "../../foundation/delivery/carries.ts"
import type { Channel } from "../../foundation/delivery/Channel.ts"
import { Channels } from "../../foundation/delivery/Channels.ts"
import type { Message } from "../../foundation/delivery/Message.ts"
import type { Caller } from "../../account/merchant/Caller.ts"
import { notYours, notYoursCode } from "../../account/number/notYours.ts"
import { DeliveryRunner } from "../../message/sending/DeliveryRunner.ts"
import type { StoreError } from "../../foundation/storage/StoreError.ts"
import { problemOf } from "../../message/template/choose.ts"
import type { TemplateContent } from "../../message/template/StoredTemplate.ts"
import { TemplateCatalogue } from "../../message/template/TemplateCatalogue.ts"
import type { Campaign } from "./Campaign.ts"
import { campaignMessage } from "./campaignMessage.ts"
import type { Recipient } from "./Recipient.ts"

/** The channel, the account and the messages of a campaign that can be sent. */
export interface Prepared {
  readonly channel: Channel
  /**
   * Whether receipts of later messages say something about an earlier one. True only when a single carrier with
   * receipts serves the channel: with several carriers, a receipt may come from another one.
   */
  readonly isHeardInOrder: boolean
  /** The merchant's own account for sending; null for the operator's account. */
  readonly accountId: string | null
  readonly messageOf: (recipient: Recipient) => Message
}

type Owner = Pick<Caller, "environment" | "kind" | "settings">

const kindOf = ({ channel }: Campaign) => (channel === "WHATSAPP" ? "Template" : "Text")

/** The reason why a campaign cannot be sent, shown to team members. */
const problem = (text: string) => Result.fail(text)

/** Checks whether a campaign can be sent now. Fails with a reason for team members. */
export const makePrepare = Effect.gen(function* () {
  const runner = yield* DeliveryRunner
  const catalogue = yield* TemplateCatalogue
  const channels = yield* Channels

  const problemOfTemplate = Effect.fnUntraced(function* (
    { environment, text }: Campaign,
    { whatsappName }: TemplateContent,
    { settings }: Owner
  ) {
    const known = yield* catalogue.of(environment)
    const head = known.heads.find(({ id }) => id === text.id)
    if (head === undefined) return "Its template was removed. Create a new campaign."
    // A later version may use another WhatsApp template, whose state says nothing about this one.
    return head.whatsappName === whatsappName ? (problemOf(head, known, settings)?.problem ?? null) : null
  })

  return Effect.fnUntraced(function* (
    campaign: Campaign,
    owner: Owner
  ): Effect.fn.Return<Result.Result<Prepared, string>, StoreError> {
    const { environment, text } = campaign
    const channel = runner.channelOf(owner.kind, campaign.channel)
    const kind = kindOf(campaign)
    if (channel === undefined || !carries(channel, "MOBILE", kind)) {
      return problem(`No provider for campaigns over ${campaign.channel} is configured.`)
    }
    const content = yield* catalogue.content(environment, text)
    if (content === null) return problem("The text of its template is no longer stored. Create a new campaign.")
    const wrong = yield* problemOfTemplate(campaign, content, owner)
    if (wrong !== null) return problem(wrong)
    const { numberId } = content
    const account = yield* runner.accountFor(environment, channel, {
      sender: numberId,
      isOwnTemplate: kind === "Template"
    })
    if (account === notYoursCode) return problem(`Its template cannot be sent: ${notYours}.`)
    if (account === "number_disconnected") {
      return problem(`Its WhatsApp number ${numberId} is no longer connected. Connect it again.`)
    }
    const wording = { campaign, content, settings: owner.settings, account: account ?? null }
    const accountId = account?.id ?? null
    const isOnly = owner.kind === "test" || channels.carriersOf(channel.name).length < 2
    const isHeardInOrder = channel.supports.receipts && isOnly
    return Result.succeed({
      channel,
      isHeardInOrder,
      accountId,
      messageOf: (recipient) => campaignMessage(wording, recipient)
    })
  })
})
