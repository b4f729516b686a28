import { h } from "vue"
import theme from "vitepress/theme-without-fonts"
import dark from "../../../docs/images/overview-dark.png"
import light from "../../../docs/images/overview.png"
import "./style.css"

/** Styles tell readers by this attribute that the search is still loading. */
const setSearch = (state: "loading" | "ready" | "failed") => {
  document.documentElement.dataset["search"] = state
}

/** The search and the index of all pages. */
const bringSearch = () => {
  setSearch("loading")
  const box = import("vitepress/dist/client/theme-default/components/VPLocalSearchBox.vue")
  const index = import("@localSearchIndex").then(({ default: languages }) => languages.root())
  Promise.all([box, index]).then(
    () => setSearch("ready"),
    // The search asks for them again once it is opened.
    () => setSearch("failed")
  )
}

/** Whoever saves data gets the search when they open it. */
const bringSearchWhenOpened = () => {
  const isOpening = (event: Event) =>
    event instanceof KeyboardEvent
      ? event.key === "/" || (event.key === "k" && (event.ctrlKey || event.metaKey))
      : event.target instanceof Element && event.target.closest(".VPNavBarSearch") !== null
  const open = (event: Event) => {
    if (!isOpening(event)) return
    removeEventListener("click", open, true)
    removeEventListener("keydown", open, true)
    bringSearch()
  }
  addEventListener("click", open, true)
  addEventListener("keydown", open, true)
}

const picture = (name: "light" | "dark", src: string) =>
  h("img", { class: `hero-picture ${name}-picture`, src, alt: "The dashboard's overview", width: 1280, height: 844 })

export default {
  extends: theme,
  Layout: () => h(theme.Layout, null, { "home-hero-image": () => [picture("light", light), picture("dark", dark)] }),
  enhanceApp: () => {
    if (import.meta.env.SSR) return
    if (navigator.connection?.saveData === true) bringSearchWhenOpened()
    // Once the page is at rest: else the first question would wait for both.
    else if ("requestIdleCallback" in window) requestIdleCallback(bringSearch)
    else setTimeout(bringSearch, 1_000)
  }
}
