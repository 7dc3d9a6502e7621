import { fileURLToPath } from 'node:url'
import { runPlatform } from './platform.ts'

/** `npm start`: the whole platform, from nothing to every address. */
await runPlatform(fileURLToPath(new URL('./worker.ts', import.meta.url)))
