import { type Signal, signal } from "@preact/signals"
import { useMemo } from "preact/hooks"

const prefix = "countersign.draft."

/** A form's input, kept in this tab so that neither an expired session nor a reload loses it. */
export interface Draft<T> {
  readonly value: Signal<T>
  readonly set: (next: T) => void
  /** Deletes the draft after it was sent. */
  readonly clear: () => void
  /** Whether the draft was restored. */
  readonly isKept: boolean
}

const read = <T>(key: string): T | undefined => {
  const text = sessionStorage.getItem(prefix + key)
  try {
    return text === null ? undefined : (JSON.parse(text) as T)
  } catch {
    return undefined
  }
}

/** A draft with a unique key, such as `reply/live/42`. Never use it for secrets or codes. */
export const useDraft = <T>(key: string, initial: T): Draft<T> =>
  useMemo(() => {
    const kept = read<T>(key)
    const value = signal(kept ?? initial)
    const set = (next: T) => {
      value.value = next
      sessionStorage.setItem(prefix + key, JSON.stringify(next))
    }
    const clear = () => {
      value.value = initial
      sessionStorage.removeItem(prefix + key)
    }
    return { value, set, clear, isKept: kept !== undefined }
  }, [key])
