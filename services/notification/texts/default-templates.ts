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
  const of = ([title, body]: [string, string]) => ({ title, body })
  return { type, category: rest.join('.'), variables, texts: { fr: of(fr), en: of(en) } }
}

/** One for every event type under platform.notification [D29]. */
export const eventTemplates: DefaultTemplate[] = [
  template(
    'page.created',
    ['actorName', 'pageTitle', 'workspaceName'],
    ['{{actorName}} a publié {{pageTitle}}', 'Une nouvelle page a été publiée dans {{workspaceName}}'],
    ['{{actorName}} published {{pageTitle}}', 'A new page was published in {{workspaceName}}'],
  ),
  template(
    'page.updated',
    ['actorName', 'pageTitle', 'workspaceName'],
    ['{{actorName}} a modifié {{pageTitle}}', 'Une page a été modifiée dans {{workspaceName}}'],
    ['{{actorName}} updated {{pageTitle}}', 'A page was updated in {{workspaceName}}'],
  ),
  template(
    'page.deleted',
    ['actorName', 'pageTitle', 'workspaceName'],
    ['{{actorName}} a supprimé {{pageTitle}}', 'Une page a été supprimée dans {{workspaceName}}'],
    ['{{actorName}} deleted {{pageTitle}}', 'A page was deleted in {{workspaceName}}'],
  ),
  template(
    'page.reminded',
    ['actorName', 'pageTitle', 'workspaceName'],
    ['Rappel : {{pageTitle}}', '{{actorName}} vous demande de confirmer la lecture de cette page de {{workspaceName}}'],
    ['Reminder: {{pageTitle}}', '{{actorName}} asks you to confirm that you have read this page of {{workspaceName}}'],
  ),
  template(
    'comment.created',
    ['actorName', 'pageTitle', 'commentContent'],
    ['{{actorName}} a commenté {{pageTitle}}', '{{commentContent}}'],
    ['{{actorName}} commented {{pageTitle}}', '{{commentContent}}'],
  ),
  template(
    'comment.deleted',
    ['actorName', 'pageTitle'],
    ['{{actorName}} a supprimé un commentaire', 'Un commentaire a été supprimé sur {{pageTitle}}'],
    ['{{actorName}} deleted a comment', 'A comment was deleted on {{pageTitle}}'],
  ),
  template(
    'like.created',
    ['actorName', 'pageTitle', 'reactionType'],
    ['{{actorName}} a réagi à {{pageTitle}}', 'Réaction : {{reactionType}}'],
    ['{{actorName}} reacted to {{pageTitle}}', 'Reaction: {{reactionType}}'],
  ),
  template(
    'member.registered',
    ['memberName', 'workspaceName'],
    ['{{memberName}} a rejoint {{workspaceName}}', "Un nouveau membre a rejoint l'espace de travail"],
    ['{{memberName}} joined {{workspaceName}}', 'A new member joined the workspace'],
  ),
  template(
    'member.updated',
    ['memberName', 'workspaceName'],
    ['Le profil de {{memberName}} a été modifié', 'Un profil a été modifié dans {{workspaceName}}'],
    ['The profile of {{memberName}} was updated', 'A profile was updated in {{workspaceName}}'],
  ),
  template(
    'member.deleted',
    ['memberName', 'workspaceName'],
    ['{{memberName}} a quitté la plateforme', 'Le compte du membre a été supprimé'],
    ['{{memberName}} left the platform', "The member's account was deleted"],
  ),
  template(
    'member.onboarding',
    ['firstName', 'workspaceName', 'actorName', 'link'],
    ['Invitation à rejoindre {{workspaceName}}', '{{actorName}} vous invite à rejoindre {{workspaceName}}.'],
    ['Invitation to join {{workspaceName}}', '{{actorName}} invites you to join {{workspaceName}}.'],
  ),
  template(
    'workspace.created',
    ['actorName', 'name'],
    ['Espace de travail {{name}} créé', 'Un nouvel espace de travail est disponible'],
    ['Workspace {{name}} created', 'A new workspace is available'],
  ),
  template(
    'workspace.member_joined',
    ['memberName', 'workspaceName'],
    ['{{memberName}} a rejoint {{workspaceName}}', "Un membre a rejoint l'espace de travail"],
    ['{{memberName}} joined {{workspaceName}}', 'A member joined the workspace'],
  ),
  template(
    'workspace.member_left',
    ['memberName', 'workspaceName'],
    ['{{memberName}} a quitté {{workspaceName}}', "Un membre a quitté l'espace de travail"],
    ['{{memberName}} left {{workspaceName}}', 'A member left the workspace'],
  ),
  template(
    'hotel.created',
    ['actorName', 'name'],
    ["L'hôtel {{name}} est prêt", "L'hôtel a été configuré par {{actorName}}"],
    ['Hotel {{name}} is ready', 'The hotel was set up by {{actorName}}'],
  ),
  template(
    'hotel.updated',
    ['actorName', 'name'],
    ["L'hôtel {{name}} a été modifié", 'Modification par {{actorName}}'],
    ['Hotel {{name}} was updated', 'Updated by {{actorName}}'],
  ),
  template(
    'hotel.deleted',
    ['actorName', 'name'],
    ["L'hôtel {{name}} a été supprimé", 'Suppression par {{actorName}}'],
    ['Hotel {{name}} was deleted', 'Deleted by {{actorName}}'],
  ),
]

