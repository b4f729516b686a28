import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"
import { Agents } from "./Agents.tsx"
import { OwnSignIn } from "./OwnSignIn.tsx"
import { Teams } from "./Teams.tsx"

/** Team members, teams and the own sign-in. Shared by live and test. */
export default function TeamScreen() {
  return (
    <Screen title={say.menu.team}>
      <Agents />
      <Teams />
      <OwnSignIn />
    </Screen>
  )
}
