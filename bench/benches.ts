import { benchAuth } from './auth.ts'
import { benchDay } from './day/day.ts'
import { benchEvents } from './events/events.ts'
import { benchFiles } from './files.ts'
import { benchFlat } from './flat.ts'
import { benchFront } from './front.ts'
import { benchGrowth } from './growth.ts'
import { benchHostile } from './hostile.ts'
import { benchHotels } from './hotels.ts'
import { benchList, benchSplit } from './list.ts'
import { benchLive } from './live/live.ts'
import { benchMembers } from './members.ts'
import { benchJson, benchToken } from './micro.ts'
import { benchMix } from './mix/mix.ts'
import { benchNews } from './news.ts'
import { benchPictures } from './pictures.ts'
import { benchSlow } from './slow.ts'
import { benchStart } from './start.ts'
import { benchStorm } from './storm/storm.ts'
import { benchUploads } from './uploads.ts'

/** The measurements of bench/README.md, by name. */
export const benches: Record<string, { title: string; run(): Promise<string> | string }> = {
  list: { title: 'GET /api/v1/pages, 20 of 10,000 with author, category and total', run: benchList },
  split: { title: 'The same list, one process against a process per service', run: benchSplit },
  members: { title: 'Rights, hierarchy, list and export of members', run: benchMembers },
  news: { title: 'News: lists with each filter, search, page reads with views, comments with events', run: benchNews },
  auth: { title: 'Sign-in and refresh', run: benchAuth },
  hotels: {
    title: 'Set-ups of hotels, reads beside a slow provider, and uploads',
    run: async () => `${await benchHotels()}\n\n${await benchUploads()}`,
  },
  token: { title: 'Access token check', run: benchToken },
  json: { title: 'JSON form of the list', run: benchJson },
  events: { title: 'One event to 1,000 receivers, stored', run: benchEvents },
  day: { title: 'A busy hour of hotels with 10,000 people', run: benchDay },
  mix: { title: 'Reads and writes of a hotel, against a plain program without bus or sockets', run: benchMix },
  flat: { title: 'Memory under the load of a day, and at rest', run: benchFlat },
  live: { title: 'Sockets: fan-out against socket.io, and memory', run: benchLive },
  storm: { title: 'Edges killed under open sockets', run: benchStorm },
  slow: { title: 'Others’ waiting while 2,000 connections trickle', run: benchSlow },
  hostile: { title: 'What calls without a credential or a tenant cost, whatever their body', run: benchHostile },
  pictures: { title: 'Memory of the process that decodes pictures', run: benchPictures },
  files: { title: 'Files of its service that a call runs through', run: benchFiles },
  front: { title: 'The web client on a phone and a slow network', run: benchFront },
  growth: { title: 'The same questions over tables of ten thousand to ten million rows', run: benchGrowth },
  start: { title: 'Start and memory', run: benchStart },
}
