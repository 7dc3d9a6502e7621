import { expect, type World } from '../tour/world.ts'
import { type Drawing, drawPicture } from './pictures.ts'

type Block = { type: string; data: object }
type DemoPage = {
  title: string
  excerpt: string
  blocks: Block[]
  category?: string
  picture?: Drawing
  pageType?: 'event' | 'poll'
  fields?: object
  comments?: [who: 'admin' | 'member', text: string][]
}

const paragraph = (text: string): Block => ({ type: 'paragraph', data: { text } })
const header = (text: string): Block => ({ type: 'header', data: { text, level: 2 } })
const list = (...items: string[]): Block => ({ type: 'list', data: { style: 'unordered', items } })

const day = 24 * 3_600_000
const inDays = (days: number, hour: number): string => {
  const date = new Date(Date.now() + days * day)
  date.setUTCHours(hour, 0, 0, 0)
  return date.toISOString()
}

const categories = [
  { name: 'Vie de l’hôtel', icon: '🏨', color: '#0F5F5C' },
  { name: 'Cuisine', icon: '🍽️', color: '#B4532A' },
  { name: 'Sécurité', icon: '🛟', color: '#A8221C' },
  { name: 'Équipe', icon: '👋', color: '#6B4FA0' },
]

/** Oldest first. */
const pages = (): DemoPage[] => [
  {
    title: 'Bienvenue',
    excerpt: 'Ici se trouvent les actualités de l’Hôtel Démo, pour toute l’équipe.',
    blocks: [
      paragraph('Bonjour ! Cette page est la première de votre hôtel de démonstration.'),
      paragraph('Réagissez, commentez, gardez une page à relire : <b>tout est à vous</b>.'),
    ],
    category: 'Vie de l’hôtel',
    picture: 'harbour',
    comments: [['member', 'Merci pour l’accueil !']],
  },
  {
    title: 'Le spa rouvre après les travaux',
    excerpt: 'Nouveau bassin, deux cabines de plus et une carte des soins revue.',
    blocks: [
      paragraph('Après six semaines de travaux, le spa accueille de nouveau nos clients à partir de lundi.'),
      header('Ce qui change'),
      list('Bassin chauffé à 33 °C', 'Deux cabines de massage en duo', 'Réservation depuis la tablette de la chambre'),
      {
        type: 'table',
        data: {
          withHeadings: true,
          content: [
            ['Jour', 'Ouverture', 'Dernier soin'],
            ['Lundi à vendredi', '9 h', '19 h'],
            ['Week-end', '8 h', '20 h'],
          ],
        },
      },
    ],
    category: 'Vie de l’hôtel',
    picture: 'spa',
  },
  {
    title: 'La carte d’automne',
    excerpt: 'Potimarron rôti, daurade au fenouil et tarte aux figues : goûtez avant le service de vendredi.',
    blocks: [
      paragraph('La nouvelle carte entre en service <b>vendredi midi</b>. Dégustation pour l’équipe jeudi à 15 h.'),
      list('Potimarron rôti, noisettes et tomme', 'Daurade au fenouil confit', 'Tarte aux figues, glace au thym'),
      { type: 'quote', data: { text: 'Peu de produits, mais les meilleurs du port.', caption: 'Le chef' } },
      {
        type: 'warning',
        data: { title: 'Allergènes', message: 'La fiche est affichée au passe : noisettes et gluten.' },
      },
    ],
    category: 'Cuisine',
    picture: 'kitchen',
    comments: [
      ['member', 'La tarte est incroyable 😍'],
      ['admin', 'Il en restera pour l’équipe du soir, promis.'],
    ],
  },
  {
    title: 'Soirée d’équipe sur la terrasse',
    excerpt: 'Une soirée pour nous, avec musique et barbecue.',
    blocks: [
      paragraph('On fête la fin de la saison ! Venez comme vous êtes, les familles sont les bienvenues.'),
      list('Musique par Odile', 'Barbecue dès 19 h', 'Dernière navette à minuit'),
    ],
    category: 'Équipe',
    picture: 'party',
    pageType: 'event',
    fields: { eventStartsAt: inDays(9, 17), eventEndsAt: inDays(9, 21), eventLocation: 'Terrasse, 5e étage' },
  },
  {
    title: 'Quel cadeau pour les départs à la retraite ?',
    excerpt: 'Trois idées, à vous de choisir.',
    blocks: [paragraph('Odile et Marc nous quittent en décembre. Que leur offrir ?')],
    category: 'Équipe',
    pageType: 'poll',
    comments: [['member', 'Le week-end, sans hésiter.']],
  },
  {
    title: 'Consignes incendie : le point de rassemblement change',
    excerpt: 'À lire par tout le monde : le rassemblement se fait désormais sur le quai.',
    blocks: [
      paragraph(
        'Pendant les travaux de la place, le point de rassemblement est <mark>le quai du Port, côté phare</mark>.',
      ),
      {
        type: 'list',
        data: {
          style: 'ordered',
          items: ['Prenez la liste des chambres', 'Guidez les clients vers le quai', 'Rendez compte à la réception'],
        },
      },
      { type: 'delimiter', data: {} },
      paragraph('Une question ? <a href="tel:+33491000000">+33 4 91 00 00 00</a>'),
    ],
    category: 'Sécurité',
  },
]

