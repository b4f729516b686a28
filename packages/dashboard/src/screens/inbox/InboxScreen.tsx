import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"

export default function InboxScreen() {
  return <Screen title={say.menu.inbox}>{say.nothing}</Screen>
}
