let ahead = 0

/** Takes the server's time for ours: a phone's own clock may be minutes away. */
export const setClock = (serverNow: number): void => {
  ahead = serverNow - Date.now()
}

export const now = (): number => Date.now() + ahead

/** `4:05`, for what is left until an instant; never less than `0:00`. */
export const left = (until: number): string => {
  const seconds = Math.max(0, Math.ceil((until - now()) / 1000))
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`
}
