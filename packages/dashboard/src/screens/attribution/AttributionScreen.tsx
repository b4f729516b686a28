import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"

export default function AttributionScreen() {
  return <Screen title={say.menu.attribution}>{say.nothing}</Screen>
}
