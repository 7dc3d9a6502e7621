import { main } from './commands/main.ts'

/** `npm run tour`: `platform tour` under a name of its own. */
process.exit(await main(['tour', ...process.argv.slice(2)]))
