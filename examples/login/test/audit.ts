/**
 * Accessibility faults of the page, for people with low vision, screen readers or small screens. It runs in the
 * browser, so it cannot use anything outside itself.
 */
export const audit = (): ReadonlyArray<string> => {
  type Colour = readonly [red: number, green: number, blue: number, alpha: number]
  const faults: Array<string> = []
  const all = [...document.querySelectorAll<HTMLElement>("body *")]
  const seen = all.filter((element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  const nameOf = (element: Element) =>
    `${element.localName}${element.id === "" ? "" : `#${element.id}`} "${(element.textContent ?? "").trim().slice(0, 30)}"`

  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true })!
  const colour = (css: string): Colour => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = css
    canvas.fillRect(0, 0, 1, 1)
    const [red = 0, green = 0, blue = 0, alpha = 0] = canvas.getImageData(0, 0, 1, 1).data
    return [red, green, blue, alpha / 255]
  }
  const over = ([r, g, b, a]: Colour, [red, green, blue]: Colour): Colour => {
    const mix = (top: number, below: number) => top * a + below * (1 - a)
    return [mix(r, red), mix(g, green), mix(b, blue), 1]
  }
  const ground = (element: Element | null): Colour =>
    element === null
      ? colour("Canvas")
      : over(colour(getComputedStyle(element).backgroundColor), ground(element.parentElement))
  const luminance = ([r, g, b]: Colour) => {
    const linear = (value: number) => (value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4)
    return 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b)
  }
  const contrast = (one: Colour, other: Colour) => {
    const [dark = 0, light = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
    return (light + 0.05) / (dark + 0.05)
  }
  const least = (what: string, at: number, element: Element, css: string, below: Colour, opacity = 1) => {
    const [r, g, b, a] = colour(css)
    const found = contrast(over([r, g, b, a * opacity], below), below)
    if (found < at) faults.push(`${what} of ${nameOf(element)} has a contrast of ${found.toFixed(2)}, not ${at}`)
  }

  for (const element of seen) {
    const style = getComputedStyle(element)
    const large = Number.parseFloat(style.fontSize) >= 24
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.nodeValue?.trim() !== "")
    if (hasText && !element.classList.contains("unseen"))
      least("the text", large ? 3 : 4.5, element, style.color, ground(element))
    for (const attribute of ["aria-describedby", "aria-labelledby", "for"])
      for (const id of element.getAttribute(attribute)?.split(" ") ?? [])
        if (document.getElementById(id) === null) faults.push(`${attribute} of ${nameOf(element)} names nobody: ${id}`)
    const box = element.getBoundingClientRect()
    if (box.right > innerWidth + 0.5 || box.left < -0.5) faults.push(`${nameOf(element)} sticks out of the window`)
    if (element.matches("button, input, [role=button]") && (box.width < 24 || box.height < 24))
      faults.push(`${nameOf(element)} is hard to hit: ${box.width}x${box.height}`)
    if (element.matches("img:not([alt])")) faults.push(`${nameOf(element)} has no alternative`)
  }
  for (const input of document.querySelectorAll("input")) {
    if ((input.labels?.length ?? 0) === 0) faults.push(`${nameOf(input)} has no label`)
    if (!input.checkVisibility() || input.type === "radio") continue
    const box = input.parentElement?.classList.contains("code") === true ? input.parentElement : input
    least("the edge", 3, input, getComputedStyle(box).borderTopColor, ground(box.parentElement))
    const placeholder = getComputedStyle(input, "::placeholder")
    least("the placeholder", 4.5, input, placeholder.color, ground(box), Number(placeholder.opacity))
  }

  const ids = all.map(({ id }) => id).filter((id) => id !== "")
  for (const id of ids) if (ids.indexOf(id) !== ids.lastIndexOf(id)) faults.push(`two elements are called ${id}`)
  if (seen.filter(({ localName }) => localName === "h1").length !== 1) faults.push("there is not one main heading")
  if (document.documentElement.lang === "") faults.push("the language is not said")
  if (document.title === "") faults.push("the page has no title")
  for (const button of seen.filter(({ localName }) => localName === "button"))
    if (button.textContent?.trim() === "") faults.push(`${nameOf(button)} has no name`)
  const { clientWidth, scrollWidth } = document.documentElement
  if (scrollWidth > clientWidth) faults.push(`the page scrolls sideways: ${scrollWidth} in ${clientWidth}`)
  return faults
}
