import { Effect, Result } from "effect"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import { checkName } from "../lead/inboxFields.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { byName, type Catalogue } from "../../message/template/choose.ts"
import { canonicalName, type TemplateHead } from "../../message/template/StoredTemplate.ts"
import { days, fromIso, type Instant, minutes } from "../../foundation/time/Instant.ts"
import { InvalidChannel, TemplateUnusable } from "../../auth/verification/VerificationError.ts"
import { CampaignChannel } from "./Campaign.ts"
import { CsvTooLarge } from "./CampaignError.ts"

/** The input for a new campaign. */
export interface CampaignRequest {
  readonly name?: string | null | undefined
  readonly channel?: string | null | undefined
  /** A template's id or name. */
  readonly template?: string | null | undefined
  /** CSV text: a header line with a `phone` column, then a line per recipient. */
  readonly csv?: string | null | undefined
  /** ISO 8601. When omitted, the campaign starts immediately. */
  readonly startAt?: string | null | undefined
  /** Leaves out invalid lines of the list. Without it, a list with an invalid line is refused. */
  readonly skipInvalid?: boolean | null | undefined
}

/** The request after all checks that need no lookup. */
export interface CheckedCampaign {
  readonly name: string
  readonly channel: CampaignChannel
  readonly template: string
  readonly csv: string
  readonly startAt: Instant
  readonly skipInvalid: boolean
}

/** The longest recipient list, in bytes of UTF-8. */
export const longestCsv = 5 * 1024 * 1024

/** The longest template id or name. The limit keeps the comparison with every template cheap. */
const longestName = 100
const latest = days(365)
/** How far in the past `startAt` may be: the caller's clock may be behind the server's. */
const slack = minutes(5)

const checkStart = (text: string | null | undefined, now: Instant): Result.Result<Instant, InvalidField> => {
  if (text == null) return Result.succeed(now)
  const at = fromIso(text)
  if (at === null) return Result.fail(invalidField("startAt", Problem.of("TIME")))
  if (at < now - slack) return Result.fail(invalidField("startAt", Problem.of("START_PAST")))
  if (at > now + latest) return Result.fail(invalidField("startAt", Problem.of("START_FAR")))
  return Result.succeed(Math.max(at, now))
}

const isChannel = (name: string): name is CampaignChannel => CampaignChannel.some((known) => known === name)

const utf8 = new TextEncoder()

/** Validates a campaign request without any lookup. */
export const checkCampaign = Effect.fnUntraced(function* (
  { channel, csv, name, skipInvalid, startAt, template }: CampaignRequest,
  now: Instant
): Effect.fn.Return<CheckedCampaign, InvalidField | InvalidChannel | CsvTooLarge> {
  const checkedName = yield* checkName("name", name)
  if (channel == null || channel === "")
    return yield* invalidField("channel", Problem.of("ONE_OF", { values: CampaignChannel.join(", ") }))
  if (!isChannel(channel)) {
    return yield* new InvalidChannel({ problem: `a campaign's channel must be ${CampaignChannel.join(" or ")}` })
  }
  const named = template?.trim() ?? ""
  if (named === "" || named.length > longestName) return yield* invalidField("template", Problem.of("TEMPLATE_NAME"))
  if (csv == null) return yield* invalidField("csv", Problem.of("CSV"))
  // UTF-8 needs at most three bytes per UTF-16 unit, so short texts skip the exact count.
  if (csv.length * 3 > longestCsv && utf8.encode(csv).length > longestCsv) {
    return yield* new CsvTooLarge({ limit: longestCsv })
  }
  const at = yield* Effect.fromResult(checkStart(startAt, now))
  return { name: checkedName, channel, template: named, csv, startAt: at, skipInvalid: skipInvalid === true }
})

/** Finds the requested template by its id, or by its name: first in the merchant's language, then in any other. */
export const templateOf = (
  { channel, template }: Pick<CheckedCampaign, "channel" | "template">,
  catalogue: Catalogue,
  { locale }: Pick<Settings, "locale">
): Result.Result<TemplateHead, TemplateUnusable> => {
  const unusable = (fault: TemplateUnusable["fault"], problem: string) =>
    Result.fail(new TemplateUnusable({ channel, fault, problem: `template: ${problem}` }))
  const fits = (head: TemplateHead) => head.channel === channel && head.purpose === "MESSAGE"
  const called = catalogue.heads.filter(
    ({ id, name }) => id === template || canonicalName(name) === canonicalName(template)
  )
  const usable =
    called.find((head) => head.id === template && fits(head)) ??
    byName(catalogue, template, { channel, purpose: "MESSAGE", locale })
  if (usable !== undefined) return Result.succeed(usable)
  const [otherTemplate] = called
  if (otherTemplate === undefined) return unusable("NOT_FOUND", "no template in this environment has this id or name")
  return otherTemplate.channel === channel
    ? unusable(
        "INVALID",
        `${otherTemplate.name} has purpose ${otherTemplate.purpose}; a campaign needs purpose MESSAGE`
      )
    : unusable("INVALID", `${otherTemplate.name} is for ${otherTemplate.channel}, not for ${channel}`)
}
