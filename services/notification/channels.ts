import type { Channel } from '../kernel/bus/events.ts'

const bits: Readonly<Record<Channel, number>> = { push: 1, email: 2, socket: 4, app: 8 }

/** Every channel, in the order in which lists print them. */
export const allChannels = Object.keys(bits) as Channel[]

export const push = bits.push
export const email = bits.email
export const socket = bits.socket

/** A set of channels as the number that is stored. */
export const maskOf = (channels: Iterable<string>): number => {
  let mask = 0
  for (const channel of channels) mask |= isChannel(channel) ? bits[channel] : 0
  return mask
}

/** The channels of a stored number. */
export const channelsOf = (mask: number): Channel[] => allChannels.filter(channel => mask & bits[channel])

const isChannel = (name: string): name is Channel => Object.hasOwn(bits, name)
