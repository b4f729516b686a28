import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"

export default function TemplatesScreen() {
  return <Screen title={say.menu.templates}>{say.nothing}</Screen>
}
