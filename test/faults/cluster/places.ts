import { execFileSync } from 'node:child_process'

/** Where a server runs: its address, and the command that enters its network namespace. */
export type Place = { name: string; host: string; enter: readonly string[] }

export const loopback: Place = { name: 'loopback', host: '127.0.0.1', enter: [] }

export type Network = {
  /** The address of the trial itself, on the bridge that joins all places. */
  host: string
  places: Record<string, Place>
  /** Takes a place's link down: its connections stay open, and nothing arrives any more. */
  cut(place: Place): void
  join(place: Place): void
}

const prefix = '10.77.0'
const bridge = 'trial'

function ip(args: string[], lines: string[]): void {
  execFileSync('ip', [...args, '-batch', '-'], { input: lines.join('\n'), stdio: ['pipe', 'ignore', 'inherit'] })
}

/** Joins a network namespace per name by a bridge. The process must run in a separate network namespace. */
export function openNetwork(names: string[]): Network {
  const host = `${prefix}.1`
  ip(
    [],
    [
      'link set dev lo up',
      `link add name ${bridge} type bridge`,
      `address add ${host}/24 dev ${bridge}`,
      `link set dev ${bridge} up`,
      ...names.flatMap(name => [
        `netns add ${name}`,
        `link add name ${name} type veth peer name eth0 netns ${name}`,
        `link set dev ${name} master ${bridge} up`,
      ]),
    ],
  )
  const places = names.map((name, index): Place => {
    const own = `${prefix}.${index + 10}`
    ip(['-netns', name], ['link set dev lo up', `address add ${own}/24 dev eth0`, 'link set dev eth0 up'])
    return { name, host: own, enter: ['nsenter', `--net=/run/netns/${name}`] }
  })
  const set = (place: Place, state: 'up' | 'down') => ip([], [`link set dev ${place.name} ${state}`])
  return {
    host,
    places: Object.fromEntries(places.map(place => [place.name, place])),
    cut: place => set(place, 'down'),
    join: place => set(place, 'up'),
  }
}
