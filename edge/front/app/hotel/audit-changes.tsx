import type { AuditEntry } from '../../../../gen/client/member.ts'
import { useNameOfSlug } from '../members/words.ts'
import { useTexts } from '../platform/texts.ts'
import { Breakable } from '../ui/facts.tsx'

type Props = { entry: AuditEntry; nameOf: (memberId: string) => string | undefined }

/** The changed fields of an entry: old and new values, without those that stayed empty. */
export function Changes({ entry: { before, after }, nameOf }: Props) {
  const t = useTexts('hotel/audit-changes')
  const nameOfSlug = useNameOfSlug()
  const textOf = (value: unknown): string => {
    if (value === null || value === undefined || value === '') return t.empty
    if (typeof value === 'boolean') return value ? t.yes : t.no
    if (Array.isArray(value)) return value.map(one => nameOfSlug(String(one))).join(', ') || t.empty
    if (typeof value !== 'string') return JSON.stringify(value)
    if (/^https?:\/\//.test(value)) return t.file
    return nameOf(value) ?? nameOfSlug(value)
  }
  const names: Record<string, string> = t.fields
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const isEmpty = (value: unknown) => textOf(value) === t.empty || value === false
  const lines = fields.flatMap(field => {
    const [previous, now] = [before?.[field], after?.[field]]
    if (JSON.stringify(previous) === JSON.stringify(now) || (isEmpty(previous) && isEmpty(now))) return []
    return [{ field, previous: before ? textOf(previous) : undefined, now: after ? textOf(now) : undefined }]
  })
  if (lines.length === 0) return null
  return (
    <ul class="changes">
      {lines.map(({ field, previous, now }) => (
        <li key={field} dir="auto">
          <span class="hint">{names[field] ?? field}</span>{' '}
          {previous !== undefined && (
            <del>
              <Breakable text={previous} />
            </del>
          )}{' '}
          {now !== undefined && (
            <ins>
              <Breakable text={now} />
            </ins>
          )}
        </li>
      ))}
    </ul>
  )
}
