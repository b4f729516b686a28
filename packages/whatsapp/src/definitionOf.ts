import type { NewProviderTemplate } from "@countersign/core/channel"

const shortestTtl = 30
/** How long Meta lets a message wait, in seconds. */
const longestTtl = { CODE: 900, LINK: 43_200, MESSAGE: 43_200 } as const

const within = (least: number, most: number, value: number) => Math.min(Math.max(Math.floor(value), least), most)

/** Meta writes the words of a template for codes, in each language, and a button copies the code. */
const codeParts = ({ validForSeconds }: NewProviderTemplate) => [
  { type: "BODY", add_security_recommendation: true },
  { type: "FOOTER", code_expiration_minutes: within(1, 90, validForSeconds / 60) },
  { type: "BUTTONS", buttons: [{ type: "OTP", otp_type: "COPY_CODE", text: "Copy code" }] }
]

const words: { readonly [language: string]: string } = { en: "Continue", hi: "जारी रखें" }

const otherParts = ({ body, examples, language, linkBase }: NewProviderTemplate) => [
  { type: "BODY", text: body ?? "", ...(examples.length === 0 ? {} : { example: { body_text: [examples] } }) },
  ...(linkBase === null
    ? []
    : [
        {
          type: "BUTTONS",
          buttons: [
            {
              type: "URL",
              text: words[language.split("_")[0]!] ?? words["en"],
              url: `${linkBase}/{{1}}`,
              example: [`${linkBase}/sample`]
            }
          ]
        }
      ])
]

/** A template as Meta wants it. What arrives later than it is of use is dropped. */
export const definitionOf = (template: NewProviderTemplate) => {
  const { language, name, purpose, validForSeconds } = template
  const expires = purpose !== "MESSAGE"
  return {
    name,
    language,
    category: purpose === "CODE" ? "AUTHENTICATION" : purpose === "LINK" ? "UTILITY" : "MARKETING",
    ...(expires ? { message_send_ttl_seconds: within(shortestTtl, longestTtl[purpose], validForSeconds) } : {}),
    components: purpose === "CODE" ? codeParts(template) : otherParts(template)
  }
}
