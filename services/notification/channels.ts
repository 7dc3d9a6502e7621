import type { Channel } from '../kernel/bus/events.ts'

const bitByChannel: Readonly<Record<Channel, number>> = { push: 1, email: 2, socket: 4, app: 8 }

/** All channels, in the order in which lists print them. */
export const allChannels = Object.keys(bitByChannel) as Channel[]

export const pushBit = bitByChannel.push
export const emailBit = bitByChannel.email
export const socketBit = bitByChannel.socket
export const appBit = bitByChannel.app

/** Channels as the stored bits. */
export const maskOf = (channels: Iterable<string>): number => {
  let mask = 0
  for (const channel of channels) mask |= isChannel(channel) ? bitByChannel[channel] : 0
  return mask
}

/** Channels of stored bits. */
export const channelsOf = (mask: number): Channel[] => allChannels.filter(channel => mask & bitByChannel[channel])

const isChannel = (name: string): name is Channel => Object.hasOwn(bitByChannel, name)
