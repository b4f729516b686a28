import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"

export default function AuditScreen() {
  return <Screen title={say.menu.audit}>{say.nothing}</Screen>
}
