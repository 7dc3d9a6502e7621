import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type DescFile, type DescMessage, getOption, hasOption } from '@bufbuild/protobuf'
import { fedSubjects, unfedSubjects } from '../../../edge/live/feed.ts'
import { type Event, event as eventOption } from '../../../gen/platform/options/v1/options_pb.ts'
import { type EventEntities, entitiesOf } from '../../../services/kernel/bus/event-option.ts'
import { eventTemplates, slugOf } from '../../../services/notification/texts/default-templates.ts'
import { root } from '../../run.ts'
import type { SourceFile } from '../../sources.ts'
import { type CatalogueFrame, framesOfEvent } from './frames.ts'
import { roomGaps, strayRooms } from './rooms.ts'

/** One event of events/v1, with its uses in the code. */
export type EventEntry = {
  desc: DescMessage
  event: Event
  /** The services that emit it. */
  emitters: string[]
  /** Slug of its notification's template; undefined when it makes no notification. */
  template: string | undefined
  /** Frames that it makes on sockets. */
  frames: CatalogueFrame[]
  entities: EventEntities
}

/** Prefix of the keys of events that become notifications. */
const notificationPrefix = 'platform.notification.'

/** Keys of events that relay frames and store nothing. */
const keysWithoutTemplate = new Set(['platform.notification.socket'])

/** Keys of events whose frame is a marker, which is sent to no socket. */
const keysWithoutFrame = new Set(['platform.member.access_changed'])

const templates = new Set(eventTemplates.map(({ type, category }) => `${type}.${category}`))

/** Every event of the contract, ordered by key. Throws on one that doesn't name its entity. */
export function eventEntries(files: DescFile[], sources: SourceFile[]): EventEntry[] {
  const emitters = emittersIn(sources)
  return files
    .flatMap(file => file.messages)
    .filter(desc => hasOption(desc, eventOption))
    .map(desc => {
      const event = getOption(desc, eventOption)
      const isNotified = event.key.startsWith(notificationPrefix) && templates.has(event.type)
      return {
        desc,
        event,
        emitters: [...(emitters.get(`${desc.name}Schema`) ?? [])].toSorted(),
        template: isNotified ? slugOf(event.type) : undefined,
        frames: framesOfEvent(desc, event),
        entities: entitiesOf(desc),
      }
    })
    .toSorted((a, b) => (a.event.key < b.event.key ? -1 : 1))
}

/**
 * What events lack: an emitter, a template, a row of the feed or an explicit exclusion, a frame of that row, a declared
 * entity, a room filled with the right id, a port with that room.
 */
export function eventGaps(entries: EventEntry[]): string[] {
  const keys = new Set(entries.map(({ event }) => event.key))
  const types = new Set(entries.map(({ event }) => event.type))
  const strays = [...fedSubjects, ...unfedSubjects].filter(key => !keys.has(key))
  const orphans = [...templates].filter(type => !types.has(type))
  const deletable = new Set(
    entries.filter(isNotifiable).flatMap(({ entities: { isDeletion, entity } }) => (isDeletion ? [entity.kind] : [])),
  )
  const frames = new Set(entries.flatMap(entry => entry.frames.map(({ event }) => event)))
  return [
    ...entries.flatMap(entry =>
      [...gapsOf(entry), ...entityGaps(entry, deletable), ...roomGaps(entry.frames, entry.entities)].map(
        gap => `${entry.event.type}: ${gap}`,
      ),
    ),
    ...strayRooms(frames),
    ...strays.map(key => `${key}: is in edge/live/feed.ts, but not in events/v1`),
    ...orphans.map(type => `${type}: has a template, but is not an event`),
  ]
}

function gapsOf({ desc, event, emitters, template, frames }: EventEntry): string[] {
  const { key, type, bare, webhooks } = event
  const isNotified = key.startsWith(notificationPrefix) && !keysWithoutTemplate.has(key)
  const gaps: string[] = []
  if (emitters.length === 0)
    gaps.push(`no service emits it: none has a call such as emit(trx, ${desc.name}Schema, …) outside tests`)
  if (isNotified && template === undefined)
    gaps.push('has no template in services/notification/texts/default-templates.json')
  if (!fedSubjects.has(key) && !unfedSubjects.has(key))
    gaps.push('has no row in edge/live/feed.ts, nor is it in unfedSubjects')
  if (fedSubjects.has(key) && unfedSubjects.has(key))
    gaps.push('has a row in edge/live/feed.ts and is in unfedSubjects')
  if (fedSubjects.has(key) && frames.length === 0 && !keysWithoutFrame.has(key))
    gaps.push(
      'its row in edge/live/feed.ts makes no frame of an example with made-up texts, false flags and zero numbers: ' +
        'a condition of a row asks for a flag that is true when there is no frame',
    )
  if (!bare && !key.endsWith(type)) gaps.push(`its key ${key} does not end in its type`)
  if (!bare && !desc.fields.some(({ jsonName }) => jsonName === 'id')) gaps.push('its payload has no id')
  if (webhooks === undefined) gaps.push('its option does not state whether webhooks carry it: webhooks: true or false')
  if (webhooks && !key.startsWith(notificationPrefix))
    gaps.push(`webhooks carry keys that begin with ${notificationPrefix} only`)
  return gaps
}

const isNotifiable = ({ event }: EventEntry): boolean => event.key.startsWith(notificationPrefix)

/**
 * Entities that an event names without declaring them.
 * @param deletable kinds of entities whose deletion an event reports
 */
function entityGaps(entry: EventEntry, deletable: ReadonlySet<string>): string[] {
  const { desc, event, entities } = entry
  const { entity, isDeletion, needs } = entities
  const gaps: string[] = []
  if (!isDeletion && /(deleted|removed|erased)$/.test(event.type))
    gaps.push('its type reports a deletion: its entity belongs in deletes')
  const declaredKinds = new Set([entity, ...needs].map(({ kind }) => kind))
  for (const { jsonName } of isNotifiable(entry) ? desc.fields : []) {
    const kind = jsonName.replace(/Id$/, '')
    if (kind !== jsonName && deletable.has(kind) && !declaredKinds.has(kind))
      gaps.push(`its ${jsonName} names a ${kind} that can be deleted: needs: "${kind}:{${jsonName}}"`)
  }
  return gaps
}

/** The services' sources, read from the folder: generated files must not depend on git. */
export function serviceSources(): SourceFile[] {
  const names = readdirSync(join(root, 'services'), { recursive: true, encoding: 'utf8' })
  return names
    .filter(name => name.endsWith('.ts'))
    .map(name => ({ path: `services/${name}`, text: readFileSync(join(root, 'services', name), 'utf8') }))
}

/** The services that emit each payload, by the name of its schema. */
export function emittersIn(sources: SourceFile[]): Map<string, Set<string>> {
  const emittersByType = new Map<string, Set<string>>()
  for (const { path, text } of sources) {
    const [area, service = ''] = path.split('/')
    if (area !== 'services' || service === 'kernel' || path.endsWith('.test.ts')) continue
    for (const [, schema = ''] of text.matchAll(/\bemit(?:Bare|All)?\(\s*\w+,\s*(\w+Schema)\b/g))
      emittersByType.set(schema, (emittersByType.get(schema) ?? new Set()).add(service))
  }
  return emittersByType
}
