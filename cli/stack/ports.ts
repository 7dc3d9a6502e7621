import { randomInt } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { LaunchError } from './messages.ts'

/** A port to listen on: its purpose, and the setting that moves it. */
export type PortSetting = { name: string; setting: string; port: number; host?: string }

/** Tries to listen: returns the port (a free one for 0), or the error's code. */
function tryListen(port: number, host?: string): Promise<number | string> {
  return new Promise(resolve => {
    const server = createServer()
    server.once('error', error => resolve((error as NodeJS.ErrnoException).code ?? 'unknown'))
    server.listen({ port, ...(host ? { host } : {}), exclusive: true }, () => {
      const chosenPort = (server.address() as AddressInfo).port
      server.close(() => resolve(chosenPort))
    })
  })
}

/**
 * A free port of the loopback: the wanted one if possible, else one just below the ephemeral range, where no outgoing
 * connection takes it before its use or until the next start.
 */
export async function freePort(preferred = 0): Promise<number> {
  if (preferred !== 0 && (await isFree(preferred))) return preferred
  for (let tries = 0; tries < 100; tries++) {
    const port = randomInt(32_000, 32_768)
    if (await isFree(port)) return port
  }
  return Number(await tryListen(0, '127.0.0.1'))
}

/**
 * Starts a server on a free port, the wanted one if possible; on another one if that was taken meanwhile.
 * @param start rejects when the server ended or could not listen
 */
export async function onFreePort<Server>(
  preferred: number | undefined,
  start: (port: number) => Promise<Server>,
): Promise<Server> {
  for (let tries = 0; ; tries++) {
    const port = await freePort(tries === 0 ? preferred : 0)
    try {
      return await start(port)
    } catch (error) {
      if (tries === 3 || (await isFree(port))) throw error
    }
  }
}

/** Whether a port of the loopback is free now. */
export const isFree = async (port: number): Promise<boolean> => typeof (await tryListen(port, '127.0.0.1')) === 'number'

/**
 * Refuses to start on taken ports, naming each with its setting. Checks all interfaces unless a host is given, since a
 * listener on one address takes the port from a listener on all.
 */
export async function checkPorts(ports: PortSetting[]): Promise<void> {
  const faults: string[] = []
  const portsByNumber = new Map<number, PortSetting>()
  for (const port of ports) {
    const duplicate = portsByNumber.get(port.port)
    portsByNumber.set(port.port, port)
    const outcome = duplicate
      ? `also configured for ${duplicate.name} (${duplicate.setting})`
      : await tryListen(port.port, port.host)
    if (typeof outcome === 'number') continue
    const problem =
      outcome === 'EADDRINUSE'
        ? 'in use by another program'
        : outcome === 'EACCES'
          ? 'not permitted for this user'
          : outcome
    faults.push(`Port ${port.port} (${port.name}) is ${problem}: set ${port.setting} to move it.`)
  }
  if (faults.length > 0) throw new LaunchError(faults.join('\n'))
}

/** Ports of an earlier start, so that addresses stay the same while they are free. */
export function readPorts(file: string): Record<string, number> {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return {}
  }
}

/** Stores the servers' ports, for the next start and for the commands. */
export function storePorts(file: string, ports: Record<string, number>): void {
  writeFileSync(file, `${JSON.stringify(ports)}\n`)
}
