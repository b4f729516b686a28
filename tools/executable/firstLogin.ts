/** The keys of the test environment, as the first start prints them. */
const keysIn = (printed: string) => {
  const test = printed.slice(printed.indexOf("\ntest"))
  const value = (name: string) => new RegExp(`${name} +(\\S+)`).exec(test)?.[1] ?? ""
  return { "x-client-id": value("X-Client-Id"), "x-client-secret": value("X-Client-Secret") }
}

/** Where a program says that it is ready, and undefined until then. */
export const urlIn = (printed: string): string | undefined => /Countersign is ready at (\S+)/.exec(printed)?.[1]

/**
 * What a server's first start printed is enough to let somebody in, in its test environment. Fails where that does not
 * work, and where the dashboard is not there. `initiated` is called after the first answer.
 */
export const firstLogin = async (printed: string, initiated = () => {}): Promise<void> => {
  const url = urlIn(printed)
  const post = async (path: string, body: object) => {
    const response = await fetch(`${url}${path}`, {
      method: "POST",
      headers: { ...keysIn(printed), "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`)
    return JSON.parse(text) as { readonly requestId: string; readonly verified?: boolean }
  }
  const { requestId } = await post("/v1/auth/initiate", {
    identity: "+919876543210",
    identityType: "MOBILE",
    mode: "OTP"
  })
  initiated()
  const { verified } = await post("/v1/auth/verify", { requestId, otp: "123456" })
  if (verified !== true) throw new Error("the right code was not taken")
  const page = await (await fetch(`${url}/dashboard`)).text()
  // The page's own script imports the entry of the user's language; English is the first.
  const [, entry] = /\bevery:\[[`"]([^`"]+)[`"]/.exec(page) ?? []
  const script = `${url}/dashboard/assets/en/${entry}.js`
  if (entry === undefined || !(await fetch(script)).ok)
    throw new Error(`there is no dashboard:\n${page.slice(0, 2_000)}`)
}
