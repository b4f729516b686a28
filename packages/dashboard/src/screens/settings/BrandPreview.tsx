import { MailFrame } from "../../parts/MailFrame.tsx"
import { count } from "../../words/format.ts"
import { type Brand, brandPreview } from "./brandPreview.ts"
import { say } from "./words.ts"

/** The link page and an e-mail with the values in the form, saved or not. */
export function BrandPreview(brand: Brand) {
  const { contrast, mail, page } = brandPreview(brand)
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
