import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"

export default function VerificationsScreen() {
  return <Screen title={say.menu.verifications}>{say.nothing}</Screen>
}
