import { answer } from "../../../../bench/src/Child.ts"
import { browser } from "../fixture/visit.ts"
import { firstFigure } from "./firstFigure.ts"
import { scroll } from "./scroll.ts"

/** Process of the benchmark with a browser, used by `pnpm bench S27 S28`. */
answer({ skipped: () => ("skipped" in browser ? browser.skipped : null), scroll, firstFigure })
