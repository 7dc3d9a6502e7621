import { type DescMessage, ScalarType } from '@bufbuild/protobuf'
import { sql } from 'kysely'
import { NotificationService } from '../../../gen/platform/notification/v1/notifications_pb.ts'
import { TemplateService } from '../../../gen/platform/notification/v1/templates_pb.ts'
import { assert } from '../../../test/kit/kit.ts'
import {
  author,
  notificationSuite,
  notifyingEvents,
  pageCreated,
  type Someone,
} from '../../../test/kit/notification/notification.ts'
import { newId } from '../../kernel/base/ids.ts'
import { eventTemplates } from './default-templates.ts'
import { seedTemplates } from './templates.sql.ts'

const { test, world, host, db, sandbox, person, workspace, publish, waitUntilHandled } = await notificationSuite(
  'texts of notifications and mails',
)

const inbox = async (one: Someone) =>
  (await host.as(NotificationService, one.userId).listNotifications({ limit: 100 })).data
const mailTo = async (one: Someone) =>
  (await sandbox.call('GET', `/_inbox?to=${one.email}&wait=25000&count=1`)).json.data.at(-1)

/** The template's own HTML, without the appended link and unsubscribe line. */
const ownPart = (html: string): string => html.replace(/<p><a href="[^"]*" style=.*$/s, '').trim()

/** Title and body of a mail's text part, without hotel and footer. */
const saidIn = (text: string): string => text.split('\n\n').slice(1, 3).join('\n\n')

/** A payload with each string field set to a text named after the field. */
const sample = (desc: DescMessage) => ({
  ...Object.fromEntries(
    desc.fields
      .filter(field => field.scalar === ScalarType.STRING)
      .map(field => [field.jsonName, `[${field.jsonName}]`]),
  ),
  ...Object.fromEntries(
    desc.fields
      .filter(field => field.message?.typeName === 'google.protobuf.Timestamp')
      .map(field => [field.jsonName, new Date().toISOString()]),
  ),
  id: newId(),
})

test('the texts of every emitted type in French and English contain all variables of its template', async () => {
  // Invitations go to an address, not to members; see deliveries.test.ts.
  const events = (await notifyingEvents()).filter(({ type }) => type !== 'member.onboarding')
  const [ada, yves, eve] = [await person(), await person(), await person({ language: 'en' })]
  const workspaceId = await workspace(ada, yves, eve)
  for (const { type, desc } of events)
    await waitUntilHandled(
      await publish(type, { ...pageCreated(workspaceId, ada, [yves, eve]), payload: sample(desc) }),
    )
  const [french, english] = [await inbox(yves), await inbox(eve)]
  assert.equal([french.length, english.length], [events.length, events.length])
  for (const { type } of events) {
    const findItem = (items: typeof french) => items.find(item => `${item.type}.${item.category}` === type)
    const [fr, en] = [findItem(french), findItem(english)]
    const template = eventTemplates.find(each => `${each.type}.${each.category}` === type)
    if (!fr || !en || !template) throw new Error(`${type} was not told`)
    for (const text of [fr.title, fr.body, en.title, en.body])
      assert.not.match(text, '{{', `${type}: the event has no value for a variable of “${text}”`)
    assert.is.not(`${fr.title} ${fr.body}`, `${en.title} ${en.body}`, type)
    const used = Object.values(template.texts)
      .flatMap(({ title, body }) => [...`${title} ${body}`.matchAll(/\{\{(\w+)\}\}/g)])
      .map(([, name]) => name)
    assert.equal(
      used.filter(name => !template.variables.includes(name ?? '')),
      [],
      `${type}: its texts use variables that its template doesn't declare`,
    )
  }
})

test('an unknown actor, the platform itself and absent values have the decided texts', async () => {
  const [ada, eve] = [await person(), await person({ language: 'en' })]
  const workspaceId = await workspace(ada, eve)
  const by = (actor: object, payload: object) => {
    const body = pageCreated(workspaceId, author(ada.name), [ada, eve])
    return { ...body, payload, metadata: { ...body.metadata, actor } }
  }
  const actors = [
    { id: newId(), name: ' ', type: 'member' },
    { id: 'system', name: 'system', type: 'system' },
  ]
  for (const actor of actors)
    await waitUntilHandled(await publish('page.updated', by(actor, { id: newId(), title: '{{actorName}}' })))
  await waitUntilHandled(
    await publish('page.updated', by({ id: ada.id, name: 'Ada', type: 'member' }, { id: newId(), title: 7 })),
  )
  assert.equal(
    (await inbox(ada)).map(item => item.title),
    [
      'Ada a modifié «\u00a0{{pageTitle}}\u00a0»',
      'La plateforme a modifié «\u00a0{{actorName}}\u00a0»',
      "Quelqu'un a modifié «\u00a0{{actorName}}\u00a0»",
    ],
  )
  assert.equal(
    (await inbox(eve)).map(item => item.title),
    ['Ada updated “{{pageTitle}}”', 'The platform updated “{{actorName}}”', 'Someone updated “{{actorName}}”'],
  )
})

