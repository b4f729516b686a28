export type Theme = "system" | "light" | "dark"

const key = "countersign.theme"

export const keptTheme = (): Theme => {
  const text = localStorage.getItem(key)
  return text === "light" || text === "dark" ? text : "system"
}

export const keepTheme = (theme: Theme): void => localStorage.setItem(key, theme)

/** Gives the window the colour of the chosen theme. Each meta element of the page names its scheme. */
const applyToWindow = (theme: Theme) => {
  for (const meta of document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")) {
    const scheme = meta.dataset["scheme"]
    meta.media = theme === "system" ? `(prefers-color-scheme: ${scheme})` : theme === scheme ? "all" : "not all"
  }
}

export const applyTheme = (theme: Theme): void => {
  applyToWindow(theme)
  if (theme === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = theme
}
