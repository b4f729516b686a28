import { favicon } from "@countersign/http"

/** Icons by name, drawn on a square of 24. */
const icons: { readonly [name: string]: string } = {
  SMS: `<path d="M4 4h16a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H9l-5 4v-4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Z"/>`,
  RCS: `<path d="M12 2 4 5v6c0 5 3.4 9.3 8 11 4.6-1.7 8-6 8-11V5l-8-3Zm-1.2 13.6L7.4 12.2l1.4-1.4 2 2 4.6-4.6 1.4 1.4-6 6Z"/>`,
  WHATSAPP: `<path d="M12 2a10 10 0 0 0-8.6 15L2 22l5.2-1.4A10 10 0 1 0 12 2Zm4.9 13.9c-.2.6-1.2 1.2-1.7 1.2-.4 0-1 .2-3.4-.7-2.9-1.2-4.7-4.1-4.8-4.3-.2-.2-1.2-1.5-1.2-2.9s.7-2.1 1-2.4c.3-.3.6-.3.8-.3h.5c.2 0 .4 0 .6.5l.8 2c.1.2 0 .4-.1.5l-.6.7c-.1.2-.2.3 0 .6.2.3.7 1.2 1.6 1.9 1.1 1 2 1.3 2.3 1.4.2.1.4.1.6-.1l.8-1c.2-.3.4-.2.7-.1l1.9.9c.3.1.5.2.5.3.1.2.1.7-.3 1.8Z"/>`,
  EMAIL: `<path d="M3 5h18a1 1 0 0 1 1 1v.6l-10 6-10-6V6a1 1 0 0 1 1-1Zm19 4v9a1 1 0 0 1-1 1H3a1 1 0 0 1-1-1V9l10 6 10-6Z"/>`,
  copy: `<path d="M8 3h11a2 2 0 0 1 2 2v11h-2V5H8V3ZM5 7h9a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V9c0-1.1.9-2 2-2Zm0 2v10h9V9H5Z"/>`,
  open: `<path d="M14 3h7v7h-2V6.4l-8.3 8.3-1.4-1.4L17.6 5H14V3ZM5 5h6v2H5v12h12v-6h2v6a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7c0-1.1.9-2 2-2Z"/>`,
  SENT: `<path d="m9.5 18-6-6L5 10.5l4.5 4.5L19 5.5 20.5 7 9.5 18Z"/>`,
  DELIVERED: `<path d="m7 18-6-6 1.5-1.5L7 15l9.5-9.5L18 7 7 18Zm5.5 0-2-2L12 14.5l.5.5L22 5.5 23.5 7l-11 11Z"/>`,
  FAILED: `<path d="M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Zm1 15h-2v-2h2v2Zm0-4h-2V7h2v6Z"/>`
}

const sprite = Object.entries(icons)
  .map(([name, path]) => `<symbol id="icon-${name}" viewBox="0 0 24 24">${path}</symbol>`)
  .join("")

/** The page at `/dev/outbox`, before any message is in it. */
export const markup = (options: { readonly demo: boolean }): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Outbox – Countersign</title>
<link rel="icon" href="${favicon()}">
<link rel="stylesheet" href="outbox.css">
<script src="outbox.js" defer></script>
</head>
<body>
<svg class="sprite" aria-hidden="true">${sprite}</svg>
<div class="stage">
<header class="about">
<h1>Outbox</h1>
<p class="lead">Messages that this server would have sent. They stop here and never reach a phone or a mailbox.</p>
<p id="state" class="state" role="status" data-state="waiting">Connecting</p>
<div class="filter" role="group" aria-label="Recipients" id="recipients"></div>
<button id="clear" class="clear" type="button" hidden>Clear</button>
<nav aria-label="Links">${options.demo ? `<a href="/demo">Try the login demo</a>` : ""}<a href="/docs">API reference</a></nav>
</header>
<main class="phone">
<div class="bar" aria-hidden="true"><span id="clock"></span><span class="pill"></span><span class="battery"></span></div>
<div class="screen" id="screen" role="region" aria-label="Messages" tabindex="0">
<ol id="messages"></ol>
<div id="empty" class="empty" hidden>
<svg aria-hidden="true"><use href="#icon-SMS"></use></svg>
<h2>No messages yet</h2>
<p id="how">${
  options.demo
    ? `<a href="/demo">Try the login demo</a>, or call <code>POST /v1/auth/initiate</code> with the live keys that the server printed at its first start.`
    : `Call <code>POST /v1/auth/initiate</code> with the live keys that the server printed at its first start.`
}</p>
<p>Test environments send nothing, so their codes do not appear here: they are always 123456.</p>
</div>
</div>
<button id="newer" class="newer" type="button" hidden>New messages</button>
</main>
</div>
<div id="news" class="unseen" aria-live="polite"></div>
<noscript><p class="noscript">This page needs JavaScript. Without it: <code>curl http://localhost:8080/dev/outbox</code></p></noscript>
</body>
</html>
`
