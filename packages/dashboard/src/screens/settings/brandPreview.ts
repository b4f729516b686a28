import { builtInLink, contrast, lookOf, logoSize, render } from "@countersign/core/brand"
import { confirmation, logoBox } from "@countersign/http/linkPage"
import type { Settings } from "./spec.ts"
import { say } from "./words.ts"

export type Brand = Pick<Settings, "brand" | "brandColor" | "brandLogo" | "linkNumberMatch" | "locale">

const url = "https://verify.example.com/l/sample"
const mailBox = { width: 200, height: 40 }

/** The link page and the e-mail with a link, as the service would make them from these settings. */
export const brandPreview = ({ brand, brandColor, brandLogo, linkNumberMatch, locale }: Brand) => {
  const colours = lookOf(brandColor)
  const language = /^hi\b/i.test(locale) ? "hi" : "en"
  const logo = (box: { readonly width: number; readonly height: number }) =>
    brandLogo === null ? null : { source: brandLogo, url: brandLogo, ...logoSize(brandLogo, box) }
  const page = confirmation(
    language,
    { colours, logo: logo(logoBox) },
    { action: url, host: new URL(url).hostname },
    "sample",
    {
      brand,
      locale,
      identity: say.preview.account,
      device: say.preview.device,
      place: say.preview.place,
      secondsAgo: 20,
      numbers: linkNumberMatch ? ["14", "27", "38", "56", "91"] : null,
      isReturning: false
    }
  )
  const values = { code: "", link: url, brand, minutes: "5", appHash: "", domain: "" }
  const mail = render(builtInLink("EMAIL", locale, { colours, logo: logo(mailBox) }), values)
  return { page: page.html, mail: mail.html ?? "", contrast: contrast(colours.light.on, colours.light.fill) }
}
