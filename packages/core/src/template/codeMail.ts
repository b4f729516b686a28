/**
 * A mail around a code. Tables and inline styles, because mail programs know little else; colours for light and dark;
 * wide enough for a desk and narrow enough for a phone. No images, nothing to load, nothing to track. A phone must not
 * take the code for a telephone number.
 */
export const codeMail = (words: {
  readonly language: string
  readonly lead: string
  readonly valid: string
  readonly warning: string
}): string => `<!doctype html>
<html lang="${words.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${words.lead}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #111418 !important; }
  .card { background: #1b2026 !important; }
  .strong { color: #f2f4f7 !important; }
  .soft { color: #aab2bd !important; }
  .code { background: #262d35 !important; color: #ffffff !important; }
}
@media (max-width: 480px) { .card { padding: 24px 20px !important; } .code { font-size: 28px !important; } }
@media (max-width: 320px) { .code { letter-spacing: 3px !important; padding-right: 13px !important; } }
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f4f6;">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f3f4f6;">
<tr><td align="center" style="padding:32px 12px;">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:440px;">
<tr><td class="card" style="background:#ffffff;border-radius:12px;padding:32px;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,'Noto Sans Devanagari',sans-serif;">
<p class="strong" style="margin:0 0 16px;font-size:18px;line-height:26px;color:#111827;font-weight:600;">${words.lead}</p>
<p class="code" style="margin:0 0 16px;padding:16px 10px 16px 16px;border-radius:8px;background:#f3f4f6;color:#111827;font-size:32px;line-height:40px;font-weight:700;letter-spacing:6px;white-space:nowrap;text-align:center;font-family:ui-monospace,Menlo,Consolas,monospace;">{{code}}</p>
<p class="soft" style="margin:0 0 16px;font-size:15px;line-height:22px;color:#4b5563;">${words.valid}</p>
<p class="soft" style="margin:0;font-size:13px;line-height:21px;color:#6b7280;">${words.warning}</p>
</td></tr>
</table>
</td></tr>
</table>
</body>
</html>
`
