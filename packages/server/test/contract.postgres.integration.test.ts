import { contract } from "./contract/suite.ts"
import { postgres } from "./fixture/Service.ts"

contract("postgres", postgres)
