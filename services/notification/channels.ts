import type { Channel } from '../kernel/bus/events.ts'

const bits: Readonly<Record<Channel, number>> = { push: 1, email: 2, socket: 4, app: 8 }

/** All channels, in the order in which lists print them. */
export const allChannels = Object.keys(bits) as Channel[]

export const push = bits.push
export const email = bits.email
export const socket = bits.socket
export const app = bits.app

/** Channels as the stored bits. */
export const maskOf = (channels: Iterable<string>): number => {
  let mask = 0
  for (const channel of channels) mask |= isChannel(channel) ? bits[channel] : 0
  return mask
}

/** Channels of stored bits. */
export const channelsOf = (mask: number): Channel[] => allChannels.filter(channel => mask & bits[channel])

const isChannel = (name: string): name is Channel => Object.hasOwn(bits, name)
