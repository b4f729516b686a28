import { Screen } from "../../shell/Screen.tsx"
import { say } from "../../words/say.ts"

export default function ChannelsScreen() {
  return <Screen title={say.menu.channels}>{say.nothing}</Screen>
}
