import type { AuditEntry } from '../../../../gen/client/member.ts'
import { useNameOfSlug } from '../members/words.ts'
import { texts, useTexts } from '../platform/texts.ts'

const words = texts({
  en: {
    empty: 'empty',
    yes: 'yes',
    no: 'no',
    firstName: 'First name',
    lastName: 'Last name',
    email: 'E-mail',
    phone: 'Phone',
    photoUrl: 'Picture',
    superior: 'Reports to',
    dashboardAccess: 'Dashboard',
    isActive: 'Active',
    isSuperAdmin: 'Platform administrator',
    workspaceRole: 'Role',
    permissionSlugs: 'Permissions',
    permissions: 'Permissions',
    isAdmin: 'Administrator',
    status: 'Status',
    name: 'Name',
    slug: 'Short name',
    description: 'Description',
    isDefault: 'Default role',
    logoUrl: 'Logo',
    color: 'Colour',
    icon: 'Icon',
    leaderId: 'Leader',
    code: 'Code',
    parentId: 'Part of',
    managerId: 'Manager',
    role: 'Role in the group',
    language: 'Language',
    timezone: 'Time zone',
    mobileAccess: 'Mobile app',
  },
  fr: {
    empty: 'vide',
    yes: 'oui',
    no: 'non',
    firstName: 'Prénom',
    lastName: 'Nom',
    email: 'E-mail',
    phone: 'Téléphone',
    photoUrl: 'Photo',
    superior: 'Dépend de',
    dashboardAccess: 'Tableau de bord',
    isActive: 'Actif',
    isSuperAdmin: 'Administrateur de la plateforme',
    workspaceRole: 'Rôle',
    permissionSlugs: 'Droits',
    permissions: 'Droits',
    isAdmin: 'Administrateur',
    status: 'Statut',
    name: 'Nom',
    slug: 'Nom court',
    description: 'Description',
    isDefault: 'Rôle par défaut',
    logoUrl: 'Logo',
    color: 'Couleur',
    icon: 'Icône',
    leaderId: 'Chef d’équipe',
    code: 'Code',
    parentId: 'Rattaché à',
    managerId: 'Responsable',
    role: 'Fonction',
    language: 'Langue',
    timezone: 'Fuseau horaire',
    mobileAccess: 'Application mobile',
  },
})

type Props = { entry: AuditEntry; nameOf: (memberId: string) => string | undefined }

/** The changed fields of an entry: old and new values, without those that stayed empty. */
export function Changes({ entry: { before, after }, nameOf }: Props) {
  const t = useTexts(words)
  const nameOfSlug = useNameOfSlug()
  const textOf = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return t.empty
    if (typeof value === 'boolean') return value ? t.yes : t.no
    if (Array.isArray(value)) return value.map(one => nameOfSlug(String(one))).join(', ') || t.empty
    if (typeof value !== 'string') return JSON.stringify(value)
    return nameOf(value) ?? nameOfSlug(value)
  }
  const names: Record<string, string> = t
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const isEmpty = (value: unknown) => textOf(value) === t.empty || value === false
  const lines = fields.flatMap(field => {
    const [old, now] = [before?.[field], after?.[field]]
    if (JSON.stringify(old) === JSON.stringify(now) || (isEmpty(old) && isEmpty(now))) return []
    return [{ field, old: before ? textOf(old) : undefined, now: after ? textOf(now) : undefined }]
  })
  if (lines.length === 0) return null
  return (
    <ul class="changes">
      {lines.map(({ field, old, now }) => (
        <li key={field} dir="auto">
          <span class="hint">{names[field] ?? field}</span> {old !== undefined && <del>{old}</del>}{' '}
          {now !== undefined && <ins>{now}</ins>}
        </li>
      ))}
    </ul>
  )
}