test('default texts follow the version, and edited ones stay', async () => {
  const texts = async () =>
    (
      await db
        .selectFrom('templates')
        .select(['slug', 'title', 'body'])
        .where('slug', 'in', ['like_created', 'page_deleted'])
        .where('language', '=', 'fr')
        .orderBy('slug')
        .execute()
    ).map(({ title, body }) => [title, body])
  const before = await texts()
  // As a former version has written it.
  await sql`
    update templates set title = 'Old', body = 'Old', updated_at = created_at where slug = 'like_created'
  `.execute(db)
  await sql`
    update templates set title = 'Ours', updated_at = created_at + interval 1 second where slug = 'page_deleted'
  `.execute(db)
  for (let starts = 0; starts < 2; starts++) await seedTemplates(db)
  assert.equal(await texts(), [before[0], ['Ours', before[1]?.[1]]])
  await sql`update templates set title = ${before[1]?.[0]}, updated_at = created_at where slug = 'page_deleted'`.execute(
    db,
  )
  await seedTemplates(db)
})

test('a template with its own HTML is rendered equally in a preview, a test and an event’s mail', async () => {
  const slug = 'spa_opened'
  const texts = {
    fr: '<h1>{{ actorName }} : {{pageTitle}}</h1><p>{{greeting}} {{workspaceName}} {{commentContent}} {{unknown}}</p>',
    en: '<h1>{{actorName}}, {{pageTitle}}</h1><p>{{greeting}} {{workspaceName}} {{commentContent}} {{unknown}}</p>',
  }
  for (const language of ['fr', 'en'] as const)
    await db
      .insertInto('templates')
      .values({
        id: newId(),
        slug,
        language,
        type: 'spa',
        category: 'opened',
        title: '{{actorName}} : {{pageTitle}}',
        body: 'B {{pageTitle}}',
        email_subject: 'Never used',
        email_body: texts[language],
        variables: JSON.stringify(['actorName', 'pageTitle', 'workspaceName', 'commentContent', 'greeting']),
        default_data: JSON.stringify({ greeting: 'Tea & <cake>' }),
      })
      .execute()
  const [boss, eve] = [await person({ firstName: '<b>Ada</b>' }), await person({ language: 'en' })]
  const workspaceId = await workspace(eve)
  await world.join(workspaceId, boss, ['send_notifications'])
  const body = pageCreated(workspaceId, author(boss.name), [boss, eve], { channels: ['email'] })
  await waitUntilHandled(
    await publish('spa.opened', { ...body, payload: { id: newId(), title: 'A <i>pool</i> {{actorName}}' } }),
  )

  const [french, english] = [await mailTo(boss), await mailTo(eve)]
  assert.match(
    french.html,
    '<h1>&lt;b&gt;Ada&lt;/b&gt; Martin : A &lt;i&gt;pool&lt;/i&gt; {{actorName}}</h1>' +
      '<p>Tea &amp; &lt;cake&gt; Hotel Azur {{commentContent}} {{unknown}}</p>',
  )
  assert.match(english.html, '<h1>&lt;b&gt;Ada&lt;/b&gt; Martin, A &lt;i&gt;pool')
  assert.is(french.subject, '<b>Ada</b> Martin : A <i>pool</i> {{actorName}}')
  assert.match(french.text, 'B A <i>pool</i> {{actorName}}')

  const client = host.as(TemplateService, boss.userId)
  const variables = {
    actorName: '<b>Ada</b> Martin',
    pageTitle: 'A <i>pool</i> {{actorName}}',
    workspaceName: 'Hotel Azur',
  }
  const preview = await client.previewTemplate({ slug, workspaceId, variables })
  assert.equal([preview.emailSubject, preview.emailBody.trim()], [french.subject, ownPart(french.html)])
  assert.is(saidIn(preview.emailText), saidIn(french.text))
  assert.equal(preview.missingVariables, ['commentContent'])
  const tried = await client.testTemplate({ slug, workspaceId, variables, language: 'en', channels: ['email'] })
  const { json } = await sandbox.call('GET', `/_inbox?to=${boss.email}&wait=25000&count=2`)
  const [englishMail] = json.data.filter((mail: { html: string }) => mail.html !== french.html)
  assert.equal(
    [ownPart(englishMail?.html ?? ''), englishMail?.subject, tried.title],
    [ownPart(english.html), english.subject, english.subject],
  )
})