/** Mails that services send by slug (MailService). */
export const mailTemplates: DefaultTemplate[] = [
  template(
    'password.reset',
    ['firstName', 'email', 'link', 'expiresIn'],
    [
      'Réinitialisation de votre mot de passe',
      'Vous avez demandé la réinitialisation du mot de passe de {{email}}. Ce lien est valable {{expiresIn}}. ' +
        "Si vous n'êtes pas à l'origine de cette demande, ignorez cet e-mail.",
    ],
    [
      'Reset your password',
      'We received a request to reset the password for {{email}}. This link is valid for {{expiresIn}}. ' +
        'If you did not request it, ignore this e-mail.',
    ],
  ),
  template(
    'password.reset_code',
    ['firstName', 'email', 'code', 'link', 'expiresIn'],
    [
      'Votre code de réinitialisation',
      "Votre code est {{code}}. Saisissez-le dans l'application ou utilisez le lien ci-dessous ; les deux sont " +
        "valables {{expiresIn}}. Si vous n'êtes pas à l'origine de cette demande, ignorez cet e-mail.",
    ],
    [
      'Your password reset code',
      'Your code is {{code}}. Enter it in the app or use the link below; both are valid for {{expiresIn}}. ' +
        'If you did not request it, ignore this e-mail.',
    ],
  ),
  template(
    'verify.email',
    ['firstName', 'email', 'link'],
    ['Confirmez votre adresse e-mail', "Confirmez que l'adresse {{email}} est bien la vôtre."],
    ['Confirm your e-mail address', 'Confirm that {{email}} is your e-mail address.'],
  ),
  template(
    'email.changing',
    ['firstName', 'email', 'oldEmail'],
    [
      'Votre adresse de connexion va changer',
      "L'adresse de votre compte passera de {{oldEmail}} à {{email}} dès que la nouvelle sera confirmée. D'ici là, " +
        "connectez-vous avec {{oldEmail}}. Si ce changement n'était pas prévu, contactez l'administrateur de votre " +
        'établissement.',
    ],
    [
      'Your sign-in address is changing',
      'The address of your account will change from {{oldEmail}} to {{email}} once the new one is confirmed. Until ' +
        'then, sign in with {{oldEmail}}. If you did not expect this change, contact the administrator of your hotel.',
    ],
  ),
  template(
    'account.claim',
    ['firstName', 'email', 'link', 'expiresIn'],
    [
      'Vous avez déjà un compte',
      'Vous êtes invité à rejoindre un espace de travail, et un compte existe déjà pour {{email}}. Utilisez ce lien, ' +
        "valable {{expiresIn}}, pour choisir un mot de passe, puis connectez-vous pour accepter l'invitation. L'ancien " +
        "mot de passe sera révoqué et les sessions ouvertes seront fermées. Si vous n'attendez aucune invitation, " +
        'ignorez cet e-mail.',
    ],
    [
      'You already have an account',
      'You are invited to join a workspace, and an account already exists for {{email}}. Use this link, valid for ' +
        '{{expiresIn}}, to choose a password, then sign in to accept the invitation. The previous password and all open ' +
        'sessions will be revoked. If you did not expect an invitation, ignore this e-mail.',
    ],
  ),
  template(
    'user.invitation',
    ['firstName', 'lastName', 'email', 'link', 'workspaceName', 'inviterName'],
    ['Votre invitation', 'Votre compte {{email}} est prêt. Choisissez un mot de passe pour vous connecter.'],
    ['Your invitation', 'Your account {{email}} is ready. Choose a password to sign in.'],
  ),
  template(
    'temporary.password',
    ['firstName', 'email', 'password', 'temporaryPassword', 'code', 'link'],
    ['Votre mot de passe temporaire', 'Votre mot de passe temporaire pour {{email}} est {{password}}.'],
    ['Your temporary password', 'Your temporary password for {{email}} is {{password}}.'],
  ),
]

/** <type>_<category>: dots in an event's type become underscores. */
export const slugOf = (type: string): string => type.replaceAll('.', '_')
