import { main } from './commands/main.ts'

/** `npm run platform -- <command>`: what operators ask of a running platform. */
process.exit(await main(process.argv.slice(2)))
