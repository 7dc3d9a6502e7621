import { hindrances } from '../../../test/kit/axe.ts'
import { browserSuite, sharedBrowser } from '../../../test/kit/browser.ts'
import { assert } from '../../../test/kit/kit.ts'
import type { Language } from '../../kernel/base/language.ts'
import { eventTemplates, mailTemplates, slugOf } from '../texts/default-templates.ts'
import { layout } from './layout.ts'
import { templateMail } from './template-mail.ts'

const test = browserSuite('mails in a browser')

const logo = 'http://127.0.0.1:1/logo.png'
const colours = ['#7a1f3d', '#ffe066', '#ffffff', '#000000', '#808080']
const longAddress = `https://front.example/invitation?token=${'0123456789abcdef'.repeat(8)}`
const values = {
  firstName: 'Zoé',
  email: `${'anne-marie'.repeat(5)}@hotel.example`,
  oldEmail: 'old@hotel.example',
  link: longAddress,
  expiresIn: '4 h',
  code: '482913',
  password: 'Kx7-pQ2-mN9',
  workspaceName: 'Le Phare',
  actorName: 'Ada Martin',
  roleName: 'manager',
  expiryDate: '12 March 2030',
}
const onboarding = eventTemplates.filter(({ category }) => category === 'onboarding')

/** All mails to an address, and one of a notification and a digest in each colour. */
function samples(language: Language): string[] {
  const brand = (colour: string) => ({ name: `Le Grand Hôtel ${'de la Plage '.repeat(4)}`, logo, colour })
  const addressed = [...mailTemplates, ...onboarding].map(({ type, category, variables, texts }) =>
    templateMail(
      { ...texts[language], language, email_body: null, variables, defaults: {} },
      slugOf(`${type}.${category}`),
      values,
      { brand: brand('#7a1f3d'), to: values.email, front: 'https://front.example/' },
    ),
  )
  const button = { text: 'Lire la page', address: longAddress }
  const entries = [
    {
      title: 'W'.repeat(120),
      excerpt: 'Soupe du jour',
      address: longAddress,
      picture: logo,
      deadline: 'À confirmer avant midi',
    },
  ]
  const about = {
    language,
    title: 'Ada a publié',
    preview: 'Soupe',
    body: 'Une page',
    button,
    footer: 'Vous recevez cet e-mail',
    unsubscribe: { text: 'Se désabonner', address: longAddress },
  }
  const notificationMails = colours.flatMap(colour => [
    layout({ ...about, quote: 'Soupe du jour' }, brand(colour)),
    layout({ ...about, sections: [{ title: 'Pages', entries }], moreText: 'Et 3 autres' }, brand(colour)),
  ])
  return [...addressed, ...notificationMails].map(({ html }) => html)
}

const forms = [
  { width: 390, colorScheme: 'light' },
  { width: 640, colorScheme: 'dark' },
] as const
for (const { width, colorScheme } of forms)
  test(`every mail fits ${width} pixels and is accessible in ${colorScheme} colours`, async () => {
    const page = await (await sharedBrowser()).newPage()
    await page.setViewportSize({ width, height: 700 })
    await page.emulateMedia({ colorScheme })
    for (const html of [...samples('fr'), ...samples('en')]) {
      await page.setContent(html)
      const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')
      assert.ok(overflow <= 0, `${overflow} px too wide\n${html}`)
      const card = await page.evaluate<number>("document.querySelector('.card').getBoundingClientRect().width")
      assert.ok(card <= 600)
      assert.equal(await hindrances(page, ['region', 'landmark-one-main']), [], html)
    }
    await page.close()
  })

test.run()
