import type { Role } from '../../../../gen/client/member.ts'
import { changeQuery } from '../platform/router.tsx'
import { useTexts } from '../platform/texts.ts'
import { Select, TextField } from '../ui/controls.tsx'
import { useTyped } from '../ui/typed.ts'
import { choicesOf, flat, useDepartments, useTeams } from './groups-of.ts'
import { useNameOfSlug, useRoleName } from './words.ts'

type FilterValues = Record<'search' | 'role' | 'status' | 'team' | 'department', string>

/** Search and filters of the list, all in the address. */
export function Filters({ filterValues, roles }: { filterValues: FilterValues; roles: Role[] }) {
  const t = useTexts('members/filters')
  const roleName = useRoleName(roles)
  const nameOf = useNameOfSlug()
  const [typed, setTyped] = useTyped(filterValues.search, search => changeQuery({ search, page: '' }))
  const teams = useTeams()
  const departments = useDepartments()
  const select = (name: keyof FilterValues, label: string, choices: { value: string; text: string }[]) =>
    choices.length > 0 && (
      <Select
        label={label}
        value={filterValues[name]}
        onValue={value => changeQuery({ [name]: value, page: '' })}
        choices={[{ value: '', text: t.all }, ...choices]}
      />
    )
  return (
    <search class="find" aria-label={t.filters}>
      <TextField label={t.search} type="search" value={typed} onValue={setTyped} maxLength={255} />
      <div class="filter-row">
        {select(
          'role',
          t.role,
          roles.map(({ slug }) => ({ value: slug, text: roleName(slug) })),
        )}
        {select(
          'status',
          t.status,
          ['active', 'pending', 'suspended'].map(value => ({ value, text: nameOf(value) })),
        )}
        {select(
          'team',
          t.team,
          (teams.value ?? []).map(({ id, name }) => ({ value: id, text: name })),
        )}
        {select('department', t.department, choicesOf(flat(departments.value ?? [])))}
      </div>
    </search>
  )
}
