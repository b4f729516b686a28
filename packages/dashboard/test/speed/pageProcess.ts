import { answer } from "../../../../bench/src/Child.ts"
import { browser } from "../fixture/visit.ts"
import { firstFigure } from "./firstFigure.ts"
import { scroll } from "./scroll.ts"

/** The benchmark's process with a browser in it: `pnpm bench S27 S28` asks it. */
answer({ skipped: () => ("skipped" in browser ? browser.skipped : null), scroll, firstFigure })
