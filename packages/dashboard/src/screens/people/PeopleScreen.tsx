import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"

export default function PeopleScreen() {
  return <Screen title={say.menu.people}>{say.nothing}</Screen>
}
