import { createHash } from "node:crypto"

/**
 * Shows the HTML that the page around it posts, again with each message. The document is the sandbox's: no script but
 * this one runs in it. What makes a browser connect somewhere without loading anything (`link`), or go somewhere (`meta`),
 * is taken out first, because no policy speaks of it.
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
    // Links of a preview lead nowhere, and least of all away from it.
    for (const event of ["click", "auxclick", "submit"]) addEventListener(event, (each) => each.preventDefault(), true)
    listen()
  }
  listen()
}`

/** For the `script-src` of the page's policy. */
export const scriptHash: string = createHash("sha256").update(script).digest("base64")

/** The page at `/dashboard/mail`: empty until the page that frames it posts a string of HTML. */
export const mailPage = `<!doctype html><html lang="en"><meta charset="utf-8"><title>E-mail preview</title><script>${script}</script></html>`
