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
    ['Le profil de {{memberName}} a changé', 'Un profil a été modifié dans {{workspaceName}}'],
    ['The profile of {{memberName}} changed', 'A profile was changed in {{workspaceName}}'],
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
      'Vous avez demandé un nouveau mot de passe pour {{email}}. Ce lien est valable {{expiresIn}}. ' +
        "Si vous n'avez rien demandé, ignorez ce message.",
    ],
    [
      'Reset your password',
      'You asked for a new password for {{email}}. This link is valid for {{expiresIn}}. ' +
        'If you did not ask for it, ignore this message.',
    ],
  ),
  template(
    'password.reset_code',
    ['firstName', 'email', 'code', 'link', 'expiresIn'],
    [
      'Votre code de réinitialisation',
      'Votre code est {{code}}. Saisissez-le dans votre application, ou suivez le lien ci-dessous ; les deux sont ' +
        "valables {{expiresIn}}. Si vous n'avez rien demandé, ignorez ce message.",
    ],
    [
      'Your reset code',
      'Your code is {{code}}. Type it into your app, or follow the link below; both are valid for {{expiresIn}}. ' +
        'If you did not ask for it, ignore this message.',
    ],
  ),
  template(
    'verify.email',
    ['firstName', 'email', 'link'],
    ['Confirmez votre adresse', "Confirmez que l'adresse {{email}} est la vôtre."],
    ['Confirm your address', 'Confirm that {{email}} is your address.'],
  ),
  template(
    'email.changing',
    ['firstName', 'email', 'oldEmail'],
    [
      'Votre adresse de connexion change',
      "L'adresse de votre compte passe de {{oldEmail}} à {{email}} dès que la nouvelle est confirmée. Jusque-là, " +
        "connectez-vous avec {{oldEmail}}. Si vous n'en saviez rien, prévenez l'administrateur de votre établissement.",
    ],
    [
      'Your sign-in address is changing',
      'The address of your account changes from {{oldEmail}} to {{email}} as soon as the new one is confirmed. Until ' +
        'then, sign in with {{oldEmail}}. If you did not expect this, tell the administrator of your hotel.',
    ],
  ),
  template(
    'account.claim',
    ['firstName', 'email', 'link', 'expiresIn'],
    [
      'Un compte existe déjà pour votre adresse',
      'Vous êtes invité à rejoindre un espace de travail, et un compte existe déjà pour {{email}}. Choisissez un mot de ' +
        "passe avec ce lien, valable {{expiresIn}}, puis connectez-vous pour accepter l'invitation. L'ancien mot de " +
        "passe et les sessions ouvertes prennent fin. Si vous n'attendez aucune invitation, ignorez ce message.",
    ],
    [
      'An account exists already for your address',
      'You are invited to join a workspace, and an account exists already for {{email}}. Choose a password with this ' +
        'link, valid for {{expiresIn}}, then sign in to accept the invitation. The former password and open sessions ' +
        'end. If you expect no invitation, ignore this message.',
    ],
  ),
  template(
    'user.invitation',
    ['firstName', 'lastName', 'email', 'link', 'workspaceName', 'inviterName'],
    ['Votre invitation', 'Un compte vous attend pour {{email}}.'],
    ['Your invitation', 'An account is waiting for {{email}}.'],
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
