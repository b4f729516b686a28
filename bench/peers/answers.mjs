// Loaded before a program that `pnpm bench peers` measures. Answers how much CPU time and memory its process uses.
const answers = {
  cpu: () => {
    const { system, user } = process.cpuUsage()
    return system + user
  },
  memory: () => process.memoryUsage.rss()
}

process.on("message", ({ id, question }) => process.send({ id, value: answers[question]() }))
process.once("disconnect", () => process.exit(0))
