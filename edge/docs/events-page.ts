import { readFileSync } from 'node:fs'
import { escapeHtml } from '../../services/kernel/base/text.ts'

type Ref = { $ref: string }
type Message = {
  name: string
  summary?: string
  description?: string
  tags?: { name: string }[]
  payload: object
  examples: { payload: unknown }[]
}
/** The parts of gen/asyncapi.json that the page shows. */
type AsyncApi = {
  info: { title: string; description: string }
  operations: Record<string, { action: 'send' | 'receive'; channel: Ref; messages: Ref[] }>
  components: { messages: Record<string, Message> }
}

/** The AsyncAPI document as it is served. */
export const asyncApiText: string = readFileSync(new URL('../../gen/asyncapi.json', import.meta.url), 'utf8')

/** A text from the protos as HTML: backticks become code. */
const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const lastOf = ({ $ref }: Ref): string => ($ref.split('/').at(-1) ?? '').replaceAll('~1', '/')

/** The page of events and frames: every message with its channels, schema and example. `{base}` stands for the pages' place. */
export function eventsContent(): string {
  const { info, operations, components } = JSON.parse(asyncApiText) as AsyncApi
  const operationsOf = (key: string) =>
    Object.values(operations).filter(({ messages }) => messages.some(ref => lastOf(ref) === key))
  const groupOf = ([key, { tags = [] }]: [string, Message]): string => {
    if (tags.length > 0) return `Events of ${tags.map(({ name }) => name).join(', ')}`
    return operationsOf(key).some(({ action }) => action === 'send') ? 'Frames to clients' : 'Frames from clients'
  }
  const groups = [...Map.groupBy(Object.entries(components.messages), groupOf)].toSorted(([a], [b]) => (a < b ? -1 : 1))
  const article = ([key, { name, summary = '', description = '', payload, examples }]: [string, Message]) => {
    const channels = operationsOf(key).map(({ channel }) => `<code>${escapeHtml(lastOf(channel))}</code>`)
    const example = JSON.stringify(examples[0]?.payload, null, 2)
    return `<details id="${key}">
  <summary><code>${escapeHtml(name)}</code> ${prose(summary)}</summary>
  <p>${channels.join(', ')}. ${prose(description)}</p>
  <pre tabindex="0" aria-label="Example of ${key}">${escapeHtml(example)}</pre>
  <pre tabindex="0" aria-label="Schema of ${key}">${escapeHtml(JSON.stringify(payload, null, 2))}</pre>
</details>`
  }
  return `<main class="messages">
      <h1>${info.title}</h1>
      <p>${prose(info.description)}</p>
      <p>For programs: <a href="{base}/asyncapi.json">asyncapi.json</a></p>
      ${groups.map(([title, messages]) => `<h2>${title}</h2>${messages.map(article).join('')}`).join('')}
    </main>`
}
