import { benchAlter } from './alter.ts'
import { benchDay } from './day/day.ts'
import { benchFlat } from './flat.ts'
import { benchFront } from './front.ts'
import { benchGrowth } from './growth.ts'
import { benchHostile } from './hostile.ts'
import { benchList } from './list.ts'
import { benchLive } from './live/live.ts'
import { benchMix } from './mix/mix.ts'
import { benchPictures } from './pictures.ts'
import { benchRestore } from './restore.ts'
import { benchStart } from './start.ts'
import { benchWrites } from './writes.ts'

/** The measurements of bench/README.md, by name. */
export const benches: Record<string, { title: string; run(): Promise<string> | string }> = {
  list: { title: 'GET /api/v1/pages, 20 of 10,000 with author, category and total', run: benchList },
  day: { title: 'A busy hour of hotels with 10,000 people', run: benchDay },
  mix: { title: 'Reads and writes of a hotel, against a plain program', run: benchMix },
  writes: { title: 'What an act costs: statements, commits, messages, processor time', run: benchWrites },
  flat: { title: 'Memory under the load of a day, and at rest', run: benchFlat },
  front: { title: 'The web client on a slow phone', run: benchFront },
  live: { title: 'Sockets: fan-out against socket.io, and memory', run: benchLive },
  hostile: { title: 'What calls without a credential or a tenant cost, whatever their body', run: benchHostile },
  pictures: { title: 'Memory of the process that decodes pictures', run: benchPictures },
  growth: { title: 'The same calls over tables of ten thousand to ten million rows', run: benchGrowth },
  alter: { title: 'Writes while a migration changes their table', run: benchAlter },
  start: { title: 'Start and memory', run: benchStart },
  restore: { title: 'A backup while people write, and its restore', run: benchRestore },
}
