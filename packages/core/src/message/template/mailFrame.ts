import type { MailLogo } from "../../account/merchant/logoAddress.ts"
import type { MailLook } from "./MailLook.ts"

/** The variable part of an e-mail, and its own style. */
export interface MailPart {
  /** Elements below the heading. Their classes are `strong`, `soft` and the part's own. */
  readonly html: string
  /** Rules for dark screens. */
  readonly dark: string
  /** Rules for phones. */
  readonly phone?: string
  /** Rules for the smallest phones. */
  readonly smallPhone?: string
}

/**
 * The logo, on white in both modes, because most logos are drawn for white. Outlook reads only the attributes for the
 * size. The alternative text is the brand, for clients that load no images.
 */
const picture = ({ height, url, width }: MailLogo) =>
  `<p style="margin:0 0 20px;"><img src="${url}" alt="{{brand}}" width="${width}" height="${height}" class="logo" style="display:inline-block;border:0;background:#ffffff;color:#14201e;font-size:16px;"></p>
`

/**
 * Renders the frame of every e-mail: a card with the logo and a heading. It uses tables and inline styles, because many
 * clients support little else. It has colours for light and dark mode, and fits wide and narrow screens. It loads no
 * image except the merchant's logo, which is the same for all recipients, so it tracks nobody. Phones must not turn the
 * digits into a telephone link.
 */
export const mailFrame = (
  {
    language,
    look: { colours, logo },
    title
  }: { readonly language: string; readonly title: string; readonly look: MailLook },
  { dark, html, phone = "", smallPhone = "" }: MailPart
): string => `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${title}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #0d1413 !important; }
  .card { background: #161f1d !important; border-top-color: ${colours.dark.text} !important; }
  .logo { padding: 6px !important; border-radius: 8px !important; }
  .strong { color: #e9f0ee !important; }
  .soft { color: #9fb0ac !important; }
  ${dark}
}
@media (max-width: 480px) { .card { padding: 24px 20px !important; } ${phone} }
@media (max-width: 320px) { ${smallPhone} }
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f5f4;">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f5f4;">
<tr><td align="center" style="padding:32px 12px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:440px;">
<tr><td class="card" style="background:#ffffff;border-top:4px solid ${colours.light.text};border-radius:12px;padding:32px;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,'Noto Sans Devanagari',sans-serif;">
${logo === null ? "" : picture(logo)}<p class="strong" style="margin:0 0 16px;font-size:18px;line-height:26px;color:#14201e;font-weight:600;">${title}</p>
${html}
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`

const soft = (size: string, bottom: number, text: string) =>
  `<p class="soft" style="margin:0 0 ${bottom}px;${size}">${text}</p>`

/** Renders primary text. */
export const paragraph = (text: string): string => soft("font-size:15px;line-height:22px;color:#566461;", 16, text)

/** Renders secondary text. */
export const footnote = (text: string): string => soft("font-size:13px;line-height:21px;color:#5c6a67;", 0, text)
