import theme from "vitepress/theme-without-fonts"
import "./style.css"

/** The search and the index of all pages. Whoever saves data gets them when they open the search. */
const bringSearch = () => {
  if (navigator.connection?.saveData === true) return
  const box = import("vitepress/dist/client/theme-default/components/VPLocalSearchBox.vue")
  const index = import("@localSearchIndex").then(({ default: languages }) => languages.root())
  // The search asks for them again once it is opened.
  Promise.all([box, index]).catch(() => {})
}

export default {
  extends: theme,
  enhanceApp: () => {
    if (import.meta.env.SSR) return
    // Once the page is at rest: else the first question would wait for both.
    if ("requestIdleCallback" in window) requestIdleCallback(bringSearch)
    else setTimeout(bringSearch, 1_000)
  }
}
