/**
 * What the page may do: run, show and ask what this server serves, and nothing else. Text can never become markup or a
 * program, because there is no Trusted Types policy that could make it so.
 */
const page = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "font-src 'self'",
  "manifest-src 'self'",
  "frame-src 'self'",
  "media-src 'self' blob:",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join("; ")

/** A file that somebody opens by itself, a picture in SVG above all, runs and loads nothing. */
export const asset = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

/**
 * E-mail as a template made it. The sandbox gives the document an origin of its own, so it has no cookies and no
 * storage; the one script is ours; and what it could load is in it already.
 */
const mail = (script: string) =>
  [
    "sandbox allow-scripts",
    "default-src 'none'",
    `script-src 'sha256-${script}'`,
    "style-src 'unsafe-inline'",
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'self'"
  ].join("; ")

/** Passkeys and the clipboard, and nothing else that a browser would ask a person for. */
const permissions = [
  "publickey-credentials-get=(self)",
  "publickey-credentials-create=(self)",
  "clipboard-write=(self)",
  ...[
    "accelerometer",
    "autoplay",
    "camera",
    "clipboard-read",
    "display-capture",
    "encrypted-media",
    "fullscreen",
    "geolocation",
    "gyroscope",
    "hid",
    "identity-credentials-get",
    "idle-detection",
    "local-fonts",
    "magnetometer",
    "microphone",
    "midi",
    "otp-credentials",
    "payment",
    "picture-in-picture",
    "screen-wake-lock",
    "serial",
    "storage-access",
    "usb",
    "window-management",
    "xr-spatial-tracking"
  ].map((feature) => `${feature}=()`)
].join(", ")

export const everywhere = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin"
}

type Headers = { readonly [name: string]: string }

export interface Policies {
  readonly page: Headers
  readonly asset: Headers
  readonly mail: (scriptHash: string) => Headers
}

/**
 * The headers of each kind of answer. A browser is told to come by HTTPS alone only where people come by HTTPS: told so
 * over a plain connection it would not listen, and told so by a server at home it would lock its owner out.
 */
export const policiesFor = (publicUrl: string): Policies => {
  const transport: Headers =
    new URL(publicUrl).protocol === "https:" ? { "strict-transport-security": "max-age=31536000" } : {}
  const common = { ...everywhere, ...transport }
  return {
    page: { ...common, "content-security-policy": page, "permissions-policy": permissions },
    asset: { ...common, "content-security-policy": asset },
    mail: (scriptHash) => ({
      ...common,
      "content-security-policy": mail(scriptHash),
      "permissions-policy": permissions,
      // Host names in a template's links are nobody's to look up before a person clicks.
      "x-dns-prefetch-control": "off"
    })
  }
}
