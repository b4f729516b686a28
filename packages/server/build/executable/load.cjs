"use strict"
/**
 * Where the executable begins, and, while it is built, the process that it is warmed up in. Both make the same script
 * of `program.js`, so that what the one has compiled is used by the other.
 *
 * A script of our own, and not the main file of the executable itself: that one could not `import` a channel from a
 * disk, and would be compiled ahead only as far as its outermost lines.
 */
const { Script, constants } = require("node:vm")

/** Text of ASCII alone, which takes half the memory and no decoding. */
const scriptOf = (source, cachedData) =>
  new Script(Buffer.from(source).latin1Slice(), {
    filename: "countersign:program.js",
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  })

const start = (script, programUrl) => script.runInThisContext()(require, { exports: {} }, programUrl)

const sea = require("node:sea")
if (sea.isSea()) {
  const cache = sea.getAssetKeys().includes("program.cache")
    ? new Uint8Array(sea.getRawAsset("program.cache"))
    : undefined
  const { pathToFileURL } = require("node:url")
  // Whatever starts the program again, as workers are, would hand it Node's flags as arguments of its own.
  process.execArgv = []
  const script = scriptOf(sea.getRawAsset("program.js"), cache)
  start(script, pathToFileURL(`${process.execPath}/program.js`).href)
} else {
  module.exports = { scriptOf, start }
}
