import { contract } from "./contract/suite.ts"
import { memory } from "./fixture/Service.ts"

contract("memory", memory)
