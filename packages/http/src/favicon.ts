/** A check mark on a square, as a `data:` URL. The default is the icon of the dashboard, in the colours of the product. */
export const favicon = (
  { fill, on }: { readonly fill: string; readonly on: string } = { fill: "#0f766e", on: "#ffffff" }
): string =>
  `data:image/svg+xml,${encodeURIComponent(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="${fill}"/><path d="M7 12.5l3.4 3.4L17.4 8.6" fill="none" stroke="${on}" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></svg>`
  )}`
