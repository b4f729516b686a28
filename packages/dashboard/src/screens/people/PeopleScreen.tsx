import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"
import { Agents } from "./Agents.tsx"
import { OwnSignIn } from "./OwnSignIn.tsx"
import { Teams } from "./Teams.tsx"

/** Team members, teams and the own sign-in. Shared by live and test. */
export default function PeopleScreen() {
  return (
    <Screen title={say.menu.people}>
      <Agents />
      <Teams />
      <OwnSignIn />
    </Screen>
  )
}
