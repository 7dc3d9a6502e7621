import type { SourceFile } from '../sources.ts'
import { importsOf } from './boundaries.ts'

/** Maximum of files in one folder, tests included. Migrations only grow, and gen is generated. */
const mostFiles = 25
const isUnbounded = (folder: string): boolean => /(^|\/)migrations$|^gen(\/|$)|^third_party(\/|$)/.test(folder)

/**
 * Folders with too many files.
 * @param paths of all files of the project
 */
export function crowded(paths: string[]): string[] {
  const counts = new Map<string, number>()
  for (const path of paths) {
    const folder = path.split('/').slice(0, -1).join('/') || '.'
    counts.set(folder, (counts.get(folder) ?? 0) + 1)
  }
  return [...counts]
    .filter(([folder, count]) => count > mostFiles && !isUnbounded(folder))
    .map(([folder, count]) => `${folder}: ${count} files, at most ${mostFiles}`)
}

/**
 * A part of the tree whose folders must import each other without cycles: the kernel, each service, edge, the web
 * client, cli.
 */
const houseOf = (path: string): string | undefined =>
  /^(services\/[\w-]+|edge\/front\/app|edge|cli)(?=\/)/.exec(path)?.[0]

/** A file's room: the name of its folder, or of the file itself at the top of its house. */
function roomOf(house: string, path: string): string {
  const [first = ''] = path.slice(house.length + 1).split('/')
  return first
}

/** Rooms of a house with the rooms they import; each arrow has one example import. */
type House = { name: string; arrows: Map<string, Map<string, string>> }

/** Every house with its rooms, without tests. */
export function houses(files: SourceFile[]): House[] {
  const houseByName = new Map<string, House>()
  for (const file of files) {
    const name = houseOf(file.path)
    if (!name || file.path.endsWith('.test.ts') || file.path.includes('/fixtures/')) continue
    const house = houseByName.get(name) ?? { name, arrows: new Map<string, Map<string, string>>() }
    houseByName.set(name, house)
    const from = roomOf(name, file.path)
    const to = house.arrows.get(from) ?? new Map<string, string>()
    house.arrows.set(from, to)
    for (const target of importsOf(file)) {
      if (houseOf(target) !== name) continue
      const room = roomOf(name, target)
      if (room !== from && !to.has(room)) to.set(room, `${file.path} imports ${target}`)
    }
  }
  return [...houseByName.values()]
}

/** All files as rooms of one house, without tests. An import of types counts as well: it ties two files to each other. */
export function houseOfFiles(files: SourceFile[]): House {
  const paths = new Set(files.map(({ path }) => path).filter(path => !/\.(test|trial)\.tsx?$/.test(path)))
  const arrowsOf = (file: SourceFile): [string, string][] =>
    importsOf(file)
      .filter(target => paths.has(target))
      .map(target => [target, `${file.path} imports ${target}`])
  const readFiles = files.filter(({ path }) => paths.has(path))
  return { name: 'files', arrows: new Map(readFiles.map(file => [file.path, new Map(arrowsOf(file))])) }
}

/** Import cycles between rooms of one house, with the imports that cause them. */
export function circles(houses: House[]): string[] {
  return houses.flatMap(({ name, arrows }) =>
    [...arrows.keys()].flatMap(room => {
      const way = wayBack(arrows, room)
      // Each cycle is reported once, from its first room.
      if (!way || way.some(step => step < room)) return []
      const imports = way.map((from, index) => arrows.get(from)?.get(way[(index + 1) % way.length] ?? '') ?? '')
      return [`${name}: ${[...way, room].join(' → ')}\n  ${imports.join('\n  ')}`]
    }),
  )
}

/** The shortest cycle through a room; undefined without a cycle. */
function wayBack(arrows: House['arrows'], start: string): string[] | undefined {
  const ways: string[][] = [[start]]
  const visited = new Set<string>()
  for (const way of ways)
    for (const next of arrows.get(way.at(-1) ?? '')?.keys() ?? []) {
      if (next === start) return way
      if (visited.has(next)) continue
      visited.add(next)
      ways.push([...way, next])
    }
  return undefined
}

/** Each house as one line of a table: its floors from top to bottom. A room imports only rooms of floors below it. */
export function picture(houses: House[]): string {
  const lines = houses.flatMap(({ name, arrows }) => {
    const floors = floorsOf(arrows)
    return floors.length > 1 ? [`| ${name.replace('services/', '')} | ${floors.join(' → ')} |`] : []
  })
  return ['| Part | Folders, from top to bottom |', '|---|---|', ...lines].join('\n')
}

/** The folders of each floor. Files at the top of a house are left out. */
function floorsOf(arrows: House['arrows']): string[] {
  const isRoom = (room: string): boolean => !room.includes('.') && room !== 'migrations'
  const heights = new Map<string, number>()
  const heightOf = (room: string): number => {
    const height = heights.get(room)
    if (height !== undefined) return height
    heights.set(room, 0)
    const below = [...(arrows.get(room)?.keys() ?? [])].filter(isRoom)
    const computed = Math.max(0, ...below.map(target => heightOf(target) + 1))
    heights.set(room, computed)
    return computed
  }
  const importedRooms = [...arrows.values()].flatMap(below => [...below.keys()])
  const rooms = [...new Set([...arrows.keys(), ...importedRooms])].filter(isRoom).toSorted()
  const floors: string[][] = []
  for (const room of rooms) (floors[heightOf(room)] ??= []).push(room)
  return floors.toReversed().map(floor => floor.join(', '))
}
