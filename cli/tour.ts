import { main } from './commands/main.ts'

/** `npm run tour`: short for `platform tour`. */
process.exit(await main(['tour', ...process.argv.slice(2)]))
