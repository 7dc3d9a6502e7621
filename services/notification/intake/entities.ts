import { events } from '../../../gen/events.ts'
import { type EventEntities, entitiesOf, type NamedEntity } from '../../kernel/bus/event-option.ts'

const byType = new Map([...events].map(([type, desc]) => [type, entitiesOf(desc)]))

/** What an event says about entities; undefined for a type that only others emit. */
export const entitiesOfType = (type: string): EventEntities | undefined => byType.get(type)

/** The entity that an event of this type is about. */
export const entityOf = (type: string): NamedEntity => entitiesOfType(type)?.entity ?? { kind: type, field: 'id' }
