import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"
import { Agents } from "./Agents.tsx"
import { OwnSignIn } from "./OwnSignIn.tsx"
import { Teams } from "./Teams.tsx"

/** Who works here, in which teams, and how you yourself come in. The same in live and test. */
export default function PeopleScreen() {
  return (
    <Screen title={say.menu.people}>
      <Agents />
      <Teams />
      <OwnSignIn />
    </Screen>
  )
}
