import type { LooseJson } from '../tour/client.ts'
import { accessOptions, queryOf, request } from './access.ts'
import { type CliCommand, CommandError, exitCodes, textOf } from './command.ts'
import { cell, count, table, time } from './print.ts'

const path = '/api/v1/dead-letters'
const place = (id: string | undefined): string => `${path}/${encodeURIComponent(id ?? '')}`

const filterOptions = {
  type: { value: 'text', help: 'only types that contain this text, such as page.created; keys of unreadable messages' },
  consumer: { value: 'text', help: 'only consumers whose name contains this text' },
  reason: { value: 'text', help: 'only reasons that contain this text' },
  exact: { help: 'matches whole types, consumers and reasons' },
}

/** Lists, shows, redrives and discards dead letters. */
export const deadLetterCommands: CliCommand[] = [
  {
    name: 'dead-letters list',
    summary: 'dead letters, newest first',
    options: {
      ...filterOptions,
      page: { value: 'number', help: 'page of the list, from 1' },
      limit: { value: 'number', help: 'dead letters per page, at most 100' },
      ...accessOptions,
    },
    async run(ask) {
      const query = queryOf({
        ...filterOf(ask),
        page: textOf(ask.optionValues, 'page'),
        limit: textOf(ask.optionValues, 'limit'),
      })
      const data = await request(ask, 'notification', 'GET', `${path}${query}`)
      const letters: LooseJson[] = data['data'] ?? []
      const head = ['id', 'type', 'consumer', 'attempts', 'dead-lettered (UTC)', 'reason']
      const rows = letters.map(letter => [
        cell(letter['id']),
        // An unreadable message has no type.
        cell(letter['type'] ?? letter['key']),
        cell(letter['consumer']),
        cell(letter['attempts']),
        time(letter['failedAt']),
        cell(letter['reason']),
      ])
      const total = Number(data['meta']?.['total'] ?? 0)
      const text = total === 0 ? 'No dead letters.' : `${table(head, rows)}\n\n${count(total, 'dead letter')} in total.`
      return { data, text }
    },
  },
  {
    name: 'dead-letters show',
    summary: 'one dead letter with its content',
    words: ['id'],
    options: accessOptions,
    async run(ask) {
      const data = await request(ask, 'notification', 'GET', place(ask.words[0]))
      return { data, text: JSON.stringify(data, null, 2) }
    },
  },
  {
    name: 'dead-letters redrive',
    summary: 'redrives a dead letter, or with --all every one that matches',
    words: ['id?'],
    options: { all: { help: 'every dead letter that matches the filters' }, ...filterOptions, ...accessOptions },
    async run(ask) {
      const [id] = ask.words
      if (Boolean(id) === Boolean(ask.optionValues['all']))
        throw new CommandError('Pass the id of a dead letter, or --all.', exitCodes.usage)
      if (id) {
        const data = await request(ask, 'notification', 'POST', `${place(id)}/redrive`)
        return { data, text: `Dead letter ${id} redriven as message ${data['messageId']}.` }
      }
      return redriveAll(ask)
    },
  },
  {
    name: 'dead-letters discard',
    summary: 'deletes a dead letter permanently',
    words: ['id'],
    options: accessOptions,
    async run(ask) {
      const data = await request(ask, 'notification', 'DELETE', place(ask.words[0]))
      return { data, text: `Dead letter ${ask.words[0]} discarded.` }
    },
  },
]

type Ask = Parameters<CliCommand['run']>[0]

/** The filters of a list or a redrive, as query texts. */
function filterOf({ optionValues }: Ask): Record<string, string | undefined> {
  const texts = ['type', 'consumer', 'reason'].map(name => [name, textOf(optionValues, name)])
  return { ...Object.fromEntries(texts), exact: optionValues['exact'] ? 'true' : undefined }
}

async function redriveAll(ask: Ask) {
  const filters = Object.entries(filterOf(ask)).filter(([, value]) => value !== undefined)
  const filter = Object.fromEntries(filters.map(([name, value]) => [name, name === 'exact' ? true : value]))
  const data = await request(ask, 'notification', 'POST', `${path}/redrive`, filter)
  const [redriven, remaining] = [Number(data['redriven']), Number(data['remaining'])]
  const note = remaining > 0 ? ` ${remaining} remaining: run the command again.` : ''
  return { data, text: `${count(redriven, 'dead letter')} redriven.${note}` }
}
