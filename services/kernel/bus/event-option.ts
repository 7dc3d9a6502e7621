import { type DescMessage, getOption, ScalarType } from '@bufbuild/protobuf'
import { type Event, event as eventOption } from '../../../gen/platform/options/v1/options_pb.ts'

/** An entity that an event names: its kind, such as page, and the payload's field with its id. */
export type NamedEntity = { kind: string; field: string }

/** What an event says about entities. */
export type EventEntities = {
  /** The entity that it is about. */
  entity: NamedEntity
  /** Whether it reports the deletion of that entity. */
  isDeletion: boolean
  /** Further entities whose deletion silences it. */
  needs: NamedEntity[]
}

/** Reads the entities of an event from its option. Throws on an option that names none, or no field of the payload. */
export function entitiesOf(desc: DescMessage, event: Event = getOption(desc, eventOption)): EventEntities {
  const { type, about, deletes, needs } = event
  if ((about === '') === (deletes === ''))
    throw new Error(`${type}: either about or deletes must name its entity, as in page:{id}`)
  const parseEntity = (text: string): NamedEntity => {
    const [, kind = '', field = ''] = /^([a-z]+):\{(\w+)\}$/.exec(text) ?? []
    if (!field) throw new Error(`${type}: "${text}" is not an entity such as page:{id}`)
    if (!desc.fields.some(({ jsonName, scalar }) => jsonName === field && scalar === ScalarType.STRING))
      throw new Error(`${type}: "${text}" names ${field}, which is not a text field`)
    return { kind, field }
  }
  return { entity: parseEntity(about || deletes), isDeletion: deletes !== '', needs: needs.map(parseEntity) }
}
