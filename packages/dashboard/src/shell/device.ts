import { signal } from "@preact/signals"

/** What this browser does when a customer writes. Kept on the device, because a desk and a phone differ. */
export interface Alerts {
  readonly notify: boolean
  readonly sound: boolean
  /** Whether the browser shows notifications while the page is closed. The service decides about whom. */
  readonly push: boolean
}

const kept = "countersign.alerts"
const words = (localStorage.getItem(kept) ?? "").split(" ")

export const alerts = signal<Alerts>({
  notify: words.includes("notify"),
  sound: words.includes("sound"),
  push: words.includes("push")
})

export const chooseAlerts = (next: Alerts): void => {
  alerts.value = next
  const chosen = (["notify", "sound", "push"] as const).filter((word) => next[word])
  if (chosen.length === 0) localStorage.removeItem(kept)
  else localStorage.setItem(kept, chosen.join(" "))
}

/** Whether the dialog with the user's notifications is open. Any screen can open it; the frame renders it. */
export const isNotifications = signal(false)
