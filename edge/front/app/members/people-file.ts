/** Reads a list of people from a file: which columns mean what, and what is wrong with each row. */

export const fields = ['email', 'firstName', 'lastName', 'role', 'team'] as const
type Field = (typeof fields)[number]
/** The column of each field; -1 for none. */
export type Columns = Record<Field, number>

type Fault =
  | 'email-missing'
  | 'email-wrong'
  | 'first-name-missing'
  | 'last-name-missing'
  | 'too-long'
  | 'repeated'
  | 'role-unknown'
  | 'role-too-strong'
  | 'team-unknown'

export type PersonRow = {
  /** Line of the file's table, the heading being 1. */
  line: number
  email: string
  firstName: string
  lastName: string
  /** Role slug; undefined for the workspace's default. */
  role: string | undefined
  teamId: string | undefined
  faults: Fault[]
}

/** The most rows that one call takes. */
export const mostRows = 1000

/** The text of a file: UTF-8 or UTF-16 with a mark, else what spreadsheets of Western Europe write. */
export function decodeText(bytes: Uint8Array): string {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

/** The cells of a text with commas, semicolons or tabs, quoted as RFC 4180 has it. Empty lines are left out. */
export function readTable(text: string): string[][] {
  const separator = separatorOf(text)
  const table: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endCell = () => {
    row.push(cell.trim())
    cell = ''
  }
  const endRow = () => {
    endCell()
    if (row.some(Boolean)) table.push(row)
    row = []
  }
  for (let index = 0; index < text.length; index++) {
    const sign = text[index] ?? ''
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (text[index + 1] === '"') cell += text[++index]
      else isQuoted = false
    } else if (sign === '"' && cell.trim() === '') {
      cell = ''
      isQuoted = true
    } else if (sign === separator) endCell()
    else if (sign === '\n' || sign === '\r') endRow()
    else cell += sign
  }
  endRow()
  return table
}

/** The separator that the first line has most of, outside of quotes. */
function separatorOf(text: string): string {
  const [line = ''] = text.replace(/"[^"]*"/g, '').split(/[\r\n]/)
  const counts = [';', ',', '\t'].map(sign => ({ sign, count: line.split(sign).length }))
  return counts.toSorted((a, b) => b.count - a.count)[0]?.sign ?? ','
}

const toPlainText = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()

/** Whether a heading has a name, ignoring accents, spaces and signs. A heading of signs alone has none. */
const isSame = (name: string, cell: string): boolean =>
  toPlainText(cell) !== '' && toPlainText(name) === toPlainText(cell)

/** Headings as people write them, without accents, spaces and signs. */
const headings: Record<Field, string[]> = {
  email: ['email', 'mail', 'emailaddress', 'adresseemail', 'adressemail', 'courriel', 'adresseelectronique'],
  firstName: ['firstname', 'first', 'givenname', 'prenom', 'prenoms'],
  lastName: ['lastname', 'last', 'surname', 'familyname', 'nom', 'nomdefamille', 'name'],
  role: ['role', 'workspacerole', 'fonction', 'droit', 'profil'],
  team: ['team', 'teams', 'equipe', 'equipes', 'group', 'groupe'],
}

/** The columns by their headings; without known headings, the column with addresses. */
export function detectColumns(table: string[][]): { columns: Columns; hasHeading: boolean } {
  const first = (table[0] ?? []).map(toPlainText)
  const columns = Object.fromEntries(
    fields.map(field => [field, first.findIndex(name => headings[field].includes(name))]),
  ) as Columns
  const hasHeading =
    Object.values(columns).some(index => index >= 0) && !first.some((_, index) => table[0]?.[index]?.includes('@'))
  if (hasHeading) return { columns: columns, hasHeading }
  const email = (table[0] ?? []).findIndex(cell => cell.includes('@'))
  const otherColumns = (table[0] ?? []).map((_, index) => index).filter(index => index !== email)
  const [firstName = -1, lastName = -1] = otherColumns
  return { columns: { email, firstName, lastName, role: -1, team: -1 }, hasHeading }
}

/** The same form that the platform asks for. */
const address =
  /^[a-zA-Z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?(?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$/

type WorkspaceData = {
  /** Roles under all their names. */
  roles: { slug: string; names: string[]; isGivable: boolean }[]
  teams: { id: string; name: string }[]
}

/** The people of a table, each with what is wrong. */
export function readPeople(table: string[][], columns: Columns, hasHeading: boolean, data: WorkspaceData): PersonRow[] {
  const emails = new Set<string>()
  return table.slice(hasHeading ? 1 : 0).map((cells, index) => {
    const cell = (field: Field): string => (columns[field] >= 0 ? (cells[columns[field]] ?? '') : '')
    const [email, firstName, lastName] = [cell('email'), cell('firstName'), cell('lastName')]
    const faults: Fault[] = []
    if (!email) faults.push('email-missing')
    else if (email.length > 254 || !address.test(email)) faults.push('email-wrong')
    else if (emails.has(email.toLowerCase())) faults.push('repeated')
    emails.add(email.toLowerCase())
    if (!firstName) faults.push('first-name-missing')
    if (!lastName) faults.push('last-name-missing')
    if (firstName.length > 255 || lastName.length > 255) faults.push('too-long')
    const role = data.roles.find(({ slug, names }) => [slug, ...names].some(name => isSame(name, cell('role'))))
    if (cell('role') && !role) faults.push('role-unknown')
    if (role && !role.isGivable) faults.push('role-too-strong')
    const team = data.teams.find(({ name }) => isSame(name, cell('team')))
    if (cell('team') && !team) faults.push('team-unknown')
    const line = index + (hasHeading ? 2 : 1)
    return { line, email, firstName, lastName, role: role?.slug, teamId: team?.id, faults }
  })
}
