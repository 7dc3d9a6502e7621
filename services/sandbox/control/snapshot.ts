import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../kernel/process/log.ts'
import type { ChatApplication, ChatStore } from '../chat/store.ts'
import type { Customer, PaymentStore, Subscription } from '../payment/store.ts'
import type { Push, SandboxState, SentMail } from '../state.ts'

type Snapshot = {
  mails: SentMail[]
  pushes: Push[]
  applications: ChatApplication[]
  customers: Customer[]
  subscriptions: Subscription[]
}
const quietMs = 300
const maxMails = 1000

/**
 * Saves the state in one JSON file, so that a restarted platform finds its applications, customers and mails. The
 * file is written shortly after a change, and replaced by a rename. An unreadable file is ignored with a warning.
 */
export function keepSnapshot(
  dataDir: string,
  state: SandboxState,
  applications: ChatStore,
  payment: PaymentStore,
  log: Log,
) {
  mkdirSync(dataDir, { recursive: true })
  const path = join(dataDir, 'sandbox.json')
  load()
  let timer: NodeJS.Timeout | undefined
  let lastSaveMs = 0

  function load() {
    try {
      const snapshot = JSON.parse(readFileSync(path, 'utf8')) as Snapshot
      for (const mail of snapshot.mails) state.mails.add(mail)
      for (const push of snapshot.pushes) state.pushes.add(push)
      for (const application of snapshot.applications) applications.set(application.app_id, application)
      for (const customer of snapshot.customers) payment.customers.set(customer.id, customer)
      for (const subscription of snapshot.subscriptions) payment.subscriptions.set(subscription.id, subscription)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        log.warn({ path }, 'sandbox state file is unreadable; starting empty')
    }
  }

  function save() {
    clearTimeout(timer)
    timer = undefined
    const startMs = Date.now()
    const snapshot: Snapshot = {
      mails: state.mails.items.slice(-maxMails),
      pushes: state.pushes.items.slice(-maxMails),
      applications: [...applications.values()],
      customers: [...payment.customers.values()],
      subscriptions: [...payment.subscriptions.values()],
    }
    try {
      // Readable by the owner alone, because it contains chat tokens and mails.
      writeFileSync(`${path}.new`, JSON.stringify(snapshot), { mode: 0o600 })
      renameSync(`${path}.new`, path)
      lastSaveMs = Date.now() - startMs
    } catch (error) {
      log.warn({ path, reason: (error as Error).message }, 'sandbox state not saved')
    }
  }

  state.news.on('changed', () => {
    // Saves a large state less often, so that saving takes at most a twentieth of the time.
    timer ??= setTimeout(save, Math.max(quietMs, lastSaveMs * 20)).unref()
  })
  return { save }
}
