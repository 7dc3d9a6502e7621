import type { Role } from '../../../../gen/client/member.ts'
import { texts, useTexts } from '../platform/texts.ts'

/** Names of system roles, permissions and categories. Custom ones keep the name that their maker gave. */
const names = texts({
  en: {
    admin: 'Administrator',
    manager: 'Manager',
    member: 'Member',
    viewer: 'Viewer',
    owner: 'Owner',
    active: 'Active',
    pending: 'Invited',
    suspended: 'Suspended',
    accepted: 'Accepted',
    cancelled: 'Cancelled',
    members: 'People',
    content: 'Content',
    settings: 'Settings',
    communication: 'Communication',
    analytics: 'Statistics',
    ecosystem: 'Hotel',
    manage_members: 'Manage people',
    view_members: 'See people',
    invite_members: 'Invite people',
    remove_members: 'Remove people',
    manage_roles: 'Manage roles',
    create_content: 'Write pages',
    edit_content: 'Edit pages',
    delete_content: 'Delete pages',
    publish_content: 'Publish pages',
    moderate_comments: 'Moderate comments',
    manage_settings: 'Change settings',
    view_settings: 'See settings',
    manage_integrations: 'Manage integrations',
    send_notifications: 'Send notifications',
    access_chat: 'Use the chat',
    manage_channels: 'Manage channels',
    view_reports: 'See the audit log',
    export_data: 'Export data',
    view_analytics: 'See statistics',
    access_live_chat: 'Use the live chat',
    screenshot_permission: 'Take screenshots',
    manage_ecosystem: 'Manage the hotel',
  },
  fr: {
    admin: 'Administrateur',
    manager: 'Responsable',
    member: 'Membre',
    viewer: 'Lecteur',
    owner: 'Propriétaire',
    active: 'Actif',
    pending: 'Invité',
    suspended: 'Suspendu',
    accepted: 'Acceptée',
    cancelled: 'Annulée',
    members: 'Personnes',
    content: 'Contenu',
    settings: 'Réglages',
    communication: 'Communication',
    analytics: 'Statistiques',
    ecosystem: 'Hôtel',
    manage_members: 'Gérer les personnes',
    view_members: 'Voir les personnes',
    invite_members: 'Inviter des personnes',
    remove_members: 'Retirer des personnes',
    manage_roles: 'Gérer les rôles',
    create_content: 'Rédiger des pages',
    edit_content: 'Modifier des pages',
    delete_content: 'Supprimer des pages',
    publish_content: 'Publier des pages',
    moderate_comments: 'Modérer les commentaires',
    manage_settings: 'Modifier les réglages',
    view_settings: 'Voir les réglages',
    manage_integrations: 'Gérer les intégrations',
    send_notifications: 'Envoyer des notifications',
    access_chat: 'Utiliser la messagerie',
    manage_channels: 'Gérer les canaux',
    view_reports: 'Voir le journal d’audit',
    export_data: 'Exporter des données',
    view_analytics: 'Voir les statistiques',
    access_live_chat: 'Utiliser la messagerie instantanée',
    screenshot_permission: 'Faire des captures d’écran',
    manage_ecosystem: 'Gérer l’hôtel',
  },
})

const named = (known: Record<string, string>, slug: string): string | undefined =>
  Object.hasOwn(known, slug) ? known[slug] : undefined

/** The name of a permission, category or status; the given one or the slug when it is custom. */
export function useNameOfSlug(): (slug: string, otherwise?: string) => string {
  const t = useTexts(names)
  return (slug, otherwise = slug) => named(t, slug) ?? otherwise
}

/** The name of a role by its slug. */
export function useRoleName(roles: Role[] = []): (slug: string) => string {
  const t = useTexts(names)
  return slug => {
    const role = roles.find(one => one.slug === slug)
    return role && !role.isSystem ? role.name : (named(t, slug) ?? slug)
  }
}
