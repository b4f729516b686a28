import type { Inline } from "./Site.ts"

const hashes = (all: ReadonlyArray<string>) => all.map((hash) => ` 'sha256-${hash}'`).join("")

/**
 * The page may only run, show and request what this server serves: its files, and the scripts and styles that the build
 * put into the HTML, by their hashes. Text can never become markup or script, because the
 * only Trusted Types policy makes no markup, no script and one address.
 */
const page = ({ scripts, styles }: Inline) =>
  [
    "default-src 'none'",
    `script-src 'self'${hashes(scripts)}`,
    `style-src 'self'${hashes(styles)}`,
    "img-src 'self' data: blob:",
    "connect-src 'self'",
    "font-src 'self'",
    "manifest-src 'self'",
    "frame-src 'self'",
    "media-src blob:",
    // A tab with a customer's PDF inherits this policy, and browsers show a PDF as an embedded object.
    "object-src blob:",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The one policy that the page has names the worker that shows push notifications, and accepts no other text.
    "trusted-types countersign-worker"
  ].join("; ")

/** The worker loads and requests nothing. A sandbox would take its origin away. */
const worker = "default-src 'none'; frame-ancestors 'none'"

/** A file opened directly, such as an SVG, must not run or load anything. */
export const asset = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"

/**
 * For previews of e-mail templates. The sandbox gives the document its own origin, without cookies and storage. Only our
 * script runs, and images must be embedded.
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

/** Allows passkeys, the clipboard and full screen, and no other permission. */
const permissions = [
  "publickey-credentials-get=(self)",
  "publickey-credentials-create=(self)",
  "clipboard-write=(self)",
  // For videos.
  "fullscreen=(self)",
  ...[
    "accelerometer",
    "autoplay",
    "camera",
    "clipboard-read",
    "display-capture",
    "encrypted-media",
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
  readonly page: (inline: Inline) => Headers
  readonly asset: Headers
  readonly worker: Headers
  readonly mail: (scriptHash: string) => Headers
}

/**
 * The headers of each kind of answer. HSTS is sent only when the public URL is https. Browsers ignore it over plain HTTP,
 * and on a local server it would lock the owner out.
 */
export const policiesFor = (publicUrl: string): Policies => {
  const transport: Headers =
    new URL(publicUrl).protocol === "https:" ? { "strict-transport-security": "max-age=31536000" } : {}
  const common = { ...everywhere, ...transport }
  return {
    page: (inline) => ({ ...common, "content-security-policy": page(inline), "permissions-policy": permissions }),
    asset: { ...common, "content-security-policy": asset },
    worker: { ...common, "content-security-policy": worker },
    mail: (scriptHash) => ({
      ...common,
      "content-security-policy": mail(scriptHash),
      "permissions-policy": permissions,
      // Browsers must not resolve the hosts of a template's links before a click.
      "x-dns-prefetch-control": "off"
    })
  }
}
