import { contractInTime } from "./contract/suite.ts"
import { cluster, embedded, memory, postgres } from "./fixture/Service.ts"

contractInTime({ memory, embedded, postgres, cluster })
