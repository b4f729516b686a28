import { render } from "preact"
import { followLinks } from "./address/here.ts"
import { call } from "./api/call.ts"
import { App } from "./App.tsx"
import { listenForKeys } from "./keys/useKeys.ts"
import { lookWho } from "./session/session.ts"
import { tokenOfLink } from "./session/SignIn.tsx"
import "./shell/theme.ts"
import { language } from "./words/language.ts"

const begin = async () => {
  const token = tokenOfLink()
  if (token !== null) await call("POST /v1/dashboard/sessions/redeem", { body: { token } })
  await lookWho()
}

document.documentElement.lang = language
followLinks()
listenForKeys()
render(<App />, document.getElementById("app")!)
void begin()
