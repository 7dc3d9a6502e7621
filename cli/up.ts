import { fileURLToPath } from 'node:url'
import { runPlatform } from './platform.ts'

/** `npm start`: starts the whole platform, from nothing. */
await runPlatform(fileURLToPath(new URL('./worker.ts', import.meta.url)))
