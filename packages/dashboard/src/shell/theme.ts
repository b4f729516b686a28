import { signal } from "@preact/signals"

export type Theme = "system" | "light" | "dark"
const kept = "countersign.theme"
const read = (): Theme => {
  const text = localStorage.getItem(kept)
  return text === "light" || text === "dark" ? text : "system"
}

export const theme = signal<Theme>(read())

/** Gives the window the colour of the chosen theme. Each meta element of the page names its scheme. */
const applyToWindow = (next: Theme) => {
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
    const scheme = meta.dataset["scheme"]
    meta.media = next === "system" ? `(prefers-color-scheme: ${scheme})` : next === scheme ? "all" : "not all"
  }
}

const apply = (next: Theme) => {
  applyToWindow(next)
  if (next === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = next
}
apply(theme.peek())

export const chooseTheme = (next: Theme): void => {
  theme.value = next
  localStorage.setItem(kept, next)
  apply(next)
}
