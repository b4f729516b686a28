let ahead = 0

/** Uses the server's time, because a phone's clock may be wrong by minutes. */
export const setClock = (serverNow: number): void => {
  ahead = serverNow - Date.now()
}

export const now = (): number => Date.now() + ahead

/** The remaining time as `4:05`; never less than `0:00`. */
export const left = (until: number): string => {
  const seconds = Math.max(0, Math.ceil((until - now()) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}
