import { signal } from "@preact/signals"

/** Whether "Try it" is open: any screen opens it, and the frame shows it. */
export const tryIt = signal(false)
