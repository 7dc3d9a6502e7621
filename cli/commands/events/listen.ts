import { type CliCommand, CommandError, type CommandRequest, exitCodes, textOf } from '../command.ts'
import { asPerson, personOptions, workspaceOf } from '../person.ts'
import type { HotelEvent } from './listener.ts'
import { showFrames } from './rooms.ts'
import { forwardEvents } from './webhook.ts'

/** Shows a hotel's events until it is interrupted. */
export const listenCommand: CliCommand = {
  name: 'listen',
  summary: "shows a hotel's events as they happen, until Ctrl-C",
  options: {
    workspace: { value: 'id', help: 'where to listen; default: the hotel of the person' },
    type: { value: 'types', help: 'only these, such as page.* or comment.created,like.created' },
    forward: { value: 'url', help: 'has the platform post webhooks there meanwhile, and shows these instead' },
    count: { value: 'number', help: 'ends after this many lines' },
    ...personOptions,
  },
  async run(ask) {
    const count = textOf(ask.optionValues, 'count')
    if (count !== undefined && !/^[1-9]\d*$/.test(count))
      throw new CommandError('--count is a whole number from 1.', exitCodes.usage)
    return asPerson(ask, async client => {
      const ending = Promise.withResolvers<void>()
      let remainingCount = Number(count ?? Infinity)
      const show = (event: HotelEvent): void => {
        if (remainingCount <= 0) return
        print(ask, event)
        if (--remainingCount === 0) ending.resolve()
      }
      const isChosen = typeFilter(textOf(ask.optionValues, 'type'))
      const listener = { ask, client, workspaceId: await workspaceOf(ask, client), isChosen, show, ending }
      const signals = ['SIGINT', 'SIGTERM'] as const
      for (const signal of signals) process.once(signal, ending.resolve)
      const address = textOf(ask.optionValues, 'forward')
      try {
        await (address === undefined ? showFrames(listener) : forwardEvents(listener, address))
      } finally {
        for (const signal of signals) process.off(signal, ending.resolve)
      }
      return { data: undefined, text: '' }
    })
  },
}

/** Whether a type matches one of the comma-separated patterns; by default every one but the count of what is unread. */
function typeFilter(patterns: string | undefined): (type: string) => boolean {
  if (patterns === undefined) return type => type !== 'notification:count'
  const matchers = patterns.split(',').map(
    pattern =>
      new RegExp(
        `^${pattern
          .trim()
          .replaceAll(/[^\w*:-]/g, '\\$&')
          .replaceAll('*', '.*')}$`,
      ),
  )
  return type => matchers.some(matcher => matcher.test(type))
}

function print(ask: CommandRequest, event: HotelEvent): void {
  const { type, timestamp, data, answer } = event
  const text = JSON.stringify(data)
  const line = `${timestamp.slice(11, 19)}  ${type.padEnd(18)}  ${text.length > 160 ? `${text.slice(0, 160)}…` : text}`
  ask.stream(answer === undefined ? line : `${line}\n          → ${answer}`, event)
}
