import { readFileSync, writeFileSync } from 'node:fs'
import { shapesFile } from '../../../cli/released/record.ts'

/** The kind of a value or `any`; for an object the shapes of its fields, for a list the one of all its elements. */
export type SeenShape = string | { [field: string]: SeenShape } | SeenShape[]
/** Shapes by the operation, event or frame that they were seen of. */
export type SeenShapes = Record<string, SeenShape>

/** Ids as keys, of maps, aren't fields. A cursor is there only if another page follows. */
const isField = (key: string): boolean => !/^[0-9a-f]{24}$/.test(key) && key !== 'nextCursor'

/** Objects that hold what a change or a notification is about, other fields each time. */
const isFree = (key: string, isRecord: boolean): boolean => key === 'changes' || (key === 'data' && isRecord)

function shapeOf(value: unknown, isRecord = false): SeenShape {
  if (value === null || typeof value !== 'object') return value === null ? 'null' : typeof value
  if (!Array.isArray(value))
    return Object.fromEntries(
      Object.entries(value)
        .filter(([key]) => isField(key))
        .map(([key, one]) => [key, isFree(key, isRecord) ? 'any' : shapeOf(one, isRecord)]),
    )
  const [first, ...otherShapes] = value.map(one => shapeOf(one, true))
  return first === undefined ? [] : [otherShapes.reduce(union, first)]
}

/** Adds a value's shape to the one under a name. */
export function addShape(shapes: SeenShapes, name: string, value: unknown): void {
  const shape = shapeOf(value)
  shapes[name] = shapes[name] === undefined ? shape : union(shapes[name], shape)
}

/** What either shape has. */
function union(first: SeenShape, second: SeenShape): SeenShape {
  if (first === 'null') return second
  if (second === 'null') return first
  if (Array.isArray(first) && Array.isArray(second)) {
    const [[firstItem], [secondItem]] = [first, second]
    return firstItem === undefined || secondItem === undefined ? [...first, ...second] : [union(firstItem, secondItem)]
  }
  if (typeof first === 'string' || typeof second === 'string' || Array.isArray(first) || Array.isArray(second))
    return first === second ? first : 'any'
  const shapes: Record<string, SeenShape> = { ...first }
  for (const [key, shape] of Object.entries(second))
    shapes[key] = shapes[key] === undefined ? shape : union(shapes[key], shape)
  return shapes
}

/** What a recorded shape has and the present one doesn't. Null, any and the empty list stand for every value. */
export function lostFrom(record: SeenShape, shape: SeenShape | undefined, place: string): string[] {
  if (shape === undefined) return [`${place} is gone`]
  if ([record, shape].some(one => one === 'null' || one === 'any')) return []
  const kinds = [record, shape].map(one => (Array.isArray(one) ? 'list' : typeof one === 'string' ? one : 'object'))
  if (kinds[0] !== kinds[1]) return [`${place} is ${kinds[1]}, and was ${kinds[0]}`]
  if (typeof record === 'string' || typeof shape === 'string') return []
  if (Array.isArray(record) && Array.isArray(shape))
    return record[0] === undefined || shape[0] === undefined ? [] : lostFrom(record[0], shape[0], `${place}[]`)
  const fields = shape as Record<string, SeenShape>
  return Object.entries(record).flatMap(([key, field]) => lostFrom(field, fields[key], `${place}.${key}`))
}

/** Compares what was seen with the record of the last release. With RECORD_SHAPES it adds what was seen to the record. */
export function lostShapes(shapes: SeenShapes): string[] {
  const record = JSON.parse(readFileSync(shapesFile, 'utf8')) as SeenShapes
  if (process.env['RECORD_SHAPES'] !== 'true')
    return Object.entries(record).flatMap(([name, shape]) => lostFrom(shape, shapes[name], name))
  for (const [name, shape] of Object.entries(shapes)) record[name] = record[name] ? union(record[name], shape) : shape
  const lines = Object.keys(record)
    .toSorted()
    .map(name => `${JSON.stringify(name)}: ${JSON.stringify(record[name])}`)
  writeFileSync(shapesFile, `{\n${lines.join(',\n')}\n}\n`)
  return []
}
