import type { Permission } from '../../../../gen/client/member.ts'
import { type Load, useLoad } from '../platform/load.ts'
import { platform } from '../platform/session.ts'
import { Checkbox } from '../ui/controls.tsx'
import { Loaded } from '../ui/feedback.tsx'
import { isShownHere, useNameOfSlug } from './words.ts'

/** The permissions of people, as far as this client shows what they open; without a level all, as programs have them. */
export function usePermissions(level?: 'workspace') {
  return useLoad(`permissions/${level}`, async signal => {
    const { data } = await platform.member.listPermissions({}, { signal })
    return level ? data.filter(one => one.level === level && isShownHere(one.slug)) : data
  })
}

type Props = {
  permissions: Load<Permission[]>
  chosenSlugs: ReadonlySet<string>
  onChosen: (slugs: Set<string>) => void
  /** Why one can't be changed, such as that it comes with the role; undefined when it can. */
  fixedReason?: (slug: string) => string | undefined
}

/** Check boxes of permissions in groups. */
export function PermissionChoice({ permissions, chosenSlugs, onChosen, fixedReason = () => undefined }: Props) {
  const nameOf = useNameOfSlug()
  return (
    <Loaded load={permissions}>
      {list => (
        <div class="permissions fit">
          {[...Map.groupBy(list, one => one.category)].map(([category, ones]) => (
            <fieldset key={category}>
              <legend>{nameOf(category)}</legend>
              {ones.map(({ slug, name }) => (
                <Checkbox
                  key={slug}
                  label={nameOf(slug, name)}
                  hint={fixedReason(slug) ?? ''}
                  checked={chosenSlugs.has(slug)}
                  disabled={fixedReason(slug) !== undefined}
                  onCheck={isChecked => {
                    const next = new Set(chosenSlugs)
                    if (isChecked) next.add(slug)
                    else next.delete(slug)
                    onChosen(next)
                  }}
                />
              ))}
            </fieldset>
          ))}
        </div>
      )}
    </Loaded>
  )
}
