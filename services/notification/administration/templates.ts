import type { JsonObject } from '@bufbuild/protobuf'
import type { HandlerContext } from '@connectrpc/connect'
import { TemplateService } from '../../../gen/platform/notification/v1/templates_pb.ts'
import { maybePerson, personOf, tenantOf } from '../../kernel/access/access.ts'
import { NotFoundError } from '../../kernel/base/errors.ts'
import { messageFields } from '../../kernel/base/fields.ts'
import { frontLink } from '../../kernel/base/front-link.ts'
import type { Language } from '../../kernel/base/language.ts'
import type { Rpc } from '../../kernel/rpc/implement.ts'
import { implement } from '../../kernel/rpc/implement.ts'
import { languageOf } from '../audience.ts'
import { allChannels, channelsOf, maskOf } from '../channels.ts'
import type { Config } from '../config.ts'
import { storeDirect } from '../intake/direct.ts'
import type { Intake } from '../intake/events.ts'
import { brandOf } from '../mails/mail-parts.ts'
import { templateMail } from '../mails/template-mail.ts'
import type { TextTemplateRow } from '../tables.ts'
import { mailColumn } from '../texts/event-texts.ts'
import { missingIn, render } from '../texts/rendering.ts'
import { listTemplates, type Template, textsIn } from '../texts/templates.sql.ts'

/** Templates of notifications: listing and preview. */
export function templateService(
  intake: Intake & { config: Pick<Config, 'FRONT_BASE_URL' | 'EMAIL_FROM_NAME' | 'publicUrl'> },
): Rpc {
  const { db, templates, audience, config } = intake

  const find = async (slug: string): Promise<Template> => {
    const template = await templates.find(slug)
    if (!template) throw new NotFoundError('Template not found')
    return template
  }
  const spokenBy = async (context: HandlerContext): Promise<Language> => {
    const id = maybePerson(context)?.memberId
    return (id === undefined ? undefined : (await audience.people([id])).get(id)?.language) ?? 'fr'
  }

  return implement(TemplateService, {
    async listTemplates({ language }) {
      const rows = await listTemplates(db, language === undefined ? undefined : languageOf(language))
      return { data: rows.map(templateMessage) }
    },

    async previewTemplate({ slug, language, variables }, context) {
      const template = await find(slug)
      const texts = textsIn(template, language === undefined ? await spokenBy(context) : languageOf(language))
      const { title, body } = render(texts, variables)
      const person = maybePerson(context)
      const recipient = person && (await audience.people([person.memberId])).get(person.memberId)
      const { subject, html, text } = templateMail(texts, slug, variables, {
        brand: await brandOf(intake, tenantOf(context).ecosystemId),
        to: recipient?.email ?? config.EMAIL_FROM_NAME,
        front: frontLink(config.FRONT_BASE_URL, '/'),
      })
      const missingVariables = missingIn(texts, variables)
      return { title, body, emailSubject: subject, emailBody: html, emailText: text, missingVariables }
    },

    async testTemplate({ slug, language, variables, channels: requestedChannels }, context) {
      const { memberId } = personOf(context)
      const template = await find(slug)
      const callerLanguage = await spokenBy(context)
      const renderFor = (memberLanguage: Language) =>
        render(textsIn(template, language === undefined ? memberLanguage : languageOf(language)), variables)
      const channels = maskOf(requestedChannels.length > 0 ? requestedChannels : allChannels)
      const { type, category } = template
      const texts = { fr: renderFor('fr'), en: renderFor('en') }
      const valuesFor = (memberLanguage: Language) => ({
        language: language === undefined ? memberLanguage : languageOf(language),
        values: variables,
      })
      const mail = mailColumn(template, () => ({ fr: valuesFor('fr'), en: valuesFor('en') }))
      const directNotification = { type, category, texts, data: null, mail, actorId: memberId, channels, priority: 1 }
      const receivers = [{ memberId, channels }]
      const languages = new Map([[memberId, callerLanguage]])
      const notificationId = await storeDirect(intake, tenantOf(context), directNotification, receivers, languages)
      return { notificationId, ...texts[callerLanguage], channels: channelsOf(channels) }
    },
  })
}

const templateMessage = (row: TextTemplateRow) => ({
  ...messageFields(row),
  variables: JSON.parse(row.variables) as string[],
  defaultData: row.default_data === null ? undefined : (JSON.parse(row.default_data) as JsonObject),
})
