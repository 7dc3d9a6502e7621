import { runPlatform } from './platform.ts'

/** `npm start`: starts the whole platform, from nothing. */
await runPlatform()
