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
 * Renders the frame of every e-mail: a card with a heading. It uses tables and inline styles, because many clients
 * support little else. It has colours for light and dark mode, and fits wide and narrow screens. It loads no images and
 * tracks nothing. Phones must not turn the digits into a telephone link.
 */
export const mailFrame = (
  { language, title }: { readonly language: string; readonly title: string },
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
  .page { background: #111418 !important; }
  .card { background: #1b2026 !important; }
  .strong { color: #f2f4f7 !important; }
  .soft { color: #aab2bd !important; }
  ${dark}
}
@media (max-width: 480px) { .card { padding: 24px 20px !important; } ${phone} }
@media (max-width: 320px) { ${smallPhone} }
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f4f6;">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f4f6;">
<tr><td align="center" style="padding:32px 12px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:440px;">
<tr><td class="card" style="background:#ffffff;border-radius:12px;padding:32px;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,'Noto Sans Devanagari',sans-serif;">
<p class="strong" style="margin:0 0 16px;font-size:18px;line-height:26px;color:#111827;font-weight:600;">${title}</p>
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
export const paragraph = (text: string): string => soft("font-size:15px;line-height:22px;color:#4b5563;", 16, text)

/** Renders secondary text. */
export const footnote = (text: string): string => soft("font-size:13px;line-height:21px;color:#6b7280;", 0, text)
