import { createHash } from "node:crypto"

/**
 * Renders the HTML that the parent page posts, again with each message. The document is sandboxed: no other script runs in
 * it. Elements that connect (`link`) or navigate (`meta`) are removed first, because no policy covers them.
 */
const script = `"use strict"
{
  const own = location.origin
  const listen = () => addEventListener("message", show)
  const show = (event) => {
    if (parent === window || event.source !== parent || event.origin !== own || typeof event.data !== "string") return
    const mail = new DOMParser().parseFromString(event.data, "text/html")
    for (const each of mail.querySelectorAll("base, link, meta, script, iframe, frame, object, embed")) each.remove()
    for (const each of mail.querySelectorAll("noscript")) each.replaceWith(...each.childNodes)
    document.open()
    document.write("<!doctype html>" + mail.documentElement.outerHTML)
    document.close()
    // Links in a preview must not navigate.
    for (const event of ["click", "auxclick", "submit"]) addEventListener(event, (each) => each.preventDefault(), true)
    listen()
  }
  listen()
}`

/** The hash for `script-src` in the page's policy. */
export const scriptHash: string = createHash("sha256").update(script).digest("base64")

/** The page at `/dashboard/mail`. It stays empty until its parent page posts HTML. */
export const mailPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>E-mail preview</title><script>${script}</script></html>`
