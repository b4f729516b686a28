import { isKnownChannel, type KnownChannel } from "../../foundation/delivery/ChannelName.ts"
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

const error = (field: Finding["field"], problem: string): Finding => ({ severity: "error", field, problem })
const warning = (field: Finding["field"], problem: string): Finding => ({ severity: "warning", field, problem })

const lintDlt = (draft: TemplateDraft, { headers, settings }: LintContext): ReadonlyArray<Finding> => {
  const { dltTemplateId, dltText, header } = draft.content
  const findings: Array<Finding> = []
  if (dltTemplateId !== null && !/^[0-9]{19}$/.test(dltTemplateId)) {
    findings.push(error("dltTemplateId", "must be a DLT template id of 19 digits"))
  }
  if (header !== null && !/^[A-Za-z]{6}$/.test(header)) {
    findings.push(error("header", "must be a DLT sender id of 6 letters"))
  } else if (header !== null && headers.size > 0 && !headers.has(header)) {
    findings.push(error("header", "is not one of your sender ids; register it first"))
  }
  if (dltTemplateId === null) return findings
  const values = sampleValues(draft, settings)
  if (settings.brand.length > longestValue && namesIn(draft.content.body ?? "").includes("brand")) {
    findings.push(
      warning(
        "body",
        `{{brand}} is ${settings.brand.length} characters long, but DLT allows ${longestValue} in a placeholder`
      )
    )
  }
  if (dltText === null) return findings
  const problem = differsFrom(dltText, render(wordsOf(draft), values).text)
  return problem === null ? findings : [...findings, error("dltText", `the sent text ${problem}`)]
}

const lintMail = ({ content: { html, subject }, purpose }: TemplateDraft): ReadonlyArray<Finding> => {
  const findings: Array<Finding> = []
  if (subject !== null && subject.includes("\n")) findings.push(error("subject", "must be one line"))
  if (subject !== null && subject.length > longestSubject) {
    findings.push(error("subject", `is longer than ${longestSubject} characters`))
  }
  if (subject !== null && purpose === "LINK" && namesIn(subject).includes("link")) {
    findings.push(error("subject", "must not contain {{link}}: a link in a subject cannot be opened"))
  }
  if (html === null) return findings
  findings.push(...problemsOfHtml(html).map((problem) => error("html", problem)))
  if (loadsSomething(html)) {
    findings.push(
      warning("html", "loads remote content, which many mail programs block, and which reveals who opened the mail")
    )
  }
  if (html.length > cutAt) findings.push(warning("html", "is longer than 100 KB, so Gmail cuts off the rest"))
  return findings
}

const lintWhatsApp = ({ content, purpose }: TemplateDraft): ReadonlyArray<Finding> => {
  const { body, whatsappLanguage, whatsappName } = content
  const findings: Array<Finding> = []
  if (whatsappName !== null && !/^[a-z0-9_]{1,512}$/.test(whatsappName)) {
    findings.push(error("whatsappName", "must be 1 to 512 of a-z, 0-9 and _"))
  }
  if (whatsappLanguage !== null && !/^[a-z]{2,3}(_[A-Za-z]{2,4})?$/.test(whatsappLanguage)) {
    findings.push(error("whatsappLanguage", "must be a WhatsApp language such as en, en_US or hi"))
  }
  if (body === null) return findings
  if (body.length > longestWhatsAppBody) {
    findings.push(error("body", `is longer than ${longestWhatsAppBody} characters`))
  }
  if (purpose === "CODE") {
    return [...findings, warning("body", "is not sent: WhatsApp writes the text of templates for codes")]
  }
  if (/^\s*\{\{|\}\}\s*$/.test(body))
    findings.push(error("body", "must not begin or end with a placeholder on WhatsApp"))
  if (/\n{3}|\t| {4}/.test(body))
    findings.push(error("body", "must not have tabs, four spaces or two empty lines on WhatsApp"))
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
      findings.push(
        error(
          field,
          `${registered} is DLT's form of a placeholder; write {{code}} or another placeholder of Countersign there`
        )
      )
    }
    if (hasStrayBraces(text)) findings.push(error(field, "has {{ or }} outside a placeholder"))
  }
  findings.push(
    ...lint(wordsOf(draft)),
    ...(isKnownChannel(draft.channel) ? forChannel[draft.channel](draft, context) : [])
  )
  return findings.toSorted((a, b) => Number(a.severity === "warning") - Number(b.severity === "warning"))
}