/** Gives the demonstration hotel its news: categories, pictures, a poll, an event, a must-read and comments. */
export async function seedNews(world: World, tokens: { admin: string; member: string }, workspaceId: string) {
  const token = tokens.admin
  const send = (path: string, body: object, method = 'POST', status = 201) =>
    expect(world, status, 'news', method, path, { token, body })
  const categoryIds = new Map<string, string>()
  for (const [order, category] of categories.entries())
    categoryIds.set(
      category.name,
      String((await send('/api/v1/categories', { ...category, order, workspaceId }))['id']),
    )
  const demoPages = pages()
  const pictures = await Promise.all(
    demoPages.map(async ({ picture }) => (picture ? upload(world, token, picture) : [])),
  )
  for (const [index, { title, excerpt, blocks, category, pageType, fields, comments }] of demoPages.entries()) {
    const page = await send('/api/v1/pages', {
      title,
      excerpt,
      content: { blocks },
      pageType: pageType ?? 'article',
      workspaceId,
      medias: pictures[index],
      status: 'published',
      // One article is news enough for the inbox.
      enableNotifications: index === 0,
      ...(category ? { categoryId: categoryIds.get(category) } : {}),
      ...fields,
    })
    const pageId = String(page['id'])
    if (pageType === 'poll') {
      const options = ['Un week-end à Cassis', 'Un service à café', 'Une carte signée par tous']
      await send(`/api/v1/polls/${pageId}`, { options }, 'PUT', 200)
    }
    if (category === 'Sécurité') await send(`/api/v1/must-read/${pageId}`, { dueAt: inDays(5, 18) }, 'PUT', 200)
    for (const [author, content] of comments ?? [])
      await expect(world, 201, 'news', 'POST', '/api/v1/comments', { token: tokens[author], body: { pageId, content } })
    if (comments) await expect(world, 201, 'news', 'POST', '/api/v1/likes', { token: tokens.member, body: { pageId } })
  }
}

/** Uploads a drawing and returns it as the media of a page. */
async function upload(world: World, token: string, name: Drawing): Promise<object[]> {
  const form = new FormData()
  form.append('folder', 'demo')
  form.append('file', await drawPicture(name), `${name}.webp`)
  const response = await fetch(`${world.urls.media}/media/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  if (response.status !== 201) throw new Error(`upload of ${name}: ${response.status} ${await response.text()}`)
  const { fileUrl, thumbnailUrl } = (await response.json()) as { fileUrl: string; thumbnailUrl: string }
  return [{ fileUrl, thumbnailUrl, type: 'image' }]
}
