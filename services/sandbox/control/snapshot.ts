import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../kernel/process/log.ts'
import type { Application, ChatStore } from '../chat/store.ts'
import type { Customer, PaymentStore, Subscription, WebhookEndpoint } from '../payment/store.ts'
import type { Mail, Push, State } from '../state.ts'

type Kept = {
  mails: Mail[]
  pushes: Push[]
  applications: Application[]
  customers: Customer[]
  subscriptions: Subscription[]
  endpoints: WebhookEndpoint[]
}
const quietMs = 300
const keptMails = 1000

/**
 * Saves the state in one JSON file, so that a restarted platform finds its applications, customers and mails. Written
 * shortly after the last change, by rename; an unreadable file is set aside with a warning.
 */
export function keepSnapshot(dataDir: string, state: State, applications: ChatStore, payment: PaymentStore, log: Log) {
  mkdirSync(dataDir, { recursive: true })
  const path = join(dataDir, 'sandbox.json')
  load()
  let timer: NodeJS.Timeout | undefined
  let lastMs = 0

  function load() {
    try {
      const kept = JSON.parse(readFileSync(path, 'utf8')) as Kept
      for (const mail of kept.mails) state.mails.add(mail)
      for (const push of kept.pushes) state.pushes.add(push)
      for (const each of kept.applications) applications.set(each.app_id, each)
      for (const each of kept.customers) payment.customers.set(each.id, each)
      for (const each of kept.subscriptions) payment.subscriptions.set(each.id, each)
      for (const each of kept.endpoints) payment.endpoints.set(each.id, each)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        log.warn({ path }, 'sandbox state file is unreadable; starting empty')
    }
  }

  function save() {
    clearTimeout(timer)
    timer = undefined
    const started = Date.now()
    const kept: Kept = {
      mails: state.mails.items.slice(-keptMails),
      pushes: state.pushes.items.slice(-keptMails),
      applications: [...applications.values()],
      customers: [...payment.customers.values()],
      subscriptions: [...payment.subscriptions.values()],
      endpoints: [...payment.endpoints.values()],
    }
    try {
      // Chat tokens and mails.
      writeFileSync(`${path}.new`, JSON.stringify(kept), { mode: 0o600 })
      renameSync(`${path}.new`, path)
      lastMs = Date.now() - started
    } catch (error) {
      log.warn({ path, reason: (error as Error).message }, 'sandbox state not saved')
    }
  }

  state.news.on('changed', () => {
    // Saves a large state less often, so that saving takes at most a twentieth of the time.
    timer ??= setTimeout(save, Math.max(quietMs, lastMs * 20)).unref()
  })
  return { save }
}
