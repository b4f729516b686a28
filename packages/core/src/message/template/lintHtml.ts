import * as Problem from "../../foundation/identity/Problem.ts"

/** Matches one tag at a time. Each pattern visits a character once, so even 60,000 characters take little time. */
const tag = /<[^<>]*>/g

const forbiddenTags = ["script", "iframe", "object", "embed", "form", "base", "link", "frame", "frameset", "applet"]

const nameOf = (tag: string) => /^<[\s/]*([a-z]+)/i.exec(tag)?.[1]?.toLowerCase() ?? ""

/**
 * The allowed placeholders in a tag: the whole `href`, or quoted text. Elsewhere, a value could add an attribute or
 * change the target.
 */
const safePlaces =
  /\s(href\s*=\s*("\{\{\s*link\s*\}\}"|'\{\{\s*link\s*\}\}')|(alt|title|aria-label)\s*=\s*("[^"]*"|'[^']*'))/gi

/** Returns the contents of the `<style>` elements. */
const stylesIn = (html: string): ReadonlyArray<string> =>
  html
    .split(/<\s*style\b/i)
    .slice(1)
    .map((text) => text.split(/<\s*\/\s*style/i, 1)[0]!)

/** Returns the problems that prevent an HTML text from being sent. */
export const problemsOfHtml = (html: string): ReadonlyArray<Problem.Problem> => {
  const problems: Array<Problem.Problem> = []
  const tags = Array.from(html.matchAll(tag), ([tagText]) => tagText)
  const tagNames = new Set(tags.map(nameOf))
  for (const name of forbiddenTags) if (tagNames.has(name)) problems.push(Problem.of("HTML_TAG", { tag: name }))
  if (/<[a-z/!]/i.test(html.replace(tag, ""))) problems.push(Problem.of("HTML_BRACKET"))
  if (tags.some((each) => /[\s/"']on[a-z]+\s*=/i.test(each))) {
    problems.push(Problem.of("HTML_HANDLER"))
  }
  if (tags.some((each) => /\b(javascript|vbscript|data)\s*:/i.test(each))) {
    problems.push(Problem.of("HTML_ADDRESS"))
  }
  if (tags.some((each) => nameOf(each) === "meta" && /\brefresh\b/i.test(each))) {
    problems.push(Problem.of("HTML_REFRESH"))
  }
  if (tags.some((each) => each.replace(safePlaces, "").includes("{{"))) {
    problems.push(Problem.of("HTML_PLACE"))
  }
  if (stylesIn(html).some((style) => style.includes("{{"))) problems.push(Problem.of("HTML_STYLE"))
  return problems
}

/** Whether opening the e-mail loads something. Loading reveals that it was opened, and many clients block it. */
export const loadsSomething = (html: string): boolean =>
  /\b(src|background)\s*=[\s"']*https?:/i.test(html) || /url\([\s"']*https?:/i.test(html)
