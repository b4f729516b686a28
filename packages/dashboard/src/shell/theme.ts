import { signal } from "@preact/signals"

export type Theme = "system" | "light" | "dark"
const kept = "countersign.theme"
const read = (): Theme => {
  const text = localStorage.getItem(kept)
  return text === "light" || text === "dark" ? text : "system"
}

export const theme = signal<Theme>(read())

const apply = (next: Theme) => {
  if (next === "system") delete document.documentElement.dataset["theme"]
  else document.documentElement.dataset["theme"] = next
}
apply(theme.peek())

export const chooseTheme = (next: Theme): void => {
  theme.value = next
  localStorage.setItem(kept, next)
  apply(next)
}
