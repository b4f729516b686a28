import { isKnownChannel, type KnownChannel } from "../../foundation/delivery/ChannelName.ts"
import * as Problem from "../../foundation/identity/Problem.ts"
import type { Settings } from "../../account/merchant/Settings.ts"
import { differsFrom, longestValue, registeredPlaceIn } from "./dlt.ts"
import { type Finding, lint } from "./lint.ts"
import { loadsSomething, problemsOfHtml } from "./lintHtml.ts"
import { hasStrayBraces, namesIn } from "./Placeholder.ts"
import { sampleValues } from "./sampleValues.ts"
import { render } from "./Template.ts"
import { type TemplateDraft, wordsOf } from "./TemplateDraft.ts"

/** The settings and sender ids that a template is checked against. */
export interface LintContext {
  readonly settings: Settings
  /** The environment's sender ids. An empty set allows any. */
  readonly headers: ReadonlySet<string>
}

const longestSubject = 250
const longestWhatsAppBody = 1_024
/** Gmail cuts off longer e-mails. */
const cutAt = 100 * 1_024

const error = (field: Finding["field"], problem: Problem.Problem): Finding => ({
  severity: "error",
  field,
  ...problem
})
const warning = (field: Finding["field"], problem: Problem.Problem): Finding => ({
  severity: "warning",
  field,
  ...problem
})

const lintDlt = (draft: TemplateDraft, { headers, settings }: LintContext): ReadonlyArray<Finding> => {
  const { dltTemplateId, dltText, header } = draft.content
  const findings: Array<Finding> = []
  if (dltTemplateId !== null && !/^[0-9]{19}$/.test(dltTemplateId)) {
    findings.push(error("dltTemplateId", Problem.of("DLT_TEMPLATE_ID")))
  }
  if (header !== null && !/^[A-Za-z]{6}$/.test(header)) {
    findings.push(error("header", Problem.of("SENDER_ID")))
  } else if (header !== null && headers.size > 0 && !headers.has(header)) {
    findings.push(error("header", Problem.of("DLT_HEADER_UNKNOWN")))
  }
  if (dltTemplateId === null) return findings
  const values = sampleValues(draft, settings)
  if (settings.brand.length > longestValue && namesIn(draft.content.body ?? "").includes("brand")) {
    findings.push(warning("body", Problem.of("DLT_BRAND", { length: settings.brand.length, max: longestValue })))
  }
  if (dltText === null) return findings
  const problem = differsFrom(dltText, render(wordsOf(draft), values).text)
  return problem === null ? findings : [...findings, error("dltText", problem)]
}

const lintMail = ({ content: { html, subject }, purpose }: TemplateDraft): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  if (subject !== null && subject.includes("\n")) findings.push(error("subject", Problem.of("MAIL_LINE")))
  if (subject !== null && subject.length > longestSubject) {
    findings.push(error("subject", Problem.of("OVER", { max: longestSubject })))
  }
  if (subject !== null && purpose === "LINK" && namesIn(subject).includes("link")) {
    findings.push(error("subject", Problem.of("MAIL_SUBJECT_LINK")))
  }
  if (html === null) return findings
  findings.push(...problemsOfHtml(html).map((problem) => error("html", problem)))
  if (loadsSomething(html)) {
    findings.push(warning("html", Problem.of("HTML_REMOTE")))
  }
  if (html.length > cutAt) findings.push(warning("html", Problem.of("HTML_LARGE")))
  return findings
}

const lintWhatsApp = ({ content, purpose }: TemplateDraft): ReadonlyArray<Finding> => {
  const { body, whatsappLanguage, whatsappName } = content
  const findings: Array<Finding> = []
  if (whatsappName !== null && !/^[a-z0-9_]{1,512}$/.test(whatsappName)) {
    findings.push(error("whatsappName", Problem.of("WHATSAPP_NAME")))
  }
  if (whatsappLanguage !== null && !/^[a-z]{2,3}(_[A-Za-z]{2,4})?$/.test(whatsappLanguage)) {
    findings.push(error("whatsappLanguage", Problem.of("WHATSAPP_LANGUAGE")))
  }
  if (body === null) return findings
  if (body.length > longestWhatsAppBody) {
    findings.push(error("body", Problem.of("OVER", { max: longestWhatsAppBody })))
  }
  if (purpose === "CODE") {
    return [...findings, warning("body", Problem.of("WHATSAPP_CODE_TEXT"))]
  }
  if (/^\s*\{\{|\}\}\s*$/.test(body)) findings.push(error("body", Problem.of("WHATSAPP_EDGES")))
  if (/\n{3}|\t| {4}/.test(body)) findings.push(error("body", Problem.of("WHATSAPP_SPACES")))
  return findings
}

const forChannel = {
  SMS: lintDlt,
  RCS: () => [],
  EMAIL: lintMail,
  WHATSAPP: lintWhatsApp
} satisfies {
  readonly [C in KnownChannel]: (draft: TemplateDraft, context: LintContext) => ReadonlyArray<Finding>
}

/** Returns all findings about a merchant's own template, errors first. */
export const lintStored = (draft: TemplateDraft, context: LintContext): ReadonlyArray<Finding> => {
  const { body, html, subject } = draft.content
  const texts = [
    ["subject", subject],
    ["body", body],
    ["html", html]
  ] as const
  const findings: Array<Finding> = []
  for (const [field, text] of texts) {
    if (text === null) continue
    const registered = registeredPlaceIn(text)
    if (registered !== null) {
      findings.push(error(field, Problem.of("PLACEHOLDER_DLT", { place: registered })))
    }
    if (hasStrayBraces(text)) findings.push(error(field, Problem.of("PLACEHOLDER_BRACES")))
  }
  findings.push(
    ...lint(wordsOf(draft)),
    ...(isKnownChannel(draft.channel) ? forChannel[draft.channel](draft, context) : [])
  )
  return findings.toSorted((a, b) => Number(a.severity === "warning") - Number(b.severity === "warning"))
}
