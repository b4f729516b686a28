import { useLayoutEffect } from "preact/hooks"
import { type Pages, usePages } from "../../query/usePages.ts"
import type { Template } from "./template.ts"

/** All templates. The limit is 300, so all pages are loaded. */
export const useTemplates = (): Pages<Template> => {
  const pages = usePages("GET /v1/dashboard/templates", () => ({ query: { limit: 200 } }), {
    id: ({ id }) => id,
    topics: ["template"]
  })
  useLayoutEffect(() => {
    if (pages.more.value && !pages.busy.value && pages.failure.value === null) pages.readOn()
  })
  return pages
}
