import type { NewProviderTemplate } from "@countersign/core/channel"

const shortestTtl = 30
/** Meta's longest time to live of a message, in seconds. */
const longestTtl = { CODE: 900, LINK: 43_200, MESSAGE: 43_200 } as const

const within = (least: number, most: number, value: number) => Math.min(Math.max(Math.floor(value), least), most)

/** Meta provides the text of code templates in each language. A button copies the code. */
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

/** A template in Meta's format. Its time to live makes Meta drop messages that would arrive too late. */
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
