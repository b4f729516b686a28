import { useLayoutEffect, useRef } from "preact/hooks"

/** Renders HTML in a sandboxed document without cookies or network access. */
export function MailFrame({ html, title }: { readonly html: string; readonly title: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  // The sandbox has an opaque origin, so postMessage needs "*". The page there shows only what it receives.
  const isThere = useRef(false)
  const post = () => frame.current?.contentWindow?.postMessage(html, "*")
  useLayoutEffect(post, [html])
  // Each posted document fires `load` again, so post only once.
  const begin = () => {
    if (isThere.current) return
    isThere.current = true
    post()
  }
  return <iframe ref={frame} class="mail" src="/dashboard/mail" sandbox="allow-scripts" title={title} onLoad={begin} />
}
