import { Result } from "effect"
import type { NewProviderTemplate } from "../../foundation/delivery/ProviderTemplate.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { valuesIn } from "./compose.ts"
import { sampleValues } from "./sampleValues.ts"
import type { TemplateDraft } from "./TemplateDraft.ts"
import { IncompleteTemplate, SubmissionRefused } from "./TemplateError.ts"

/** Numbers the placeholders of a text, as WhatsApp does. */
const numbered = (body: string): string => {
  let n = 0
  return body.replace(/\{\{[^{}]*\}\}/g, () => `{{${++n}}}`)
}

const incomplete = (field: string, problem: string) => Result.fail(new IncompleteTemplate({ field, problem }))

/** Returns the request for WhatsApp's approval. */
export const submissionOf = (
  draft: TemplateDraft,
  settings: Settings,
  base: string | null
): Result.Result<NewProviderTemplate, IncompleteTemplate | SubmissionRefused> => {
  const { content, purpose } = draft
  const { body, whatsappLanguage: language, whatsappName: name } = content
  if (name === null || language === null)
    return incomplete("whatsappName", "is required to submit a template to WhatsApp")
  if (purpose !== "CODE" && body === null) {
    return incomplete("body", "is required to submit to WhatsApp a template that is not for codes")
  }
  if (purpose === "LINK" && base === null) {
    return Result.fail(
      new SubmissionRefused({ problem: "the text contains a link, which needs a public URL: set baseUrl (PUBLIC_URL)" })
    )
  }
  const values = sampleValues(draft, settings, base)
  return Result.succeed({
    name,
    language,
    purpose,
    body: purpose === "CODE" || body === null ? null : numbered(body),
    examples: purpose === "CODE" ? [] : valuesIn(purpose, body).map((place) => values[place] ?? place),
    linkBase: purpose === "LINK" ? base : null,
    validForSeconds: settings.codeExpirySeconds
  })
}
