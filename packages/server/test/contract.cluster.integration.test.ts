import { contract } from "./contract/suite.ts"
import { cluster } from "./fixture/Service.ts"

contract("cluster", cluster)
