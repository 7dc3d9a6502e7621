import { PlatformError } from '../../../client/client.ts'
import { texts, useTexts } from '../platform/texts.ts'

const words = texts({
  en: {
    notBelow: 'As a manager you can change only people who report to you, directly or through others.',
    tooStrong:
      'Your permissions don’t allow this. You can only grant or remove permissions that you have yourself, and only administrators can change administrators.',
    lastAdministrator: 'This is the last administrator. Make somebody else an administrator first.',
    lastOwner: 'This is the last owner of the hotel. Make somebody else an owner first.',
    present: 'This person already belongs to the workspace.',
    roleInUse: 'Somebody still has this role, or an open invitation grants it. Change those first.',
    taken: 'This name or address is already in use.',
  },
  fr: {
    notBelow:
      'En tant que responsable, vous ne pouvez modifier que les personnes qui dépendent de vous, directement ou non.',
    tooStrong:
      'Vos droits ne le permettent pas. Vous ne pouvez donner ou retirer que des droits que vous avez, et seuls les administrateurs peuvent modifier les administrateurs.',
    lastAdministrator: 'C’est le dernier administrateur. Nommez d’abord un autre administrateur.',
    lastOwner: 'C’est le dernier propriétaire de l’hôtel. Nommez d’abord un autre propriétaire.',
    present: 'Cette personne appartient déjà à l’espace de travail.',
    roleInUse: 'Quelqu’un a encore ce rôle, ou une invitation ouverte l’accorde. Modifiez-les d’abord.',
    taken: 'Ce nom ou cette adresse est déjà utilisé.',
  },
})

/** Beginnings of the platform's messages, and the text that explains each. */
const explained: [status: number, message: RegExp, text: keyof typeof words.en][] = [
  [403, /^Cannot manage this member/, 'notBelow'],
  [403, /./, 'tooStrong'],
  [409, /administrator/i, 'lastAdministrator'],
  [409, /owner/i, 'lastOwner'],
  [409, /already (has )?a member/i, 'present'],
  [409, /role/i, 'roleInUse'],
  [409, /taken|exists|in use/i, 'taken'],
]

/** Explanations of refused changes to people, for `own` of `Problem`. */
export function useRefusals(): (error: unknown) => Record<number, string> {
  const t = useTexts(words)
  return error => {
    if (!(error instanceof PlatformError)) return {}
    const found = explained.find(([status, message]) => status === error.status && message.test(error.message))
    return found ? { [found[0]]: t[found[2]] } : {}
  }
}
