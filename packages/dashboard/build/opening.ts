import type { Language } from "../src/words/language.ts"
import { en } from "../src/words/en.ts"
import { hi } from "../src/words/hi.ts"
import { to } from "../src/address/paths.ts"
import { menu, menuOf } from "../src/shell/menu.ts"

const all: Readonly<Record<Language, typeof en>> = { en, hi }
const roles = ["OWNER", "ADMIN", "AGENT", "VIEWER"] as const

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;")

/** A text in every language, in one element. The style shows that of the page. */
const words = (of: (say: typeof en) => string): string =>
  `<span>${Object.entries(all)
    .map(([language, say]) => `<span lang="${language}">${escaped(of(say))}</span>`)
    .join("")}</span>`

const entry = ({ below = [], route }: (typeof menu)[number]["entries"][number]): string => {
  const not = roles.filter((role) => !menuOf(role).some(({ entries }) => entries.some((each) => each.route === route)))
  const hidden = not.length === 0 ? "" : ` data-not="${not.join(" ")}"`
  const routes = [route, ...below].join(" ")
  return `<a href="${to("live", route)}" data-routes="${routes}"${hidden}>${words((say) => say.menu[route])}</a>`
}

const titles = ["watch", "talk", "arrange", "account"] as const

/**
 * The frame of the page without what only the service knows. The classes are those of the menu and of a screen, so that
 * nothing moves when the page's code draws them. `end` is behind it, and goes with it.
 */
export const opening = (end: string): string =>
  [
    `<div id="opening">`,
    `<div class="banners"><aside class="test-band">${words((say) => say.environment.band)}</aside></div>`,
    `<div class="frame">`,
    `<header class="topbar"><span class="button" data-kind="quiet">☰ ${words((say) => say.menu.open)}</span></header>`,
    `<nav class="side"><p class="brand"><span class="logo" aria-hidden="true">✓</span><span class="bone">…</span></p>`,
    `<div class="choice" inert>`,
    ...(["live", "test"] as const).map(
      (environment) =>
        `<label><input type="radio" name="opening" value="${environment}">${words((say) => say.environment[environment])}</label>`
    ),
    `</div>`,
    ...menu.map(
      ({ entries }, at) =>
        `<div class="side-group"><p class="side-title">${words((say) => say.menu[titles[at] ?? "watch"])}</p>${entries.map(entry).join("")}</div>`
    ),
    `<p class="account"><span class="bone">…</span></p></nav>`,
    `<main class="screen" aria-busy="true"><header class="screen-head"><h1></h1><div class="screen-actions">`,
    `<span class="button bone" aria-hidden="true">${words((say) => say.shell.find)}</span></div></header>`,
    `<div class="screen-body"><p class="waiting">${words((say) => say.loading)}…</p></div></main>`,
    `<div class="tabs"></div>`,
    `</div>${end}</div>`
  ].join("")
