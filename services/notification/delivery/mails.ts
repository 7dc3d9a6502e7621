import { MailService } from '../../../gen/platform/notification/v1/mail_pb.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import { newId } from '../../kernel/base/ids.ts'
import type { Cipher } from '../../kernel/base/secrets.ts'
import { inTransaction } from '../../kernel/database/database.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { languageOf } from '../audience.ts'
import type { Context } from '../context.ts'
import { sealMail } from '../mails/queued.ts'
import type { Templates } from '../texts/templates.sql.ts'
import type { Deliveries } from './deliveries.ts'
import { deliveryByKey, insertDeliveries } from './sql.ts'

type Parts = Pick<Context, 'db'> & { templates: Templates; mails: Cipher; deliveries: Pick<Deliveries, 'wake'> }

/** Mails to an address, enqueued by other services. */
export const mailService = ({ db, templates, mails, deliveries }: Parts): Rpc =>
  implement(MailService, {
    async sendMail({ to, toName = '', slug, variables, language, idempotencyKey, fallbackLanguage, ecosystemId }) {
      if (!(await templates.find(slug))) throw new NotFoundError(`Template not found: ${slug}`)
      const id = newId()
      // Keeps keys of callers apart from those of events.
      const key = idempotencyKey ? `mail:${idempotencyKey}` : null
      const languageField = language === undefined ? {} : { language: languageOf(language) }
      const fallbackField = fallbackLanguage === undefined ? {} : { fallbackLanguage: languageOf(fallbackLanguage) }
      const hotelField = ecosystemId === undefined ? {} : { ecosystemId }
      const mail = { to, toName, slug, variables, ...languageField, ...fallbackField, ...hotelField }
      const delivery = {
        id,
        notification_id: null,
        workspace_id: '',
        member_id: null,
        lane: 'email' as const,
        subscription_id: null,
        sealed_mail: sealMail(mails, mail),
        idempotency_key: key,
      }
      await inTransaction(db, trx => insertDeliveries(trx, [delivery]))
      const deliveryId = key === null ? id : await deliveryByKey(db, key)
      deliveries.wake()
      return { id: deliveryId ?? id, queued: deliveryId === id }
    },
  })
