import type { LooseJson } from '../tour/client.ts'
import { accessOptions, queryOf, request } from './access.ts'
import { type CliCommand, textOf } from './command.ts'
import { cell, table, time } from './print.ts'

/** Lists the clients that still call the legacy version. */
export const legacyUsageCommand: CliCommand = {
  name: 'legacy-usage',
  summary: 'clients that still call the legacy version, most calls first',
  options: { days: { value: 'number', help: 'days to look back; default 30' }, ...accessOptions },
  async run(ask) {
    const query = queryOf({ days: textOf(ask.optionValues, 'days') })
    const data = await request(ask, 'legacyauth', 'GET', `/user/legacyUsage${query}`)
    const rows: LooseJson[] = data['data'] ?? []
    const cells = rows.map(row => [
      ...['calls', 'route', 'client'].map(name => cell(row[name])),
      time(row['lastCalledAt']),
    ])
    const text = rows.length === 0 ? 'No legacy calls.' : table(['calls', 'route', 'client', 'last'], cells)
    return { data, text }
  },
}
