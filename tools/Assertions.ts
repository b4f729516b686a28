import { chai } from "vitest"

/**
 * Makes an assertion take half of what it took. Chai wraps each in proxies, which notice a name that it does not have;
 * here the compiler does.
 */
chai.config.useProxy = false
