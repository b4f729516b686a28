import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"

export default function KeysScreen() {
  return <Screen title={say.menu.keys}>{say.nothing}</Screen>
}
