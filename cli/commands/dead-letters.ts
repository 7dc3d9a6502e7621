import type { Json } from '../tour/client.ts'
import { accessOptions, queryOf, request } from './access.ts'
import { type Command, CommandError, exitCodes, textOf } from './command.ts'
import { cell, count, table, time } from './print.ts'

const path = '/api/v1/dead-letters'
const place = (id: string | undefined): string => `${path}/${encodeURIComponent(id ?? '')}`

const which = {
  type: { value: 'text', help: 'only types that contain this text, such as page.created; keys of unreadable messages' },
  consumer: { value: 'text', help: 'only consumers whose name contains this text' },
  reason: { value: 'text', help: 'only reasons that contain this text' },
  exact: { help: 'matches whole types, consumers and reasons' },
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
      const query = queryOf({ ...filterOf(ask), page: textOf(ask.given, 'page'), limit: textOf(ask.given, 'limit') })
      const data = await request(ask, 'notification', 'GET', `${path}${query}`)
      const letters: Json[] = data['data'] ?? []
      const head = ['id', 'type', 'consumer', 'attempts', 'dead-lettered (UTC)', 'reason']
      const shown = letters.map(each => [
        cell(each['id']),
        // An unreadable message has no type.
        cell(each['type'] ?? each['key']),
        cell(each['consumer']),
        cell(each['attempts']),
        time(each['failedAt']),
        cell(each['reason']),
      ])
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
    options: { all: { help: 'every dead letter that matches the filters' }, ...which, ...accessOptions },
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

type Ask = Parameters<Command['run']>[0]

/** The filters of a list or a redrive, as query texts. */
function filterOf({ given }: Ask): Record<string, string | undefined> {
  const texts = ['type', 'consumer', 'reason'].map(name => [name, textOf(given, name)])
  return { ...Object.fromEntries(texts), exact: given['exact'] ? 'true' : undefined }
}

async function redriveAll(ask: Ask) {
  const given = Object.entries(filterOf(ask)).filter(([, value]) => value !== undefined)
  const filter = Object.fromEntries(given.map(([name, value]) => [name, name === 'exact' ? true : value]))
  const data = await request(ask, 'notification', 'POST', `${path}/redrive`, filter)
  const [redriven, remaining] = [Number(data['redriven']), Number(data['remaining'])]
  const rest = remaining > 0 ? ` ${remaining} remaining: run the command again.` : ''
  return { data, text: `${count(redriven, 'dead letter')} redriven.${rest}` }
}
