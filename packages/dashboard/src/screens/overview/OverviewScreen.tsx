import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"

export default function OverviewScreen() {
  return <Screen title={say.menu.overview}>{say.nothing}</Screen>
}
