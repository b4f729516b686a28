/** Runs a slow task and marks its button as busy; a second press does nothing. */
export const makeBusy = () => {
  let running = false
  return async (button: HTMLButtonElement, work: () => Promise<void>): Promise<void> => {
    if (running) return
    running = true
    button.setAttribute("aria-busy", "true")
    try {
      await work()
    } finally {
      running = false
      button.removeAttribute("aria-busy")
    }
  }
}
