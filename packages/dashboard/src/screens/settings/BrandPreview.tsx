import { useLayoutEffect, useState } from "preact/hooks"
import { MailFrame } from "../../parts/MailFrame.tsx"
import { count } from "../../words/format.ts"
import type { Brand, brandPreview } from "./brandPreview.ts"
import { say } from "./words.ts"

let preview: typeof brandPreview | undefined

/**
 * The link page and an e-mail with the values in the form, saved or not. Their markup is a chunk of its own. When it
 * cannot be loaded, the settings work without a preview.
 */
export function BrandPreview(brand: Brand) {
  const [, redraw] = useState(false)
  useLayoutEffect(() => {
    if (preview !== undefined) return
    let isGone = false
    import("./brandPreview.ts").then(
      (loaded) => {
        preview = loaded.brandPreview
        if (!isGone) redraw(true)
      },
      () => {}
    )
    return () => void (isGone = true)
  }, [])
  if (preview === undefined) return null
  const { contrast, mail, page } = preview(brand)
  return (
    <section class="brand-preview" aria-label={say.preview.title}>
      <p class="quiet">{say.preview.contrast(count(Math.floor(contrast * 10) / 10))}</p>
      <figure>
        <figcaption>{say.preview.page}</figcaption>
        <MailFrame html={page} title={say.preview.page} />
      </figure>
      <figure>
        <figcaption>{say.preview.mail}</figcaption>
        <MailFrame html={mail} title={say.preview.mail} />
      </figure>
    </section>
  )
}
