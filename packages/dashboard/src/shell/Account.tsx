import { call } from "../api/call.ts"
import { tell } from "../parts/Toast.tsx"
import { loadUser, me, signOut } from "../session/session.ts"
import { chooseLanguage, language, languageNames, languages } from "../words/language.ts"
import { say } from "../words/say.ts"
import { isNotifications } from "./device.ts"
import type { Theme } from "./keptTheme.ts"
import { chooseTheme, theme } from "./theme.ts"

const themes: ReadonlyArray<Theme> = ["system", "light", "dark"]

const changeOver = async (merchantId: string) => {
  const reply = await call("PATCH /v1/dashboard/sessions/current", { body: { merchantId } })
  if (reply.ok) await loadUser()
  else tell(reply.failure.message, { tone: "bad" })
}

/** Signs out. When the service does not answer, a toast says so. */
export const goAway = async () => {
  const failure = await signOut()
  if (failure !== null) tell(failure.message, { tone: "bad" })
}

/** The current user with merchant, language, theme and sign-out. */
export function Account() {
  const who = me.value
  if (who == null) return null
  return (
    <details class="account">
      <summary>
        <span class="theirs">{who.agent.name ?? who.agent.email}</span>
        <span class="quiet">{say.shell.role[who.agent.role]}</span>
      </summary>
      <div class="account-body">
        {who.merchants.length < 2 ? null : (
          <label>
            {say.shell.changeOver}
            <select value={who.merchant.id} onChange={(event) => void changeOver(event.currentTarget.value)}>
              {who.merchants.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label>
          {say.shell.language}
          <select
            value={language}
            onChange={(event) => chooseLanguage(languages.find((each) => each === event.currentTarget.value) ?? "en")}
          >
            {languages.map((each) => (
              <option key={each} value={each} lang={each}>
                {languageNames[each]}
              </option>
            ))}
          </select>
        </label>
        <label>
          {say.shell.theme}
          <select
            value={theme.value}
            onChange={(event) => chooseTheme(themes.find((each) => each === event.currentTarget.value) ?? "system")}
          >
            {themes.map((each) => (
              <option key={each} value={each}>
                {say.shell.themes[each]}
              </option>
            ))}
          </select>
        </label>
        <button type="button" class="button" onClick={() => (isNotifications.value = true)}>
          {say.shell.profile}
        </button>
        <button type="button" class="button" onClick={() => void goAway()}>
          {say.shell.signOut}
        </button>
      </div>
    </details>
  )
}
