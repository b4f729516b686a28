import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"

export default function MoneyScreen() {
  return <Screen title={say.menu.money}>{say.nothing}</Screen>
}
