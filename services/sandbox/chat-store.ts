import type { Response } from 'express'

export type Application = {
  app_id: string
  app_name: string
  api_token: string
  region: { region_key: string; region_name: string }
  created_at: string
  is_active: boolean
  users: Record<string, { nickname: string; profile_url: string }>
  channels: Record<string, { name: string; members: string[] }>
  messages: { at: number; user: string }[]
}

export type ChatStore = Map<string, Application>

/** The chat provider's error body: always {error, code, message}. */
export function chatError(res: Response, status: number, code: number, message: string) {
  res.status(status).json({ error: true, code, message })
}

/** Whole figures of an application: everyone and every channel, the messages and their authors since midnight UTC. */
export function statistics(application: Application) {
  const midnight = new Date().setUTCHours(0, 0, 0, 0)
  const today = application.messages.filter(message => message.at >= midnight)
  return {
    users_count: Object.keys(application.users).length,
    channels_count: Object.keys(application.channels).length,
    messages_today: today.length,
    active_users_today: new Set(today.map(message => message.user)).size,
  }
}

/** A whole number from a query within its bounds, else the default. */
export const bounded = (value: unknown, fallback: number, min: number, max: number): number =>
  typeof value === 'string' && /^\d{1,9}$/.test(value) ? Math.min(max, Math.max(min, Number(value))) : fallback
