/** The viewer's time zone. */
export const zone: string = new Intl.DateTimeFormat().resolvedOptions().timeZone
