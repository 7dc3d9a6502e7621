import type { Language } from '../tables.ts'

type Texts = { title: string; body: string }

/** A default template. docs/contract.md fixes slug, type, category and variables, but not the texts. */
export type DefaultTemplate = {
  type: string
  category: string
  variables: string[]
  texts: Record<Language, Texts>
}

const template = (
  key: `${string}.${string}`,
  variables: string[],
  fr: [title: string, body: string],
  en: [title: string, body: string],
): DefaultTemplate => {
  const [type = '', ...rest] = key.split('.')
  const textsOf = ([title, body]: [string, string]) => ({ title, body })
  return { type, category: rest.join('.'), variables, texts: { fr: textsOf(fr), en: textsOf(en) } }
}

/** One for every event type under platform.notification. */
export const eventTemplates: DefaultTemplate[] = [
  template(
    'page.created',
    ['actorName', 'pageTitle', 'workspaceName'],
    ['{{actorName}} a publié «\u00a0{{pageTitle}}\u00a0»', 'Une nouvelle page est à lire dans {{workspaceName}}.'],
    ['{{actorName}} published “{{pageTitle}}”', 'There is a new page to read in {{workspaceName}}.'],
  ),
  template(
    'page.updated',
    ['actorName', 'pageTitle', 'workspaceName'],
    ['{{actorName}} a modifié «\u00a0{{pageTitle}}\u00a0»', 'La page a été mise à jour dans {{workspaceName}}.'],
    ['{{actorName}} updated “{{pageTitle}}”', 'The page in {{workspaceName}} has changed.'],
  ),
  template(
    'page.deleted',
    ['actorName', 'pageTitle', 'workspaceName'],
    ['{{actorName}} a supprimé «\u00a0{{pageTitle}}\u00a0»', "La page n'est plus disponible dans {{workspaceName}}."],
    ['{{actorName}} deleted “{{pageTitle}}”', 'The page is no longer available in {{workspaceName}}.'],
  ),
  template(
    'page.reminded',
    ['actorName', 'pageTitle', 'workspaceName'],
    [
      'Rappel\u00a0: merci de lire «\u00a0{{pageTitle}}\u00a0»',
      '{{actorName}} vous demande de confirmer que vous avez lu cette page de {{workspaceName}}.',
    ],
    [
      'Reminder: please read “{{pageTitle}}”',
      '{{actorName}} asks you to confirm that you have read this page of {{workspaceName}}.',
    ],
  ),
  template(
    'comment.created',
    ['actorName', 'pageTitle', 'commentContent'],
    ['{{actorName}} a commenté «\u00a0{{pageTitle}}\u00a0»', '{{commentContent}}'],
    ['{{actorName}} commented on “{{pageTitle}}”', '{{commentContent}}'],
  ),
  template(
    'comment.deleted',
    ['actorName', 'pageTitle'],
    ['{{actorName}} a supprimé un commentaire', 'Le commentaire se trouvait sous «\u00a0{{pageTitle}}\u00a0».'],
    ['{{actorName}} deleted a comment', 'The comment was on “{{pageTitle}}”.'],
  ),
  template(
    'like.created',
    ['actorName', 'pageTitle', 'reactionType'],
    ['{{actorName}} a réagi à «\u00a0{{pageTitle}}\u00a0»', '{{reactionType}}'],
    ['{{actorName}} reacted to “{{pageTitle}}”', '{{reactionType}}'],
  ),
  template(
    'member.registered',
    ['memberName', 'workspaceName'],
    ['{{memberName}} a rejoint {{workspaceName}}', 'Souhaitez-lui la bienvenue\u00a0!'],
    ['{{memberName}} joined {{workspaceName}}', 'Say hello to your new colleague.'],
  ),
  template(
    'member.updated',
    ['memberName', 'workspaceName'],
    ['Le profil de {{memberName}} a changé', 'Ses informations ont été mises à jour dans {{workspaceName}}.'],
    ['The profile of {{memberName}} has changed', 'The details were updated in {{workspaceName}}.'],
  ),
  template(
    'member.deleted',
    ['memberName', 'workspaceName'],
    ['{{memberName}} a quitté la plateforme', 'Son compte a été supprimé.'],
    ['{{memberName}} left the platform', 'The account was deleted.'],
  ),
  template(
    'member.onboarding',
    ['firstName', 'workspaceName', 'actorName', 'link'],
    [
      'Invitation à rejoindre {{workspaceName}}',
      "{{actorName}} vous invite à rejoindre {{workspaceName}}. Ouvrez l'invitation pour l'accepter.",
    ],
    [
      'Invitation to join {{workspaceName}}',
      '{{actorName}} invites you to join {{workspaceName}}. Open the invitation to accept it.',
    ],
  ),
  template(
    'workspace.created',
    ['actorName', 'name'],
    ["L'espace de travail {{name}} est ouvert", '{{actorName}} a créé cet espace.'],
    ['The workspace {{name}} is open', '{{actorName}} created it.'],
  ),
  template(
    'workspace.member_joined',
    ['memberName', 'workspaceName'],
    ['{{memberName}} a rejoint {{workspaceName}}', 'Souhaitez-lui la bienvenue\u00a0!'],
    ['{{memberName}} joined {{workspaceName}}', 'Say hello to your new colleague.'],
  ),
  template(
    'workspace.member_left',
    ['memberName', 'workspaceName'],
    ['{{memberName}} a quitté {{workspaceName}}', "Cette personne ne fait plus partie de l'espace de travail."],
    ['{{memberName}} left {{workspaceName}}', 'This person is no longer part of the workspace.'],
  ),
  template(
    'hotel.created',
    ['actorName', 'name'],
    ["L'hôtel {{name}} est prêt", '{{actorName}} a terminé sa mise en place.'],
    ['The hotel {{name}} is ready', '{{actorName}} finished setting it up.'],
  ),
  template(
    'hotel.updated',
    ['actorName', 'name'],
    ["L'hôtel {{name}} a été modifié", '{{actorName}} a mis à jour ses informations.'],
    ['The hotel {{name}} was updated', '{{actorName}} changed its details.'],
  ),
  template(
    'hotel.deleted',
    ['actorName', 'name'],
    ["L'hôtel {{name}} a été supprimé", "{{actorName}} l'a fermé."],
    ['The hotel {{name}} was deleted', '{{actorName}} closed it.'],
  ),
]

