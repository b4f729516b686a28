/** The title of the tab: "(2) Inbox · Countersign". Tabs cut titles at their end, so the count comes first. */
export const titleOf = (names: ReadonlyArray<string>, count: string | undefined): string =>
  `${count === undefined ? "" : `(${count}) `}${names.join(" · ")}`
