// Accepts every message immediately and delivers none.
const send = async () => {}

export default [
  { name: "SMS", provider: "none", send },
  { name: "EMAIL", provider: "none", send }
]
