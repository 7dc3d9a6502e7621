import { testKindsOfCallers } from './support/caller-kinds.ts'

await testKindsOfCallers('split')
