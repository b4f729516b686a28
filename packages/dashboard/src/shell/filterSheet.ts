import { signal } from "@preact/signals"

/** The filters of the open screen on a phone, for the button in its heading. Null when it has none. */
export const filterSheet = signal<{ readonly active: number; readonly open: () => void } | null>(null)
