import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"

export default function MerchantsScreen() {
  return <Screen title={say.menu.merchants}>{say.nothing}</Screen>
}
