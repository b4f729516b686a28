import * as Problem from "../../foundation/identity/Problem.ts"
import { namesIn, notColumnsIn, unknownIn, type Values } from "./Placeholder.ts"
import { measure, outsideGsm } from "./SmsText.ts"
import { render, type Template } from "./Template.ts"

/** A finding for the template's author. An `error` prevents the template's use. */
export interface Finding extends Problem.Worded {
  readonly severity: "error" | "warning"
  readonly field:
    | "subject"
    | "body"
    | "html"
    | "dltText"
    | "dltTemplateId"
    | "header"
    | "whatsappName"
    | "whatsappLanguage"
}

/** Sample values to measure a template with: the longest code, an average brand and URL. */
const sample: Values = {
  code: "12345678",
  link: `https://verify.example.com/l/${"0".repeat(71)}`,
  minutes: "15",
  brand: "Example Shop",
  appHash: "AbCdEfGhIjK",
  domain: "example.com"
}

const retrieverBytes = 140
const longestSms = 1600
const encoder = new TextEncoder()

const finding = (severity: Finding["severity"], field: Finding["field"], problem: Problem.Problem): Finding => ({
  severity,
  field,
  ...problem
})

/** The required placeholder of each purpose, and the forbidden one, which would stay empty. */
const places = {
  CODE: { has: "code", not: "link" },
  LINK: { has: "link", not: "code" },
  MESSAGE: { has: null, not: null }
} as const

/** Link detection includes adjacent text, so only white space may surround a link. */
const standsAlone = (body: string) => !/\S\{\{\s*link\s*\}\}|\{\{\s*link\s*\}\}\S/.test(body)

const lastLine = (text: string) => text.slice(text.lastIndexOf("\n") + 1)

const lintSms = (template: Template): ReadonlyArray<Finding> => {
  const { text } = render(template, sample)
  const names = namesIn(template.body)
  const { encoding, segments } = measure(text)
  const findings: Array<Finding> = []
  if (text.length > longestSms) findings.push(finding("error", "body", Problem.of("OVER", { max: longestSms })))
  if (segments > 1) {
    const letters = encoding === "UCS-2" ? outsideGsm(text).slice(0, 5).join(" ") : ""
    findings.push(finding("warning", "body", Problem.of("SMS_SEGMENTS", { encoding, letters, segments })))
  }
  if (names.includes("domain") && lastLine(text) !== `@${sample.domain} #${sample.code}`) {
    findings.push(finding("error", "body", Problem.of("SMS_DOMAIN_LINE")))
  }
  if (names.includes("appHash")) {
    if (!text.endsWith(sample.appHash)) {
      findings.push(finding("error", "body", Problem.of("SMS_APP_HASH")))
    }
    if (encoder.encode(text).length > retrieverBytes) {
      findings.push(finding("warning", "body", Problem.of("SMS_APP_BYTES", { max: retrieverBytes })))
    }
  }
  return findings
}

/** Returns all findings about a template. */
export const lint = (template: Template): ReadonlyArray<Finding> => {
  const texts = [
    ["subject", template.subject],
    ["body", template.body],
    ["html", template.html]
  ] as const
  const { has, not } = places[template.purpose]
  const isMessage = template.purpose === "MESSAGE"
  // On WhatsApp, a button holds the link, or WhatsApp stores the text.
  const needed = template.channel === "WHATSAPP" ? null : has
  const findings: Array<Finding> = []
  for (const [field, text] of texts) {
    if (text === null) continue
    const names = namesIn(text)
    for (const name of isMessage ? notColumnsIn(text) : unknownIn(text))
      findings.push(finding("error", field, Problem.of("PLACEHOLDER_UNKNOWN", { name })))
    if (field !== "subject" && needed !== null && !names.includes(needed))
      findings.push(finding("error", field, Problem.of("PLACEHOLDER_NEEDED", { name: needed })))
    if (not !== null && names.includes(not))
      findings.push(finding("error", field, Problem.of("PLACEHOLDER_FORBIDDEN", { name: not })))
  }
  if (!standsAlone(template.body)) findings.push(finding("error", "body", Problem.of("LINK_APART")))
  return template.channel === "SMS" ? [...findings, ...lintSms(template)] : findings
}
