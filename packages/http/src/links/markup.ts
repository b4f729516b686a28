import type { BrandLook, LinkView } from "@countersign/core"
import { favicon } from "../favicon.ts"
import { script } from "./script.ts"
import { styles, tints } from "./styles.ts"
import { type Language, words } from "./words.ts"

const escape = (text: string): string => text.replace(/[&<>"']/g, (c) => `&#${c.charCodeAt(0)};`)

const longest = 80

/** A merchant's text without control characters, cut to a length that fits the page. */
const plain = (text: string): string => {
  const shown = Array.from(
    text.replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, " ").trim()
  )
  return shown.length > longest ? `${shown.slice(0, longest - 1).join("")}…` : shown.join("")
}

/** A merchant's text as markup, isolated so that right-to-left text does not affect the text around it. */
const foreign = (text: string): string => `<bdi>${escape(plain(text))}</bdi>`

const icon = (kind: string, path: string) =>
  `<div class="mark ${kind}" aria-hidden="true"><svg viewBox="0 0 24 24"><path d="${path}"/></svg></div>`

const icons = {
  good: icon("good", "M5 12.5l4.5 4.5L19 7.5"),
  bad: icon("bad", "M7 7l10 10M17 7L7 17"),
  quiet: icon("quiet", "M9 17H7A5 5 0 0 1 7 7h2M15 7h2a5 5 0 0 1 0 10h-2M10 12h4")
}

const initial = (brand: string) => {
  const [first] = new Intl.Segmenter().segment(brand)
  return `<div class="mark" aria-hidden="true">${escape(first?.segment.toUpperCase() ?? "")}</div>`
}

/** How a page looks. The dashboard previews pages with this file, so it imports only types. */
export interface LinkLook {
  readonly colours: BrandLook
  /** `source` is a `data:` URL, so that the page loads nothing. */
  readonly logo: { readonly source: string; readonly width: number; readonly height: number } | null
}

/** The box of the logo. */
export const logoBox = { width: 240, height: 56 }

/** The merchant's logo, or the first letter of its brand. The heading names the brand. */
const mark = (brand: string, logo: LinkLook["logo"]) =>
  logo === null
    ? initial(brand)
    : `<img class="logo" src="${escape(logo.source)}" alt="" width="${logo.width}" height="${logo.height}">`

/** A page, and the text of its second style. The policy names both styles by their hashes. */
export interface LinkPage {
  readonly html: string
  readonly tints: string
}

/** `title` is plain text, `content` markup. */
const page = (language: Language, { colours }: LinkLook, title: string, content: string): LinkPage => ({
  tints: tints(colours),
  html: `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="robots" content="noindex,nofollow"><meta name="format-detection" content="telephone=no"><title>${escape(title)}</title><link rel="icon" href="${favicon(colours.light)}"><style>${styles}</style><style>${tints(colours)}</style></head><body><main>${content}</main><script>${script}</script></body></html>`
})

const ago = (language: Language, seconds: number): string => {
  const minutes = Math.floor(seconds / 60)
  if (minutes === 0) return words[language].now
  const format = new Intl.RelativeTimeFormat(language, { numeric: "always" })
  return minutes < 60 ? format.format(-minutes, "minute") : format.format(-Math.floor(minutes / 60), "hour")
}

const fact = (name: string, value: string | null) =>
  value === null ? "" : `<div><dt>${name}</dt><dd>${value}</dd></div>`

/** The URL that a link's page posts to, and the host shown for a merchant without a name. */
export interface LinkForm {
  readonly action: string
  readonly host: string
}

/** The page that shows what a link approves, with its buttons. */
export const confirmation = (
  language: Language,
  look: LinkLook,
  { action, host }: LinkForm,
  token: string,
  view: Omit<LinkView, "brandColor" | "brandLogo">
): LinkPage => {
  const { account, approve, asked, caution, device, leave, noNumber, notMine, place, question, title, whichNumber } =
    words[language]
  const brand = plain(view.brand) || host
  const facts = [
    fact(account, foreign(view.identity)),
    fact(device, view.device === null ? null : foreign(view.device)),
    fact(place, view.place === null ? null : foreign(view.place)),
    fact(asked, ago(language, view.secondsAgo))
  ].join("")
  const buttons =
    view.numbers === null
      ? `<button>${approve}</button>`
      : `<fieldset><legend>${whichNumber}</legend><div class="numbers">${view.numbers
          .map((number) => `<button name="number" value="${number}">${number}</button>`)
          .join("")}</div></fieldset>`
  return page(
    language,
    look,
    title(brand),
    `${mark(brand, look.logo)}<h1>${question(foreign(brand))}</h1><p>${caution}</p><dl>${facts}</dl><form method="post" action="${escape(action)}"><input type="hidden" name="token" value="${escape(token)}">${buttons}</form><p class="note"><strong>${notMine}</strong> ${view.numbers === null ? leave : noNumber}</p>`
  )
}

const notice = (
  language: Language,
  look: LinkLook,
  mark: string,
  { more, text, title }: { readonly title: string; readonly text: string; readonly more?: string }
) =>
  page(
    language,
    look,
    title,
    `${mark}<div role="status"><h1>${title}</h1><p>${text}</p></div>${more === undefined ? "" : `<p class="note">${more}</p>`}`
  )

/** The page after an approval without a redirect. */
export const approved = (language: Language, look: LinkLook): LinkPage =>
  notice(language, look, icons.good, words[language].approved)

/** The page after a wrong number. */
export const mistaken = (language: Language, look: LinkLook): LinkPage =>
  notice(language, look, icons.bad, words[language].mistaken)

/** The page of every unusable link: unknown, truncated, expired, used or ended. */
export const unusable = (language: Language, look: LinkLook): LinkPage =>
  notice(language, look, icons.quiet, words[language].unusable)

/** The page when storage is unreachable. */
export const unavailable = (language: Language, look: LinkLook): LinkPage =>
  notice(language, look, icons.bad, words[language].unavailable)
