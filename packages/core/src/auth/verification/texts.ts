import { Result } from "effect"
import type { ChannelName } from "../../foundation/delivery/ChannelName.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { byDltTemplateId, byName, type Catalogue, problemOf, usual } from "../../message/template/choose.ts"
import type { TemplateHead, TextReference, Texts } from "../../message/template/StoredTemplate.ts"
import type { CheckedRequest } from "./InitiateRequest.ts"
import type { Verification } from "./Verification.ts"
import { TemplateUnusable } from "./VerificationError.ts"

/** The texts for a request's messages. */
export interface ChosenTexts {
  /** The request named the template, so it applies even to a live verification that began with another text. */
  readonly isNamed: boolean
  readonly by: Texts
}

const builtInTexts: ChosenTexts = { isNamed: false, by: {} }

type Wish = Pick<CheckedRequest, "channel" | "fallback" | "flow" | "options">

/** Whether the request itself names a template. */
const isNamed = ({ options }: Wish, name: string | null, { hasSms }: Catalogue): boolean =>
  name !== null || (options.templateId !== undefined && hasSms)

const referenceTo = ({ id, version }: TemplateHead): TextReference => ({ id, version })

/**
 * Chooses the texts for both channels when a verification begins. `name` is a template that the request named. A
 * template that cannot be sent is refused, except on the fallback channel, which then uses the built-in text.
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
  const purpose = flow.kind === "Link" ? "LINK" : "CODE"
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

/** Whether a verification's text on a channel is already fixed, from its start or from its first send there. */
const isSettled = ({ deliveries, fallback, texts }: Verification, channel: ChannelName): boolean =>
  texts?.[channel] !== undefined ||
  fallback?.channel === channel ||
  deliveries.some((delivery) => delivery.channel === channel)

/** Returns whether a resend of a live verification needs its own text. */
export const needsOwnText = (live: Verification, wish: Wish, name: string | null, catalogue: Catalogue): boolean =>
  isNamed(wish, name, catalogue) || !isSettled(live, wish.channel)

/** Returns the texts for a resend: the original ones, unless the request named a template. */
export const textsAfter = (live: Verification, channel: ChannelName, chosen: ChosenTexts): Texts => {
  const own = chosen.by[channel]
  const takes = own !== undefined && (chosen.isNamed || !isSettled(live, channel))
  return takes ? { ...live.texts, [channel]: own } : (live.texts ?? {})
}

/** Returns the number that a channel's message is sent from, if the request or the template names one. */
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

/** The texts as a verification stores them: absent when all are built in. */
export const kept = (texts: Texts): { readonly texts?: Texts } => (Object.keys(texts).length === 0 ? {} : { texts })

/** The text as a delivery stores it. */
export const textOn = (texts: Texts | undefined, channel: ChannelName): { readonly text?: TextReference } => {
  const text = texts?.[channel]
  return text === undefined ? {} : { text }
}