test('a mail with its own HTML links to its page and shows the excerpt, at their placeholders or at its end', async () => {
  const ownHtml = {
    fr: '<html><body><h1>{{pageTitle}}</h1></body></html>',
    en: '<blockquote>{{excerpt}}</blockquote><h1>{{pageTitle}}</h1><a href="{{ link }}">Read</a>',
  }
  for (const language of ['fr', 'en'] as const)
    await db
      .insertInto('templates')
      .values({
        id: newId(),
        slug: 'page_shown',
        language,
        type: 'page',
        category: 'shown',
        title: '{{pageTitle}}',
        body: 'B',
        email_subject: null,
        email_body: ownHtml[language],
        variables: JSON.stringify(['pageTitle']),
        default_data: null,
      })
      .execute()
  const [ada, eve, bob] = [await person(), await person({ language: 'en' }), await person({ language: 'en' })]
  const workspaceId = await workspace(ada, eve, bob)
  const show = async (receivers: Someone[], payload: object) => {
    const body = pageCreated(workspaceId, author(ada.name), receivers, { channels: ['email'] })
    await waitUntilHandled(await publish('page.shown', { ...body, payload }))
  }
  const id = newId()
  const link = `${host.env['FRONT_BASE_URL'] ?? 'http://localhost:8080'}/pages/${id}`
  await show([ada, eve], { id, title: 'Pool', excerpt: 'Open <late>' })
  await show([bob], { id, title: 'Pool' })
  const [french, english, plain] = [await mailTo(ada), await mailTo(eve), await mailTo(bob)]
  assert.match(french.html, /<h1>Pool<\/h1><blockquote>Open &lt;late&gt;<\/blockquote><p><a href="([^"]*)"/)
  assert.match(french.html, /<p><a href="[^"]*\/pages\/[0-9a-f]{24}".*unsubscribe.*<\/body><\/html>/s)
  assert.match(french.html, `href="${link}"`)
  assert.match(
    english.html,
    `<blockquote>Open &lt;late&gt;</blockquote><h1>Pool</h1><a href="${link}">Read</a><p><a href=`,
  )
  assert.match(plain.html, `<blockquote></blockquote><h1>Pool</h1><a href="${link}">Read</a><p><a href=`)
  assert.match(french.text, `Open <late>\n\nLire la page\n${link}`)
  assert.match(english.text, `Open <late>\n\nRead the page\n${link}`)
})

test('the first notification of a page shows its summary, that it must be read, and by when in the hotel’s zone', async () => {
  const [ada, yves, eve] = [await person(), await person(), await person({ language: 'en' })]
  const workspaceId = await workspace(ada, yves, eve)
  const notifyOfPage = async (payload: object, channels = ['app']) => {
    const event = { ...pageCreated(workspaceId, ada, [yves, eve]), payload: { id: newId(), title: 'Fire', ...payload } }
    await waitUntilHandled(await publish('page.created', { ...event, channels }))
    return [(await inbox(yves))[0]?.body, (await inbox(eve))[0]?.body]
  }
  const excerpt = 'Meet at the pool.'
  assert.equal(await notifyOfPage({ excerpt }), [excerpt, excerpt])
  assert.equal(await notifyOfPage({ mustRead: true, dueAt: '2031-07-01T16:00:00.000Z', excerpt }, ['email']), [
    `Lecture obligatoire avant le 1 juillet 2031 à 18:00 (Europe/Paris).\n${excerpt}`,
    `Must be read by 1 July 2031 at 18:00 (Europe/Paris).\n${excerpt}`,
  ])
  assert.is((await notifyOfPage({ mustRead: true }))[1]?.split('\n')[0], 'Must be read.')
  const { text } = await mailTo(eve)
  assert.is(text.split(excerpt).length, 2, 'a mail shows the summary once')
})

test.run()
