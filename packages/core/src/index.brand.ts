/** The look of link pages and e-mails. The dashboard previews them with this module, so it imports no Effect. */
export { largestLogo, logoOf, logoSize } from "./account/merchant/brandLogo.ts"
export { contrast, lookOf } from "./account/merchant/brandLook.ts"
export { builtIn } from "./message/template/builtIn.ts"
export { builtInLink } from "./message/template/builtInLink.ts"
export { render } from "./message/template/Template.ts"
