import { main } from './commands/main.ts'

/** `npm run platform -- <command>`: the operator's commands for a running platform. */
process.exit(await main(process.argv.slice(2)))
