import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { houses, picture } from '../checks/rooms.ts'
import { root } from '../run.ts'
import { sources } from '../sources.ts'

const path = 'docs/architecture.md'
const [begin, end] = ['<!-- rooms: written by npm run gen -->', '<!-- rooms end -->']

/** docs/architecture.md with the current rooms between its two marks. */
export function architectureText(): string {
  const text = readFileSync(join(root, path), 'utf8')
  const [before, tail = ''] = text.split(begin)
  const [, after] = tail.split(end)
  if (after === undefined) throw new Error(`${path} lacks its markers: ${begin} and ${end}`)
  return `${before}${begin}\n\n${picture(houses(sources()))}\n\n${end}${after}`
}
