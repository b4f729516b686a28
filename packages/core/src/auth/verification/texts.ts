import { Result } from "effect"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { byDltTemplateId, byName, type Catalogue, problemOf, usual } from "../../message/template/choose.ts"
import type { TemplateHead, TextReference, Texts } from "../../message/template/StoredTemplate.ts"
import type { CheckedRequest } from "./InitiateRequest.ts"
import type { Verification } from "./Verification.ts"
import { TemplateUnusable } from "./VerificationError.ts"

/** What a request's messages are to say. */
export interface ChosenTexts {
  /** The request asked for it, so it counts even where a live verification began with other words. */
  readonly isNamed: boolean
  readonly by: Texts
}

const builtInTexts: ChosenTexts = { isNamed: false, by: {} }

type Wish = Pick<CheckedRequest, "channel" | "fallback" | "flow" | "options">

/** Whether the request itself says which template it means. */
const isNamed = ({ options }: Wish, name: string | null, { hasSms }: Catalogue): boolean =>
  name !== null || (options.templateId !== undefined && hasSms)

const referenceTo = ({ id, version }: TemplateHead): TextReference => ({ id, version })

/**
 * Which words go out, fixed for both channels when a verification begins. `name` is a template that was asked for. What
 * cannot be sent is refused, except on the fallback's channel, which then has the built-in words.
 */
export const chooseTexts = (
  catalogue: Catalogue,
  wish: Wish,
  name: string | null,
  settings: Settings
): Result.Result<ChosenTexts, TemplateUnusable> => {
  const { channel, fallback, flow, options } = wish
  if (flow.kind === "Number" || (catalogue.heads.length === 0 && name === null)) return Result.succeed(builtInTexts)
  const { locale } = settings
  const purpose = flow.kind === "Code" ? "CODE" : "LINK"
  const named = isNamed(wish, name, catalogue)
  const find = (on: ChannelName) => {
    const wanted = { channel: on, purpose, locale } as const
    if (name !== null) return byName(catalogue, name, wanted)
    const { templateId } = options
    return named && templateId !== undefined && on === "SMS"
      ? byDltTemplateId(catalogue, templateId, wanted)
      : usual(catalogue, wanted)
  }
  const first = find(channel)
  if (first === undefined && named) {
    const what = name === null ? `with the DLT template id ${options.templateId}` : "of that name"
    const problem = `You have no ${channel} template ${what} for ${purpose === "CODE" ? "codes" : "links"}`
    return Result.fail(new TemplateUnusable({ channel, fault: "NOT_FOUND", problem }))
  }
  const wrong = first === undefined ? null : problemOf(first, catalogue, settings)
  if (wrong !== null) return Result.fail(new TemplateUnusable({ channel, ...wrong }))
  const other = fallback?.channel
  const wanted = other
  const second =
    wanted === undefined ? undefined : (find(wanted) ?? usual(catalogue, { channel: wanted, purpose, locale }))
  return Result.succeed({
    isNamed: named,
    by: {
      ...(first === undefined ? {} : { [channel]: referenceTo(first) }),
      ...(wanted === undefined || second === undefined || problemOf(second, catalogue, settings) !== null
        ? {}
        : { [wanted]: referenceTo(second) })
    }
  })
}

/** Whether what a verification says on a channel was settled when it began, or when it first went there. */
const isSettled = ({ deliveries, fallback, texts }: Verification, channel: ChannelName): boolean =>
  texts?.[channel] !== undefined ||
  fallback?.channel === channel ||
  deliveries.some((delivery) => delivery.channel === channel)

/** Whether a request that sends a live verification again needs words of its own. */
export const needsOwnText = (live: Verification, wish: Wish, name: string | null, catalogue: Catalogue): boolean =>
  isNamed(wish, name, catalogue) || !isSettled(live, wish.channel)

/** The words for a resend: those that it began with, unless others were asked for. */
export const textsAfter = (live: Verification, channel: ChannelName, chosen: ChosenTexts): Texts => {
  const own = chosen.by[channel]
  const takes = own !== undefined && (chosen.isNamed || !isSettled(live, channel))
  return takes ? { ...live.texts, [channel]: own } : (live.texts ?? {})
}

/** The number that its message on a channel goes out from, where the request or the template names one. */
export const senderOf = (
  { deliveries, texts }: Verification,
  channel: ChannelName,
  { heads }: Catalogue
): string | null => {
  const last = deliveries.at(-1)
  const isNext = last?.channel === channel
  const text = isNext ? last.text : texts?.[channel]
  const template = text === undefined ? undefined : heads.find(({ id }) => id === text.id)
  return (isNext ? last.options.wabaId : undefined) ?? template?.numberId ?? null
}

/** As a verification keeps them: nothing at all where all words are built in. */
export const kept = (texts: Texts): { readonly texts?: Texts } => (Object.keys(texts).length === 0 ? {} : { texts })

/** As a delivery keeps its own. */
export const textOn = (texts: Texts | undefined, channel: ChannelName): { readonly text?: TextReference } => {
  const text = texts?.[channel]
  return text === undefined ? {} : { text }
}
