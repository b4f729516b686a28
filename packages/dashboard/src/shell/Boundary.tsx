import { Component, type ComponentChildren } from "preact"
import { say } from "../words/say.ts"
import { Button } from "../parts/Button.tsx"

/** Contains a crash to its screen. The menu keeps working, and drafts are kept. */
export class Boundary extends Component<{ readonly children: ComponentChildren }, { readonly error: unknown }> {
  override state = { error: undefined }
  static override getDerivedStateFromError(error: unknown) {
    return { error }
  }
  override componentDidCatch(error: unknown) {
    console.error(error)
  }
  render() {
    if (this.state.error === undefined) return this.props.children
    return (
      <main id="content" class="screen">
        <div class="empty" role="alert">
          <h1>{say.shell.broken}</h1>
          <p>{say.shell.brokenHint}</p>
          <Button onPress={() => location.reload()}>{say.shell.reload}</Button>
        </div>
      </main>
    )
  }
}