/** Mails that services send by slug (MailService). */
export const mailTemplates: DefaultTemplate[] = [
  template(
    'password.reset',
    ['firstName', 'email', 'link', 'expiresIn'],
    [
      'Réinitialisation de votre mot de passe',
      'Vous avez demandé un nouveau mot de passe pour {{email}}. Le lien ci-dessous est valable {{expiresIn}}.\n\n' +
        "Si vous n'avez rien demandé, ignorez cet e-mail\u00a0: votre mot de passe ne change pas.",
    ],
    [
      'Reset your password',
      'You asked for a new password for {{email}}. The link below is valid for {{expiresIn}}.\n\n' +
        'If you did not ask for it, ignore this e-mail: your password stays the same.',
    ],
  ),
  template(
    'password.reset_code',
    ['firstName', 'email', 'code', 'link', 'expiresIn'],
    [
      'Votre code de réinitialisation',
      "Votre code est {{code}}. Saisissez-le dans l'application ou utilisez le lien ci-dessous. Les deux sont " +
        "valables {{expiresIn}}.\n\nSi vous n'avez rien demandé, ignorez cet e-mail et ne donnez ce code à personne.",
    ],
    [
      'Your password reset code',
      'Your code is {{code}}. Enter it in the app or use the link below. Both are valid for {{expiresIn}}.\n\n' +
        'If you did not request it, ignore this e-mail and do not share the code.',
    ],
  ),
  template(
    'verify.email',
    ['firstName', 'email', 'link'],
    [
      'Confirmez votre adresse e-mail',
      "Confirmez que {{email}} est bien votre adresse.\n\nSi vous n'avez pas de compte, ignorez cet e-mail.",
    ],
    [
      'Confirm your e-mail address',
      'Please confirm that {{email}} is your address.\n\nIf you have no account, ignore this e-mail.',
    ],
  ),
  template(
    'email.changing',
    ['firstName', 'email', 'oldEmail'],
    [
      'Votre adresse de connexion va changer',
      "L'adresse de votre compte passera de {{oldEmail}} à {{email}} dès que la nouvelle sera confirmée. D'ici là, " +
        "connectez-vous avec {{oldEmail}}.\n\nSi ce changement n'était pas prévu, contactez l'administrateur de votre " +
        'établissement.',
    ],
    [
      'Your sign-in address is changing',
      'The address of your account will change from {{oldEmail}} to {{email}} once the new one is confirmed. Until ' +
        'then, sign in with {{oldEmail}}.\n\nIf you did not expect this change, contact the administrator of your hotel.',
    ],
  ),
  template(
    'account.claim',
    ['firstName', 'email', 'link', 'expiresIn'],
    [
      'Vous avez déjà un compte',
      'Une invitation à rejoindre un espace de travail vous attend, et {{email}} a déjà un compte. Choisissez un mot ' +
        "de passe avec le lien ci-dessous, valable {{expiresIn}}, puis connectez-vous pour accepter l'invitation. " +
        "L'ancien mot de passe ne fonctionnera plus et les sessions ouvertes seront fermées.\n\nSi vous n'attendez " +
        'aucune invitation, ignorez cet e-mail.',
    ],
    [
      'You already have an account',
      'You are invited to join a workspace, and {{email}} already has an account. Choose a password with the link ' +
        'below, valid for {{expiresIn}}, then sign in to accept the invitation. The previous password will stop ' +
        'working and open sessions will be closed.\n\nIf you did not expect an invitation, ignore this e-mail.',
    ],
  ),
  template(
    'user.invitation',
    ['firstName', 'lastName', 'email', 'link', 'workspaceName', 'inviterName', 'expiresIn'],
    [
      'Votre compte est prêt',
      'Un compte a été créé pour {{email}}. Choisissez votre mot de passe pour vous connecter. Le lien ci-dessous est ' +
        'valable {{expiresIn}}.',
    ],
    [
      'Your account is ready',
      'An account was created for {{email}}. Choose your password to sign in. The link below is valid for {{expiresIn}}.',
    ],
  ),
  template(
    'temporary.password',
    ['firstName', 'email', 'password', 'temporaryPassword', 'code', 'link'],
    [
      'Votre mot de passe temporaire',
      'Un administrateur a réinitialisé le mot de passe de {{email}}. Connectez-vous avec {{password}}, puis ' +
        'choisissez un nouveau mot de passe.',
    ],
    [
      'Your temporary password',
      'An administrator reset the password of {{email}}. Sign in with {{password}}, then choose a new password.',
    ],
  ),
]

/** <type>_<category>: dots in an event's type become underscores. */
export const slugOf = (type: string): string => type.replaceAll('.', '_')
