import { testKindsOfCallers } from '../kit/requests/caller-kinds.ts'

await testKindsOfCallers('split')
