import type { Json } from '../tour/client.ts'
import { accessOptions, queryOf, request } from './access.ts'
import { type Command, CommandError, exitCodes, textOf } from './command.ts'
import { cell, count, table, time } from './print.ts'

const path = '/api/v1/dead-letters'
const place = (id: string | undefined): string => `${path}/${encodeURIComponent(id ?? '')}`

const which = {
  type: { value: 'type', help: 'only events of this type, such as page.created' },
  consumer: { value: 'name', help: 'only dead letters of this consumer' },
}

/** Lists, shows, redrives and discards dead letters. */
export const deadLetterCommands: Command[] = [
  {
    name: 'dead-letters list',
    summary: 'dead letters, newest first',
    options: {
      ...which,
      page: { value: 'number', help: 'page of the list, from 1' },
      limit: { value: 'number', help: 'dead letters per page, at most 100' },
      ...accessOptions,
    },
    async run(ask) {
      const names = ['type', 'consumer', 'page', 'limit']
      const query = queryOf(Object.fromEntries(names.map(name => [name, textOf(ask.given, name)])))
      const data = await request(ask, 'notification', 'GET', `${path}${query}`)
      const letters: Json[] = data['data'] ?? []
      const rows = letters.map(each => ['id', 'type', 'consumer', 'attempts'].map(name => cell(each[name])))
      const shown = rows.map((row, at) => [...row, time(letters[at]?.['failedAt']), cell(letters[at]?.['reason'])])
      const head = ['id', 'type', 'consumer', 'attempts', 'dead-lettered', 'reason']
      const total = Number(data['meta']?.['total'] ?? 0)
      const text =
        total === 0 ? 'No dead letters.' : `${table(head, shown)}\n\n${count(total, 'dead letter')} in total.`
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
    options: { all: { help: 'every dead letter that matches --type and --consumer' }, ...which, ...accessOptions },
    async run(ask) {
      const [id] = ask.words
      if (Boolean(id) === Boolean(ask.given['all']))
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

async function redriveAll(ask: Parameters<Command['run']>[0]) {
  const [type, consumer] = [textOf(ask.given, 'type'), textOf(ask.given, 'consumer')]
  const data = await request(ask, 'notification', 'POST', `${path}/redrive`, {
    ...(type === undefined ? {} : { type }),
    ...(consumer === undefined ? {} : { consumer }),
  })
  const [redriven, remaining] = [Number(data['redriven']), Number(data['remaining'])]
  const rest = remaining > 0 ? ` ${remaining} remaining: run the command again.` : ''
  return { data, text: `${count(redriven, 'dead letter')} redriven.${rest}` }
}
