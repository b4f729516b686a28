import type { Settings } from "../../account/merchant/Settings.ts"
import { namesIn, type Values } from "./Placeholder.ts"
import type { TemplateDraft } from "./TemplateDraft.ts"

/** As long as a real code but never valid: real codes have only digits. */
export const sampleCode = (length: number): string => "X".repeat(length)

/** As long as a real token but never valid: no key produces it. */
export const sampleToken = `sample.${"0".repeat(26)}.${"x".repeat(26)}`

const sampleBase = "https://verify.example.com/l"

/** Sample values for previews. They cannot verify anything. */
export const sampleValues = (
  { content, purpose }: Pick<TemplateDraft, "content" | "purpose">,
  { appHash, brand, codeExpirySeconds, codeLength, domain }: Settings,
  base: string | null = null
): Values & { readonly [name: string]: string } => {
  // A preview does not know a campaign's columns, so each shows its name.
  const columns =
    purpose === "MESSAGE"
      ? Object.fromEntries(
          [content.subject, content.body, content.html]
            .flatMap((text) => namesIn(text ?? ""))
            .map((name) => [name, name])
        )
      : {}
  return {
    ...columns,
    code: sampleCode(codeLength),
    link: `${base ?? sampleBase}/${sampleToken}`,
    minutes: String(Math.max(1, Math.round(codeExpirySeconds / 60))),
    brand,
    appHash: appHash ?? "",
    domain: domain ?? ""
  }
}
