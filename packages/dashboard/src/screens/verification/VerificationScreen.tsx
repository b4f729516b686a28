import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"

export default function VerificationScreen() {
  return <Screen title={say.menu.verifications}>{say.nothing}</Screen>
}
