import type { JsonObject } from '@bufbuild/protobuf'
import { frontLink } from '../../kernel/base/front-link.ts'
import { isId } from '../../kernel/base/ids.ts'
import type { Language } from '../../kernel/base/language.ts'
import type { NotificationRow } from '../tables.ts'
import type { Link } from './layout.ts'

type ButtonTarget = { path: string; field: string; text: Record<Language, string> }

const page = { path: '/pages', text: { fr: 'Lire la page', en: 'Read the page' } }
const hotel = { path: '/hotels', field: 'id', text: { fr: 'Voir l’hôtel', en: 'View the hotel' } }

/** Front-end path, id field and button of each type. */
const buttonsByType: Readonly<Record<string, ButtonTarget>> = {
  page: { ...page, field: 'id' },
  comment: { ...page, field: 'pageId', text: { fr: 'Voir le commentaire', en: 'View the comment' } },
  like: { ...page, field: 'pageId', text: { fr: 'Voir la page', en: 'View the page' } },
  member: { path: '/members', field: 'memberId', text: { fr: 'Voir le profil', en: 'View the profile' } },
  workspace: {
    path: '/workspaces',
    field: 'workspaceId',
    text: { fr: 'Ouvrir l’espace de travail', en: 'Open the workspace' },
  },
  hotel,
}

const inboxTexts: Record<Language, string> = { fr: 'Ouvrir mes notifications', en: 'Open my notifications' }

/** The inbox in the front end. */
export const inboxLink = (front: string, language: Language): Link => ({
  text: inboxTexts[language],
  address: frontLink(front, '/notifications'),
})

const messageTexts: Record<Language, string> = { fr: 'Lire le message', en: 'Read the message' }

/** The button of a notification's mail. A deleted entity has no page, so its mail opens the inbox. */
export function buttonOf(n: NotificationRow, data: JsonObject, front: string, language: Language): Link {
  if (n.type === 'message') return { text: messageTexts[language], address: frontLink(front, `/notifications/${n.id}`) }
  const buttonTarget = buttonsByType[n.type]
  const id = buttonTarget && (data[buttonTarget.field] ?? data['id'])
  if (!buttonTarget || n.category === 'deleted' || typeof id !== 'string' || !isId(id))
    return inboxLink(front, language)
  return { text: buttonTarget.text[language], address: frontLink(front, `${buttonTarget.path}/${id}`) }
}
