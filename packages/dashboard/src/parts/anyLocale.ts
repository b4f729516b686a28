/**
 * uPlot formats numbers for `navigator.language` as it loads, and throws where that names no language: some browsers say
 * "" or "C". Import this before it.
 */
try {
  new Intl.NumberFormat(navigator.language)
} catch {
  Object.defineProperty(navigator, "language", { value: "en", configurable: true })
}
