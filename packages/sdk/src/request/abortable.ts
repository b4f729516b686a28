const reasonOf = (signal: AbortSignal): unknown =>
  signal.reason ?? Object.assign(new Error("The call was aborted"), { name: "AbortError" }) // React Native has no reason

/** Throws the signal's reason if it has aborted. */
export const checkAborted = (signal: AbortSignal | undefined) => {
  if (signal?.aborted === true) throw reasonOf(signal)
}

/** Settles like `work`, or rejects with the signal's reason as soon as it aborts. */
export const abortable = async <A>(signal: AbortSignal | undefined, work: () => Promise<A>): Promise<A> => {
  checkAborted(signal)
  if (signal === undefined) return work()
  return new Promise((resolve, reject) => {
    const stop = () => reject(reasonOf(signal))
    const tidy = () => signal.removeEventListener("abort", stop)
    signal.addEventListener("abort", stop)
    work().then(resolve, reject).then(tidy, tidy)
  })
}
