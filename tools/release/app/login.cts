// The same in TypeScript: what `require` gives has its types.
import countersign = require("countersign")
import memory = require("countersign/memory")
import postgres = require("countersign/postgres")

const sms: countersign.PromiseChannel = { name: "SMS", send: async ({ code }) => console.log(code) }
const storage = process.argv[2] === "embedded" ? postgres.PgStorage.layerEmbedded() : memory.MemoryStorage.layer

void countersign.Countersign.make({ storage, channels: [sms], secret: "00".repeat(32) }).then((made) => made.close())
