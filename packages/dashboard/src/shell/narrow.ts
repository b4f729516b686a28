import { signal } from "@preact/signals"

const query = matchMedia("(width <= 40rem)")

/** Whether the window is as narrow as a phone's. */
export const isPhone = signal(query.matches)
query.addEventListener("change", () => (isPhone.value = query.matches))
