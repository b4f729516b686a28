import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex } from "@noble/hashes/utils.js"
import { logoBytes, logoSize } from "./brandLogo.ts"
import type { Settings } from "./Settings.ts"

/** Names the content of a logo, so that its address can be cached for ever. */
export const logoHash = (logo: string): string => bytesToHex(sha256(logoBytes(logo))).slice(0, 32)

/** A logo as an e-mail shows it: by its public address, because mail clients remove `data:` URLs. */
export interface MailLogo {
  readonly url: string
  readonly width: number
  readonly height: number
}

const box = { width: 200, height: 40 }

/** The logo for an environment's e-mails. Null without a logo, or without a public URL to serve it from. */
export const mailLogo = (
  logos: string | null,
  environment: string,
  { brandLogo }: Pick<Settings, "brandLogo">
): MailLogo | null =>
  logos === null || brandLogo === null
    ? null
    : { url: `${logos}/${environment}/${logoHash(brandLogo)}.png`, ...logoSize(brandLogo, box) }
