/** The program of the page. It makes elements and texts, never markup, so a message cannot become anything but text. */
export const script = String.raw`"use strict"
const pollEvery = 1000
const patience = 5000
const longText = 600

const apps = { SMS: "SMS", RCS: "RCS", WHATSAPP: "WhatsApp", EMAIL: "E-mail" }
const statuses = { PENDING: "Pending", SENT: "Sent", DELIVERED: "Delivered", READ: "Read", FAILED: "Failed" }

const find = (id) => document.getElementById(id)
const [state, recipients, clear, screen, list, empty, news, newer, clock] =
  ["state", "recipients", "clear", "screen", "messages", "empty", "news", "newer", "clock"].map(find)

/** The chosen recipient, or empty for all. */
let only = ""

/** The keys of cleared messages, for this tab. The server still has them. */
const clearedName = "countersign.outbox.cleared"
let cleared = new Set(JSON.parse(sessionStorage.getItem(clearedName) || "[]"))

/** What is on the page, oldest first, by key. It outlives the server: a phone keeps its messages too. */
const kept = new Map()
let loaded = false
let timer = 0

const keyOf = (message) => message.channel + " " + message.id + " " + message.at
const time = (iso) => new Date(iso).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" })

const element = (name, className, ...children) => {
  const made = document.createElement(name)
  if (className) made.className = className
  made.append(...children)
  return made
}

const icon = (name) => {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use")
  svg.setAttribute("aria-hidden", "true")
  use.setAttribute("href", "#icon-" + name)
  svg.append(use)
  return svg
}

/** A text with something set apart, wherever it stands. */
const withMark = (text, mark, make) => {
  if (!mark) return [text]
  return text.split(mark).flatMap((part, n) => (n === 0 ? [part] : [make(mark), part]))
}

/** Only what leads to a page is made a link: a message may say anything. */
const isPage = (url) => /^https?:[/][/]/.test(url || "")

const anchor = (className, url, ...children) => {
  const link = element("a", className, ...children)
  link.href = url
  link.target = "_blank"
  link.rel = "noopener noreferrer"
  return link
}

const marked = (text, { code, url }) =>
  isPage(url)
    ? withMark(text, url, (mark) => anchor("", mark, mark))
    : withMark(text, code, (mark) => element("strong", "code", mark))

const say = (text) => {
  news.textContent = ""
  requestAnimationFrame(() => (news.textContent = text))
}

const toClipboard = async (text) => {
  // Only there on localhost and over HTTPS; a phone in the same network has neither.
  if (navigator.clipboard) return navigator.clipboard.writeText(text)
  const field = element("textarea", "unseen")
  field.value = text
  document.body.append(field)
  field.select()
  const done = document.execCommand("copy")
  field.remove()
  if (!done) throw new Error("not copied")
}

const copyButton = (code) => {
  const label = element("span", "", "Copy code")
  const button = element("button", "copy", icon("copy"), label)
  button.type = "button"
  button.setAttribute("aria-label", "Copy code " + code)
  button.addEventListener("click", async () => {
    const done = await toClipboard(code).then(() => true, () => false)
    label.textContent = done ? "Copied" : "Copy it manually"
    say(done ? "Code copied" : "The browser blocked copying")
    setTimeout(() => (label.textContent = "Copy code"), 2000)
  })
  return button
}

const openButton = (url) => anchor("copy", url, icon("open"), "Open link")

const body = (message) => {
  const text = element("p", "text", ...marked(message.text, message))
  text.dir = "auto"
  if (message.text.length <= longText) return [text]
  text.classList.add("cut")
  const more = element("button", "more", "Show all")
  more.type = "button"
  more.setAttribute("aria-expanded", "false")
  more.addEventListener("click", () => {
    const cut = text.classList.toggle("cut")
    more.textContent = cut ? "Show all" : "Show less"
    more.setAttribute("aria-expanded", String(!cut))
  })
  return [text, more]
}

const foot = (message) => {
  const at = element("time", "", time(message.at))
  at.dateTime = message.at
  at.title = new Date(message.at).toLocaleString()
  return element("p", "foot", at, element("span", "status"))
}

const showStatus = (entry) => {
  const { item, message } = entry
  item.dataset.status = message.status
  const mark = message.status === "READ" ? "DELIVERED" : message.status
  const known = statuses[message.status]
  item.querySelector(".status").replaceChildren(...(known ? [icon(mark), known] : []))
}

const build = (message) => {
  const copy = isPage(message.url) ? [openButton(message.url)] : message.code ? [copyButton(message.code)] : []
  const bubble = element("div", "bubble")
  if (message.channel === "EMAIL") {
    const subject = element("h3", "subject", ...withMark(message.subject || "(no subject)", message.code, (mark) => element("strong", "code", mark)))
    subject.dir = "auto"
    bubble.append(subject, ...body(message), ...copy, foot(message))
  } else if (message.channel === "WHATSAPP") bubble.append(...body(message), foot(message), ...copy)
  else bubble.append(...body(message))
  const found = element("a", "found", "Verification")
  found.href = "/dashboard/live/verifications?" + new URLSearchParams({ find: message.to, as: "identity" })
  found.setAttribute("aria-label", "Verification of " + message.to)
  const head = element("h2", "head", icon(apps[message.channel] ? message.channel : "SMS"))
  head.append(element("span", "app", apps[message.channel] || message.channel), element("span", "to", message.to))
  bubble.querySelector(".foot")?.append(found)
  const item = element("li", "message", head, bubble)
  if (bubble.querySelector(".foot") === null) {
    const below = foot(message)
    below.append(found)
    item.append(element("div", "under", ...copy, below))
  }
  item.dataset.channel = message.channel
  return item
}

/** Consecutive messages of one app to one person share a heading. */
const arrange = () => {
  let before = ""
  let shown = 0
  for (const [key, { item, message }] of kept) {
    item.hidden = cleared.has(key) || (only !== "" && message.to !== only)
    if (item.hidden) continue
    const thread = message.channel + " " + message.to
    item.classList.toggle("follows", thread === before)
    before = thread
    shown++
  }
  empty.hidden = shown > 0
  const isCleared = shown === 0 && [...kept.keys()].some((key) => cleared.has(key))
  clear.hidden = shown === 0 && !isCleared
  clear.textContent = isCleared ? "Show cleared" : "Clear"
}

/** Hides the messages so far, or shows them again when no other is left. */
const clearOrShow = () => {
  cleared = clear.textContent === "Clear" ? new Set(kept.keys()) : new Set()
  only = ""
  sessionStorage.setItem(clearedName, JSON.stringify([...cleared]))
  listRecipients()
  arrange()
  newer.hidden = true
  toEnd("instant")
  say(cleared.size > 0 ? "Cleared" : "All messages are shown")
}

const choose = (to) => {
  only = to
  for (const chip of recipients.children) chip.setAttribute("aria-pressed", String(chip.value === only))
  arrange()
  newer.hidden = true
  toEnd("instant")
}

const chip = (to) => {
  const made = element("button", "chip", to || "All")
  made.type = "button"
  made.value = to
  made.setAttribute("aria-pressed", String(to === only))
  made.addEventListener("click", () => choose(to))
  return made
}

/** One chip for each recipient, once there are two. Known chips stay, so the focus does too. */
const listRecipients = () => {
  const shown = [...kept].filter(([key]) => !cleared.has(key)).map(([, { message }]) => message.to)
  const everyone = [...new Set(shown)].sort()
  const wanted = everyone.length > 1 ? ["", ...everyone] : []
  if (!wanted.includes(only)) only = ""
  const chips = new Map([...recipients.children].map((made) => [made.value, made]))
  for (const [to, made] of chips) if (!wanted.includes(to)) made.remove()
  wanted.forEach((to, n) => {
    const made = chips.get(to) || chip(to)
    made.setAttribute("aria-pressed", String(to === only))
    if (recipients.children[n] !== made) recipients.insertBefore(made, recipients.children[n] || null)
  })
}

const isAtEnd = () => screen.scrollHeight - screen.scrollTop - screen.clientHeight < 80
const toEnd = (behavior) => screen.scrollTo({ top: screen.scrollHeight, behavior })

const show = (items) => {
  const wasAtEnd = isAtEnd()
  const fresh = []
  for (const message of [...items].reverse()) {
    const known = kept.get(keyOf(message))
    if (known === undefined) {
      const entry = { message, item: build(message) }
      kept.set(keyOf(message), entry)
      showStatus(entry)
      fresh.push(entry)
    } else if (known.message.status !== message.status) {
      known.message = message
      showStatus(known)
    }
  }
  if (fresh.length > 0) {
    const ordered = [...kept].sort(([, a], [, b]) => (a.message.at < b.message.at ? -1 : a.message.at > b.message.at ? 1 : 0))
    kept.clear()
    ordered.forEach(([key, entry], n) => {
      if (n < ordered.length - 200) return entry.item.remove()
      kept.set(key, entry)
      if (list.children[kept.size - 1] !== entry.item) list.insertBefore(entry.item, list.children[kept.size - 1] || null)
    })
    listRecipients()
  }
  arrange()
  const seen = fresh.filter(({ item }) => !item.hidden)
  if (loaded && seen.length > 0) {
    const { message } = seen[seen.length - 1]
    for (const { item } of seen) item.classList.add("arrives")
    say("New " + (apps[message.channel] || message.channel) + " to " + message.to + ": " + (message.subject || message.text))
  }
  if (!loaded) toEnd("instant")
  else if (seen.length > 0 && wasAtEnd) toEnd("smooth")
  else if (seen.length > 0) newer.hidden = false
  loaded = true
}

const setState = (name, text) => {
  if (state.dataset.state === name) return
  state.dataset.state = name
  state.textContent = text
}

const tick = () => (clock.textContent = new Date().toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" }))

const poll = async () => {
  clearTimeout(timer)
  timer = 0
  if (document.hidden) return
  tick()
  try {
    const headers = { accept: "application/json" }
    const answer = await fetch("outbox", { headers, cache: "no-store", signal: AbortSignal.timeout(patience) })
    if (!answer.ok) throw new Error("answered " + answer.status)
    show((await answer.json()).items)
    setState("live", "Connected")
  } catch {
    setState("lost", "The server is not responding. Start it: this page retries every second.")
  }
  clearTimeout(timer)
  timer = setTimeout(poll, pollEvery)
}

clear.addEventListener("click", clearOrShow)
newer.addEventListener("click", () => {
  newer.hidden = true
  toEnd("smooth")
  screen.focus({ preventScroll: true })
})
screen.addEventListener("scroll", () => {
  if (isAtEnd()) newer.hidden = true
})
// Nobody looks at a hidden tab; on the way back it asks at once.
document.addEventListener("visibilitychange", () => {
  if (!document.hidden) void poll()
})
void poll()
`
