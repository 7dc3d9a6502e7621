import type { LooseJson } from '../tour/client.ts'
import { accessOptions, queryOf, request } from './access.ts'
import { type CliCommand, textOf } from './command.ts'
import { cell, count, table, time } from './print.ts'

const place = (id: string | undefined): string => `/hotel/setups/${encodeURIComponent(id ?? '')}`

/** The runs that set up and delete hotels. */
export const setupCommands: CliCommand[] = [
  {
    name: 'setups list',
    summary: 'runs that set up or delete hotels, newest first',
    options: {
      status: { value: 'status', help: 'running, completed, undoing, undone or parked' },
      hotel: { value: 'id', help: 'only runs of this hotel' },
      page: { value: 'number', help: 'page of the list, from 1' },
      limit: { value: 'number', help: 'runs per page, at most 100' },
      ...accessOptions,
    },
    async run(ask) {
      const [status, hotelId, page, limit] = ['status', 'hotel', 'page', 'limit'].map(name =>
        textOf(ask.optionValues, name),
      )
      const data = await request(ask, 'hotel', 'GET', `/hotel/setups${queryOf({ status, hotelId, page, limit })}`)
      const runs: LooseJson[] = data['data'] ?? []
      const rows = runs.map(run => [
        ...['id', 'kind', 'status', 'hotelName'].map(name => cell(run[name])),
        time(run['updatedAt']),
        cell(run['error']),
      ])
      const total = Number(data['meta']?.['total'] ?? 0)
      const head = ['id', 'kind', 'status', 'hotel', 'changed', 'error']
      return { data, text: total === 0 ? 'No runs.' : `${table(head, rows)}\n\n${count(total, 'run')} in total.` }
    },
  },
  {
    name: 'setups show',
    summary: 'one run with its steps',
    words: ['id'],
    options: accessOptions,
    async run(ask) {
      const data = await request(ask, 'hotel', 'GET', place(ask.words[0]))
      return { data, text: described(data) }
    },
  },
  {
    name: 'setups resume',
    summary: 'resumes a parked run at the step that failed',
    words: ['id'],
    options: accessOptions,
    async run(ask) {
      const data = await request(ask, 'hotel', 'POST', `${place(ask.words[0])}/resume`)
      return { data, text: described(data) }
    },
  },
]

function described(run: LooseJson): string {
  const steps: LooseJson[] = run['steps'] ?? []
  const rows = steps.map(step => ['position', 'name', 'status', 'attempts', 'error'].map(name => cell(step[name])))
  const error = run['error'] ? `\n${cell(run['error'])}` : ''
  const title = `${cell(run['kind'])} of ${cell(run['hotelName'])}: ${cell(run['status'])}${error}`
  return `${title}\n\n${table(['step', 'name', 'status', 'attempts', 'error'], rows)}`
}
