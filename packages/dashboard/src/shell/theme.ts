import { signal } from "@preact/signals"
import { applyTheme, keepTheme, keptTheme, type Theme } from "./keptTheme.ts"

export const theme = signal<Theme>(keptTheme())
applyTheme(theme.peek())

export const chooseTheme = (next: Theme): void => {
  theme.value = next
  keepTheme(next)
  applyTheme(next)
}
