"use strict"
/**
 * `node warm.cjs FOLDER …`: runs the program of a folder with the arguments that follow. When it is told to, it writes
 * down what Node has compiled of it so far.
 */
const { readFileSync, writeFileSync } = require("node:fs")
const path = require("node:path")
const { pathToFileURL } = require("node:url")
const { scriptOf, start } = require("./load.cjs")

const [folder] = process.argv.splice(2, 1)
const program = path.join(folder, "program.js")
const script = scriptOf(readFileSync(program))
process.once("message", () => {
  writeFileSync(path.join(folder, "program.cache"), script.createCachedData())
  process.send("written")
})
start(script, pathToFileURL(program).href)
