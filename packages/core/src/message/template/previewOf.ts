import { Redacted, Result } from "effect"
import type { CodeMessage, LinkMessage, TemplateMessage } from "../../foundation/delivery/Message.ts"
import type { ProviderTemplates } from "../../foundation/delivery/ProviderTemplate.ts"
import * as Identity from "../../foundation/identity/Identity.ts"
import { type InvalidField, invalidField } from "../../foundation/identity/InvalidField.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { compose } from "./compose.ts"
import { sampleValues } from "./sampleValues.ts"
import { measure, type SmsLength } from "./SmsText.ts"
import type { TemplateDraft } from "./TemplateDraft.ts"

/** The values for a preview. Sample values replace omitted ones. */
export interface PreviewRequest {
  readonly values?: { readonly [name: string]: string } | null | undefined
  readonly identity?: string | null | undefined
}

/** The exact message that a send would produce. */
export interface Preview {
  /** The recipient's address; null when the request has none. */
  readonly to: string | null
  /** Null on WhatsApp when only WhatsApp has the text. */
  readonly text: string | null
  readonly subject: string | null
  readonly html: string | null
  /** SMS only. */
  readonly length: SmsLength | null
  readonly header: string | null
  readonly dltTemplateId: string | null
  /** The part of the WhatsApp request that names the template and its values. */
  readonly whatsapp: { readonly [name: string]: unknown } | null
}

const longestValue = 2_000
const mostValues = 100

const checkValues = (values: { readonly [name: string]: string }): Result.Result<void, InvalidField> => {
  const entries = Object.entries(values)
  if (entries.length > mostValues) return refuse("values", Problem.of("TOO_MANY", { max: mostValues }))
  const wrong = entries.find(([, value]) => value.length > longestValue || !value.isWellFormed())
  return wrong === undefined
    ? Result.void
    : refuse(`values.${wrong[0].slice(0, 64)}`, Problem.of("TOO_LONG", { max: longestValue }))
}

const refuse = (field: string, problem: Problem.Problem) => Result.fail(invalidField(field, problem))

const addressOf = (
  channel: TemplateDraft["channel"],
  identity: string | null,
  settings: Settings
): Result.Result<string | null, InvalidField> => {
  if (identity === null) return Result.succeed(null)
  const type = channel === "EMAIL" ? "EMAIL" : "MOBILE"
  return Result.map(Identity.parse(type, identity, settings.defaultCountry), ({ canonical, spelling }) =>
    type === "MOBILE" ? `+${canonical}` : spelling
  )
}

/** Renders a template exactly as a send does. The sample code and link verify no one. */
export const previewOf = (
  draft: TemplateDraft,
  { identity = null, values: given }: PreviewRequest,
  settings: Settings,
  { base, provider }: { readonly base: string | null; readonly provider: ProviderTemplates | undefined }
): Result.Result<Preview, InvalidField> =>
  Result.gen(function* () {
    const { channel, content, purpose } = draft
    yield* checkValues(given ?? {})
    const to = yield* addressOf(channel, identity, settings)
    const values = { ...sampleValues(draft, settings, base), ...given }
    const { options, rendered, template } = compose({ channel, purpose, content, values }, settings)
    const common = {
      deliveryId: "",
      reference: "",
      to: to ?? "",
      brand: values.brand,
      locale: settings.locale,
      text: Redacted.make(rendered.text),
      options
    }
    const expiring = {
      ...common,
      subject: Redacted.make(rendered.subject),
      html: null,
      validForSeconds: settings.codeExpirySeconds,
      expiresAt: 0,
      ...(template === null ? {} : { template })
    }
    const messageOf = (): CodeMessage | LinkMessage | TemplateMessage | null => {
      if (template === null) return null
      if (purpose === "CODE") return { ...expiring, _tag: "Code", code: Redacted.make(values.code) }
      if (purpose === "LINK") {
        const token = values.link.slice(values.link.lastIndexOf("/") + 1)
        return { ...expiring, _tag: "Link", url: Redacted.make(values.link), token: Redacted.make(token) }
      }
      return { ...common, _tag: "Template", validForSeconds: null, expiresAt: null, ...template }
    }
    const message = messageOf()
    return {
      to,
      text: content.body === null ? null : rendered.text,
      subject: content.subject === null ? null : rendered.subject,
      html: rendered.html,
      length: channel === "SMS" ? measure(rendered.text) : null,
      header: content.header,
      dltTemplateId: content.dltTemplateId,
      whatsapp: message === null || provider === undefined ? null : provider.shown(message)
    }
  })
