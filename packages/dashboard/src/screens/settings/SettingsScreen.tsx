import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"

export default function SettingsScreen() {
  return <Screen title={say.menu.settings}>{say.nothing}</Screen>
}
