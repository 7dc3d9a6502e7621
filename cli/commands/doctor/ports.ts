import type { Environment } from '../../../services/kernel/process/config.ts'
import { platformPorts } from '../../environment.ts'
import { isFree, type PortSetting } from '../../stack/ports.ts'
import { type Finding, fault, note, ok } from './finding.ts'

/** Checks that every port is free or used by the platform. */
export async function portFindings(env: Environment): Promise<Finding[]> {
  const ports = platformPorts(env)
  const twice = ports.filter((one, index) => ports.findIndex(twin => twin.port === one.port) !== index)
  // Each port is checked once: concurrent checks of one port would conflict.
  const uniquePorts = ports.filter(port => !twice.includes(port))
  const states = await Promise.all(uniquePorts.map(async port => ({ port, state: await stateOf(port) })))
  const strange = states.filter(({ state }) => state === 'other').map(({ port }) => port)
  const listeningCount = states.filter(({ state }) => state === 'platform').length
  const faults = [
    ...twice.map(port => portFault(port, 'is configured twice')),
    ...strange.map(port => portFault(port, 'is in use by another program')),
  ]
  if (faults.length > 0) return faults
  if (listeningCount === ports.length) return [ok('ports', `the platform listens on all ${listeningCount}`)]
  if (listeningCount === 0) return [note('ports', `all ${ports.length} are free: the platform is not running here`)]
  const silent = states.filter(({ state }) => state === 'free').map(({ port }) => `${port.name} (${port.port})`)
  return [note('ports', `the platform listens on ${listeningCount}; nothing on ${silent.join(', ')}`)]
}

const portFault = ({ name, port, setting }: PortSetting, detail: string): Finding =>
  fault(`port ${port}`, `needed by ${name}, but ${detail}`, `stop that program, or set ${setting} to another port`)

async function stateOf({ port, name }: PortSetting): Promise<'free' | 'platform' | 'other'> {
  if (await isFree(port)) return 'free'
  return (await isOurs(port, name)) ? 'platform' : 'other'
}

/** Each kind of port identifies itself differently. */
async function isOurs(port: number, name: string): Promise<boolean> {
  const base = `http://127.0.0.1:${port}`
  const get = async (path: string, init: RequestInit = {}): Promise<string> => {
    const response = await fetch(base + path, { ...init, signal: AbortSignal.timeout(2_000) })
    return response.ok ? response.text() : ''
  }
  try {
    if (name === 'metrics') return (await get('/metrics')).includes('nodejs_version_info')
    if (name === 'sandbox') return (await get('/_inbox?wait=0')).includes('"data"')
    if (!name.endsWith(' RPC')) return (await get('/health')).includes('"service"')
    const json = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
    return (await get('/grpc.health.v1.Health/Check', json)).includes('"status"')
  } catch {
    return false
  }
}
