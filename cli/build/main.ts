import { buildBundles } from './bundles.ts'

/** npm run build: what browsers load. `npm start`, the tests, the benchmarks and the image do this themselves. */
await buildBundles()
