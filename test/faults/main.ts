import { buildBundles } from '../../cli/build/bundles.ts'

/*
 * npm run faults -- [kills of each] [victim …]     processes of a platform under load, killed with -9 (kills.main.ts)
 * npm run faults -- overload [seconds]             three times the load that the machine carries (overload.main.ts)
 * npm run faults -- rolling, day                   see rolling/main.ts, day/main.ts
 */
await buildBundles()
const programs: Record<string, () => Promise<unknown>> = {
  overload: () => import('./overload.main.ts'),
  rolling: () => import('./rolling/main.ts'),
  day: () => import('./day/main.ts'),
}
const program = programs[process.argv[2] ?? '']
await (program ? program() : import('./kills.main.ts'))
